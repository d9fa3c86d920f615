import { z } from "zod";
import { adjustAllocation } from "../../activities/sales-orders/allocation.js";
import { addLine, changeLine, deleteLine } from "../../activities/sales-orders/lines.js";
import { ItemInactive, UnknownItem } from "../../src/master-data/problems.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { QueryInt } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import {
  AddedLine,
  AllocationChange,
  ChangedLine,
  DeletedLine,
  LineAllocation,
  LineBins,
  LineEdit,
  NewSalesOrderLine,
} from "../../src/sales-orders/edit-shapes.js";
import { ReturnNotFulfillable } from "../../src/sales-orders/fulfilment.js";
import { lineBins } from "../../src/sales-orders/line-bins.js";
import {
  BelowProgress,
  EditForbidden,
  ItemOnOrder,
  LineHasProgress,
  NotAllocatable,
  OrderBeingPicked,
  OrderClosed,
  ReturnLinesFixed,
  SoLineNotFound,
  SoNotFound,
  unknownSo,
} from "../../src/sales-orders/problems.js";
import { page, route } from "../http/route.js";

/** The lines of a sales order: docs/interface.md, Sales orders. */

const params = z.strictObject({
  so_id: field.SoIdParam,
  so_line_id: QueryInt.describe("Id of the sales order's line."),
});
/** The errors that any edit of a line may answer. */
const errors = [SoNotFound, WarehouseDenied, EditForbidden, SoLineNotFound, OrderBeingPicked];

export const createSalesOrderLine = route("post /api/admin/sales-orders/:so_id/lines", {
  for: page("sales-orders"),
  summary: "Adds an item to a sales order; nothing is reserved for it",
  params: z.strictObject({ so_id: field.SoIdParam }),
  body: NewSalesOrderLine,
  answers: { 201: AddedLine },
  errors: [
    ...unknownSo,
    EditForbidden,
    ReturnLinesFixed,
    OrderClosed,
    OrderBeingPicked,
    UnknownItem,
    ItemInactive,
    ItemOnOrder,
  ],
  run: ({ params, body, by }) => addLine({ ...body, ...params }, by),
});

export const updateSalesOrderLine = route("patch /api/admin/sales-orders/:so_id/lines/:so_line_id", {
  for: page("sales-orders"),
  summary: "Changes the ordered quantity of a line, not below what was picked, packed or shipped",
  params,
  body: LineEdit,
  answers: { 200: ChangedLine },
  errors: [...errors, ReturnLinesFixed, BelowProgress],
  run: ({ params, body, by }) => changeLine({ ...body, ...params }, by),
});

export const deleteSalesOrderLine = route("delete /api/admin/sales-orders/:so_id/lines/:so_line_id", {
  for: page("sales-orders"),
  summary: "Deletes a line of a sales order",
  params,
  answers: { 200: DeletedLine },
  errors: [...errors, ReturnLinesFixed, LineHasProgress],
  run: ({ params, by }) => deleteLine(params, by),
});

export const adjustSalesOrderLineAllocation = route(
  "patch /api/admin/sales-orders/:so_id/lines/:so_line_id/allocation",
  {
    for: page("sales-orders"),
    summary: "Reserves more or fewer units for a line, between what is picked and what is ordered",
    params,
    body: AllocationChange,
    answers: { 200: LineAllocation },
    errors: [...errors, ReturnNotFulfillable, NotAllocatable],
    run: ({ params, body, by }) => adjustAllocation({ ...body, ...params }, by),
  },
);

export const listBinsForSalesOrderLine = route("get /api/admin/sales-orders/:so_id/lines/:so_line_id/available-bins", {
  for: page("sales-orders"),
  summary: "The bins that hold a line's item; units that the order itself reserved count as available",
  params,
  answers: { 200: LineBins },
  errors: [...unknownSo, SoLineNotFound],
  run: async ({ params, by }) => {
    const found = await lineBins(params.so_id, params.so_line_id);
    if (!found) throw SoNotFound();
    checkWarehouse(by, found.warehouse_id);
    const { item_id } = found;
    if (item_id === null) throw SoLineNotFound();
    return { ...found, item_id };
  },
});
