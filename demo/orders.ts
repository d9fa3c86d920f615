/**
 * The purchase and sales orders of the demo warehouse; `load.ts` loads them. Items and bins are in `stock.ts`.
 */

/** Received when loaded: two lots in one bin, one of which expires soon, and items at the dock for put-away. */
export const receipts: { sku: string; units: number; bin: string; lot?: string; expiresIn?: number }[] = [
  { sku: "TEA-GREEN", units: 30, bin: "D-03", lot: "LOT-2601", expiresIn: 6 },
  { sku: "TEA-GREEN", units: 20, bin: "D-03", lot: "LOT-2604", expiresIn: 200 },
  { sku: "TEA-BLACK", units: 40, bin: "D-03", lot: "LOT-2602", expiresIn: 25 },
  { sku: "TEA-MINT", units: 24, bin: "RECV-01", lot: "LOT-2603", expiresIn: 300 },
  { sku: "MUG-XL", units: 36, bin: "RECV-01" },
  { sku: "BOARD-L", units: 12, bin: "RECV-02" },
];

type Lines = [sku: string, units: number][];

export const purchaseOrders: { number: string; vendor: string; dueIn: number; lines: Lines }[] = [
  {
    number: "PO-1001",
    vendor: "Northwind Ceramics",
    dueIn: 2,
    lines: [
      ["MUG-BLUE", 100],
      ["MUG-RED", 100],
      ["MUG-CAMP", 60],
      ["BOWL-S", 80],
      ["BOWL-M", 80],
      ["BOWL-L", 40],
      ["BOWL-SET", 20],
      ["PLATE-DES", 60],
      ["PLATE-DIN", 120],
      ["PLATE-OVAL", 10],
    ],
  },
  {
    number: "PO-1002",
    vendor: "Fern & Oak",
    dueIn: 3,
    lines: [
      ["BOARD-S", 40],
      ["BOARD-L", 20],
      ["BOARD-CHEESE", 25],
    ],
  },
  {
    number: "PO-1003",
    vendor: "Harbor Supply",
    dueIn: 5,
    lines: [
      ["GLASS-WATER", 96],
      ["GLASS-WINE", 48],
      ["GLASS-CARAFE", 24],
      ["GLASS-JAR", 60],
      ["CAN-WHITE", 100],
      ["CAN-BEES", 40],
      ["CAN-HOLDER", 30],
      ["CAN-SNUFF", 20],
    ],
  },
  {
    number: "PO-1004",
    vendor: "Harbor Supply",
    dueIn: 8,
    lines: [
      ["BOX-S", 50],
      ["BOX-M", 50],
      ["BOX-L", 50],
      ["BOX-LID", 150],
      ["BOX-M", 25],
    ],
  },
  { number: "PO-1005", vendor: "Fern & Oak", dueIn: 14, lines: [["TEA-GIFT", 500]] },
];

export interface DemoOrder {
  customer: string;
  lines: Lines;
  ship_method?: string;
  memo?: string;
}

const scarce: Lines = [
  ["CAN-BEES", 4],
  ["CAN-HOLDER", 3],
];

/** Their numbers are SO-1001, SO-1002 and so on. */
export const salesOrders: DemoOrder[] = [
  // A line each.
  { customer: "Ada Lovelace", lines: [["MUG-BLUE", 2]] },
  { customer: "Grace Hopper", lines: [["PLATE-DIN", 6]], ship_method: "FedEx Home" },
  { customer: "Alan Turing", lines: [["TEX-APRON", 1]], ship_method: "Local pickup" },
  { customer: "Mary Somerville", lines: [["TEA-GREEN", 3]], memo: "Gift: no invoice in the box" },
  { customer: "Emmy Noether", lines: [["TEX-CLOTH", 1]] },
  // Three to five lines.
  {
    customer: "Sophie Germain",
    lines: [
      ["BOWL-S", 4],
      ["BOWL-M", 4],
      ["CUT-SPOON", 4],
    ],
  },
  {
    customer: "Carl Gauss",
    lines: [
      ["CUT-FORK", 6],
      ["CUT-KNIFE", 6],
      ["CUT-SPOON", 6],
      ["PLATE-DIN", 6],
    ],
  },
  {
    customer: "Leonhard Euler",
    lines: [
      ["GLASS-WATER", 6],
      ["GLASS-WINE", 6],
      ["TEX-TOWEL", 2],
    ],
    ship_method: "DHL Express",
  },
  {
    customer: "Maria Agnesi",
    lines: [
      ["BOX-S", 2],
      ["BOX-M", 2],
      ["BOX-L", 1],
      ["BOX-LID", 5],
      ["CAN-WHITE", 3],
    ],
  },
  {
    customer: "Joseph Fourier",
    lines: [
      ["MUG-RED", 4],
      ["TEA-BLACK", 2],
      ["TEA-GREEN", 2],
      ["BOARD-CHEESE", 1],
    ],
  },
  // The same two items, whose stock is enough for three of these orders.
  ...["Henri Poincaré", "Georg Cantor", "David Hilbert", "Kurt Gödel", "Paul Erdős"].map((customer) => ({
    customer,
    lines: scarce,
  })),
  // Picks in all aisles.
  {
    customer: "Isaac Newton",
    lines: [
      ["MUG-CAMP", 1],
      ["CUT-SET24", 1],
      ["BOARD-S", 1],
      ["BOX-M", 1],
    ],
  },
  {
    customer: "Émilie du Châtelet",
    lines: [
      ["BOWL-L", 2],
      ["PLATE-KIDS", 2],
      ["TEX-TOWEL", 4],
      ["CAN-SNUFF", 1],
    ],
  },
  {
    customer: "Blaise Pascal",
    lines: [
      ["BOX-L", 1],
      ["TEX-APRON", 2],
      ["GLASS-WINE", 4],
      ["MUG-XL", 2],
    ],
  },
  // More than is in stock.
  { customer: "Zeno of Elea", lines: [["GLASS-JAR", 99]], memo: "Asked for 99 of 10" },
  { customer: "Archimedes", lines: [["BOARD-BREAD", 999]], memo: "Asked for 999 of 200" },
];
