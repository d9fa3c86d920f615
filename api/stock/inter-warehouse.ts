import { z } from "zod";
import { notingShortage } from "../../activities/stock/shortages.js";
import * as activities from "../../activities/stock/transfer-between-warehouses.js";
import { moveWithinWarehouse } from "../../activities/stock/transfers.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import { CappedLimit } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import {
  BinInactive,
  BinNotFound,
  DestinationElsewhere,
  InsufficientStock,
  PromisedToPicks,
  UnitsHeld,
} from "../../src/stock/problems.js";
import { interWarehouseTransfers } from "../../src/stock/transfers/queries.js";
import {
  InterWarehouseTransfer,
  InterWarehouseTransferDone,
  NewInterWarehouseTransfer,
} from "../../src/stock/transfers/shapes.js";
import { page, route } from "../http/route.js";

/** Transfers of stock between warehouses, in one transaction: docs/interface.md, Adjustments. */

export const transferBetweenWarehouses = route("post /api/admin/inter-warehouse-transfer", {
  for: page("inter-warehouse-transfers"),
  summary:
    "Moves units of an item to another warehouse: free ones first, then reserved ones, whose orders lose " +
    "the reservation; never those allocated to pick tasks. Within one warehouse it is a move between bins",
  body: NewInterWarehouseTransfer,
  answers: { 201: InterWarehouseTransferDone },
  errors: [
    ...[WarehouseDenied, ItemNotFound, BinNotFound, DestinationElsewhere, BinInactive],
    ...[InsufficientStock, PromisedToPicks, UnitsHeld],
  ],
  run: ({ body, by }) =>
    notingShortage(body.from_bin_id, () =>
      body.from_warehouse_id === body.to_warehouse_id
        ? moveWithinWarehouse(body, by)
        : activities.transferBetweenWarehouses(body, by),
    ),
});

export const listInterWarehouseTransfers = route("get /api/admin/inter-warehouse-transfers", {
  for: page("inter-warehouse-transfers"),
  summary: "The newest transfers between warehouses, with moves that were asked for as such",
  query: z.object({ ...wholeList(InterWarehouseTransfer), limit: CappedLimit(500).default(50) }),
  answers: {
    200: z.strictObject({ transfers: z.array(InterWarehouseTransfer).describe("The movements, newest first.") }),
  },
  run: async ({ query, by }) => ({ transfers: await interWarehouseTransfers(query.limit, shownWarehouses(by)) }),
});
