import { internalEan } from "../../src/platform/barcodes/gtin.js";

/** What the simulated warehouses are made of; a later run finds it again by these names. */

export const warehouses = [
  { code: "SIM-NORTH", name: "Simulated warehouse North", address: "1 Simulation Road", pickers: 4, packers: 4 },
  { code: "SIM-SOUTH", name: "Simulated warehouse South", address: "2 Simulation Road", pickers: 1, packers: 1 },
] as const;

export const zones = [
  { code: "PICK", name: "Shelves", type: "STORAGE" },
  { code: "DOCK", name: "Receiving dock", type: "RECEIVING" },
  { code: "BACK", name: "Returns", type: "RECEIVING" },
] as const;

const two = (n: number) => String(n).padStart(2, "0");

export const bins = [
  ...["A", "B", "C", "D", "E"].flatMap((aisle) =>
    [1, 2, 3, 4, 5, 6].map((row) => ({
      ...{ code: `${aisle}-${two(row)}`, zone: "PICK", type: "Pickable", aisle, row: two(row) },
    })),
  ),
  { code: "DOCK-1", zone: "DOCK", type: "Staging", aisle: null, row: null },
  { code: "BACK-1", zone: "BACK", type: "Staging", aisle: null, row: null },
] as const;

/** Five aisles with a cross aisle at each end; pickers begin at the front of the first one. */
export const layout = {
  cross_aisles: [0, 28],
  aisles: ["A", "B", "C", "D", "E"].map((aisle, i) => ({ aisle, metres: i * 5 })),
  rows: [1, 2, 3, 4, 5, 6].map((row) => ({ row: two(row), metres: row * 4 })),
  depot: { metres: 0 },
};

/** Labels are bought elsewhere, and their numbers typed at the bench. */
export const carrier = {
  ...{ account_name: "Simulated carrier", carrier: "manual" },
  ship_from: { name: "Simulation", line1: "1 Simulation Road", city: "Hamburg", postal_code: "20457", country: "DE" },
};

/** From the most wanted on. */
export const items = [
  ...["Mug", "Bowl", "Plate", "Glass", "Jar", "Tray", "Towel", "Candle", "Basket", "Lamp"].flatMap((name) =>
    ["white", "blue", "green", "black"].map((colour) => ({ name: `${name}, ${colour}`, category: name })),
  ),
].map((item, i) => ({
  ...item,
  sku: `SIM-${two(i + 1)}`,
  upc: internalEan("29", i + 1),
  weight_lbs: 0.25 + (i % 8) / 4,
}));

/** How many units of the n-th item a warehouse begins with, and goes back to when it orders. */
export const usualStock = (place: number): number => Math.round(40 + 260 / (place + 1));
