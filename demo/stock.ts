import type { NewBin } from "../src/master-data/bins/shapes.js";
import type { NewZone } from "../src/master-data/zones/shapes.js";

type BinType = NewBin["bin_type"];

/** Zones, bins, items and stock of the demo warehouse; `load.ts` loads them. */

export const zones: [code: string, name: string, type: NewZone["zone_type"]][] = [
  ["PICK", "Shelves", "STORAGE"],
  ["BULK", "Bulk storage", "STORAGE"],
  ["STG", "Staging", "STAGING"],
  ["SHIP", "Shipping desk", "SHIPPING"],
  ["RCV", "Receiving dock", "RECEIVING"],
  ["QC", "Quality", "QUALITY"],
  ["DMG", "Damaged goods", "DAMAGE"],
];

/** In the order of picking: the first has pick sequence 100, the next 200. */
export const bins: [code: string, zone: string, type: BinType][] = [
  ...["A", "B", "C", "D"].flatMap((aisle) =>
    ["01", "02", "03"].map((row): [string, string, BinType] => [`${aisle}-${row}`, "PICK", "Pickable"]),
  ),
  ["BULK-01", "BULK", "Pickable"],
  ["BULK-02", "BULK", "Pickable"],
  ["STG-01", "STG", "PickableStaging"],
  ["DESK-01", "SHIP", "Pickable"],
  ["DESK-02", "SHIP", "Pickable"],
  ["RECV-01", "RCV", "Staging"],
  ["RECV-02", "RCV", "Staging"],
  ["QC-01", "QC", "Staging"],
  ["DMG-01", "DMG", "Staging"],
];

export interface DemoItem {
  sku: string;
  name: string;
  /** In pounds; null for an item without a known weight. */
  weight: number | null;
  /** The default bin, and the units in it. */
  bin: string;
  units: number;
  /** A barcode besides the UPC, or instead of it. */
  alias?: string;
  noUpc?: true;
}

const item = (
  sku: string,
  name: string,
  weight: number | null,
  bin: string,
  units: number,
  more: Partial<DemoItem> = {},
): DemoItem => ({ sku, name, weight, bin, units, ...more });

export const items: Record<string, DemoItem[]> = {
  Mugs: [
    item("MUG-BLUE", "Blue mug", 0.85, "A-01", 120),
    item("MUG-RED", "Red mug", 0.85, "A-01", 80),
    item("MUG-CAMP", "Enamel camping mug", 0.4, "A-01", 60, { alias: "CAMP-MUG-OLD" }),
    item("MUG-XL", "Soup mug, extra large", 1.3, "A-02", 24),
  ],
  Bowls: [
    item("BOWL-S", "Small bowl", 0.7, "A-02", 90),
    item("BOWL-M", "Medium bowl", 1.1, "A-02", 70),
    item("BOWL-L", "Large bowl", 1.9, "A-03", 40),
    item("BOWL-SET", "Set of three bowls", 3.6, "A-03", 18),
  ],
  Plates: [
    item("PLATE-DES", "Dessert plate", 0.9, "A-03", 75),
    item("PLATE-DIN", "Dinner plate", 1.6, "B-01", 110),
    item("PLATE-OVAL", "Oval platter", 2.8, "B-01", 15),
    item("PLATE-KIDS", "Children's plate", null, "B-01", 45),
  ],
  Cutlery: [
    item("CUT-FORK", "Fork", 0.12, "B-02", 200),
    item("CUT-KNIFE", "Knife", 0.16, "B-02", 200),
    item("CUT-SPOON", "Spoon", 0.13, "B-02", 200),
    item("CUT-SET24", "Cutlery set, 24 pieces", 4.2, "B-03", 22),
  ],
  Glass: [
    item("GLASS-WATER", "Water glass", 0.6, "B-03", 96),
    item("GLASS-WINE", "Wine glass", 0.5, "B-03", 48),
    item("GLASS-CARAFE", "Carafe, one litre", 1.7, "C-01", 12),
    item("GLASS-JAR", "Storage jar", 1.2, "C-01", 10),
  ],
  Textiles: [
    item("TEX-TOWEL", "Tea towel", 0.3, "C-01", 150),
    item("TEX-APRON", "Apron", 0.75, "C-02", 36),
    item("TEX-NAPKIN", "Napkin, linen", 0.15, "C-02", 8, { alias: "NAPKIN-LINEN", noUpc: true }),
    item("TEX-CLOTH", "Tablecloth", 1.4, "C-02", 20, { alias: "CLOTH-140", noUpc: true }),
  ],
  Boards: [
    item("BOARD-S", "Cutting board, small", 1.5, "C-03", 30),
    item("BOARD-L", "Cutting board, large", 3.4, "C-03", 16),
    item("BOARD-CHEESE", "Cheese board", null, "C-03", 14),
    item("BOARD-BREAD", "Bread board", 2.2, "C-03", 200),
  ],
  Storage: [
    item("BOX-S", "Storage box, small", 0.9, "D-01", 64),
    item("BOX-M", "Storage box, medium", 1.4, "D-01", 52),
    item("BOX-L", "Storage box, large", 2.1, "D-01", 44),
    item("BOX-LID", "Box lid", null, "D-02", 130, { alias: "LID-1", noUpc: true }),
  ],
  Candles: [
    item("CAN-WHITE", "Candle, white", 0.5, "D-02", 100),
    item("CAN-BEES", "Candle, beeswax", 0.55, "D-02", 12),
    item("CAN-HOLDER", "Candle holder", 0.8, "D-03", 10),
    item("CAN-SNUFF", "Candle snuffer", 0.2, "D-03", 28, { alias: "SNUFFER-2024" }),
  ],
  // Lots only come from receipts, so there is no opening stock.
  Tea: [
    item("TEA-GREEN", "Green tea, 100 g", 0.25, "D-03", 0),
    item("TEA-BLACK", "Black tea, 100 g", 0.25, "D-03", 0),
    item("TEA-MINT", "Mint tea, 50 g", 0.15, "D-03", 0),
    item("TEA-GIFT", "Tea gift box", 1.1, "D-03", 0),
  ],
};

/** Stock in other bins than the item's default bin. */
export const furtherStock: [sku: string, bin: string, units: number][] = [
  ["MUG-BLUE", "BULK-01", 240],
  ["PLATE-DIN", "BULK-02", 180],
  ["TEX-TOWEL", "STG-01", 25],
  ["BOX-M", "DESK-01", 6],
];
