import { z } from "zod";
import { AmbiguousBarcode } from "../../src/platform/barcodes/problems.js";
import { asDispatchProblem } from "../../src/platform/dispatch-problem.js";
import { conflictsOf } from "../../src/pos/cart.js";
import * as problems from "../../src/pos/problems.js";
import { availabilityOf, linesWithFree, tillOrder } from "../../src/pos/queries.js";
import { Availability, CartLine, InvalidCart, TillOrder, ValidCart } from "../../src/pos/shapes.js";
import { dispatch, route } from "../http/route.js";

/** What tills read: docs/interface.md, Tills. */

const Code = z
  .string()
  .regex(/^[A-Za-z0-9_\-#.]{1,64}$/, "Expected 1 to 64 letters, digits, or _ - # .")
  .meta({ examples: ["KETTLE-1"] });

export const getAvailabilityForTill = route("get /api/v1/pos/availability", {
  for: dispatch("pos.dispatch"),
  perMinute: 120,
  summary: "How many units of an item are free, by warehouse and bin; the item by its barcode or its SKU",
  query: z.strictObject({
    barcode: Code.optional().describe("What the scanner read."),
    sku: Code.optional().describe("Stock keeping unit: the item's own code, unique."),
  }),
  answers: { 200: Availability },
  errors: [problems.BarcodeOrSku, problems.ItemNotFound, asDispatchProblem(AmbiguousBarcode)],
  run: async ({ query, by }) => {
    if ((query.barcode === undefined) === (query.sku === undefined))
      throw problems.BarcodeOrSku({}, { field: "barcode|sku" });
    const found = await availabilityOf(query, by.warehouseIds);
    if (!found) throw problems.ItemNotFound();
    return found;
  },
});

export const validateCart = route("post /api/v1/pos/validate-cart", {
  for: dispatch("pos.dispatch"),
  perMinute: 60,
  changesNothing: true,
  summary: "Whether a cart can be sold as it is; lines of one bin are taken together",
  body: z.strictObject({ lines: z.array(CartLine).min(1).max(200).describe("The lines, each for one item.") }),
  answers: { 200: ValidCart, 409: InvalidCart },
  run: async ({ body: { lines }, by, res }) => {
    const conflicts = conflictsOf(lines, await linesWithFree(lines), by.warehouseIds);
    if (conflicts.length === 0) return { valid: true as const };
    res.status(409);
    return { valid: false as const, conflicts };
  },
});

export const getOrderForTill = route("get /api/v1/pos/sales-orders/:so_number", {
  for: dispatch("pos.dispatch"),
  perMinute: 120,
  summary: "A sales order by its number, whatever made it",
  params: z.strictObject({
    so_number: z.string().meta({ description: "Number of the sales order, unique.", examples: ["POS-1001"] }),
  }),
  answers: { 200: TillOrder },
  errors: [problems.InvalidSoNumber, problems.OrderNotFound],
  run: async ({ params: { so_number }, by }) => {
    if (so_number.length > 64) throw problems.InvalidSoNumber({}, { field: "so_number" });
    const order = await tillOrder(so_number, by.warehouseIds);
    if (!order) throw problems.OrderNotFound();
    return order;
  },
});
