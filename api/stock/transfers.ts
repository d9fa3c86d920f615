import { notingShortage } from "../../activities/stock/shortages.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { misread } from "../../src/platform/barcodes/problems.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { BinInactive, BinNotFound, DestinationElsewhere, InsufficientStock } from "../../src/stock/problems.js";
import { BinTransferDone, BinTransferWithReason } from "../../src/stock/transfers/shapes.js";
import { floor, route } from "../http/route.js";

/** Moves between the bins of a warehouse (docs/interface.md, Moves). */
export const moveStock = route("post /api/transfers/move", {
  for: floor("transfer"),
  summary: "Moves units of an item from one bin to another",
  body: BinTransferWithReason,
  answers: { 200: BinTransferDone },
  errors: [
    ItemNotFound,
    BinNotFound,
    WarehouseDenied,
    DestinationElsewhere,
    BinInactive,
    InsufficientStock,
    ...misread,
  ],
  run: ({ body, by }) => notingShortage(body.from_bin_id, () => moveBetweenBins(body, by)),
});
