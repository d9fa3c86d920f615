import { z } from "zod";
import { type Actor, mayUseWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { TransferNotFound, unknownTransfer } from "../../src/transfers/problems.js";
import { transferOrder, transferOrders } from "../../src/transfers/queries.js";
import { PickerTransfer, TransferDetail, TransferFilters, TransferOrder } from "../../src/transfers/shapes.js";
import { page, route, signedIn } from "../http/route.js";

/** Reading transfer orders: for users of the source and of the destination. */

const TransferPath = z.strictObject({ to_id: field.ToIdParam });

export const listTransferOrders = route("get /api/admin/transfer-orders", {
  for: page("transfer-orders"),
  summary: "Transfer orders, newest first",
  query: TransferFilters,
  answers: { 200: paged("transfer_orders", TransferOrder, "The transfer orders, newest first.") },
  run: ({ query, by }) =>
    transferOrders(query, shownWarehouses(by, query.source_warehouse_id ?? query.destination_warehouse_id)),
});

export const getTransferOrder = route("get /api/admin/transfer-orders/:to_id", {
  for: page("transfer-orders"),
  summary: "A transfer order with its lines, approvals and walks",
  params: TransferPath,
  answers: { 200: TransferDetail },
  errors: unknownTransfer,
  run: ({ params, by }) => checkedOrder(params.to_id, by),
});

export const getTransferOrderToPick = route("get /api/admin/picker/transfer-orders/:to_id", {
  for: signedIn,
  summary: "A transfer order with its lines, for its picker",
  params: TransferPath,
  answers: { 200: PickerTransfer },
  errors: unknownTransfer,
  run: async ({ params, by }) => {
    const { transfer_order, lines } = await checkedOrder(params.to_id, by);
    return { transfer_order, lines };
  },
});

async function checkedOrder(toId: number, by: Actor): Promise<TransferDetail> {
  const found = await transferOrder(toId);
  if (!found) throw TransferNotFound();
  const { source_warehouse_id, destination_warehouse_id } = found.transfer_order;
  if (![source_warehouse_id, destination_warehouse_id].some((id) => mayUseWarehouse(by, id))) throw WarehouseDenied();
  return found;
}
