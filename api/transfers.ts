import { z } from "zod";
import { moveBetweenBins } from "../activities/transfers.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { DestinationElsewhere } from "../src/putaway/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { InsufficientStock } from "../src/stock-problems.js";
import { Carried } from "./carried.js";
import { Id, Text, Units } from "./fields.js";
import { floor, route } from "./route.js";

/** Moves between the bins of a warehouse (spec 4.4, reference 02 §4). */
export const move = route("post /api/transfers/move", {
  for: floor("transfer"),
  summary: "Moves units of an item from one bin to another",
  body: Carried.safeExtend({
    reason: Text(500, "Bin too full").nullish(),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      transfer_id: Id,
      item: z.strictObject({ sku: z.string(), item_name: z.string() }),
      from_bin: z.strictObject({
        bin_code: z.string(),
        remaining_quantity: Units,
      }),
      to_bin: z.strictObject({ bin_code: z.string(), new_quantity: Units }),
      quantity_moved: Units,
    }),
  },
  errors: [
    ItemNotFound,
    BinNotFound,
    WarehouseDenied,
    DestinationElsewhere,
    InsufficientStock,
  ],
  run: ({ body, by }) => moveBetweenBins(body, by),
});
