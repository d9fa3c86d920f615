import type { SourceStock } from "../connector.js";
import type { RowFileKind } from "./pages.js";

/** Each row is the number of units of an item in a bin. */
export const inventory: RowFileKind<SourceStock> = {
  url: "inventory_url",
  columns: {
    sku: { kind: "text", maxLength: 128, required: true },
    bin_code: { kind: "text", maxLength: 64, required: true },
    quantity: { kind: "integer", min: 0, max: 1_000_000, required: true },
  },
  keyOf: ({ sku, bin_code }) => JSON.stringify([sku, bin_code]),
  recordOf: ({ sku, bin_code, quantity }) => ({
    item: sku as string,
    sku: sku as string,
    bin_code: bin_code as string,
    quantity: quantity as number,
    byContent: true,
  }),
};
