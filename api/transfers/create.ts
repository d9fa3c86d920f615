import { createTransfer } from "../../activities/transfers/index.js";
import { ItemNotFound } from "../../src/master-data/items/problems.js";
import { WarehouseDenied } from "../../src/problem.js";
import { RowErrors, SameWarehouse, UnknownWarehouse } from "../../src/transfers/problems.js";
import { takeTransferId } from "../../src/transfers/queries.js";
import { NewTransferOrder, TransferCreated, TransferImport } from "../../src/transfers/shapes.js";
import { page, recordsLimit, route } from "../http/route.js";

/** Creating transfer orders: spec 4.6, reference 07 §3. */

export const createTransferOrder = route("post /api/admin/transfer-orders", {
  for: page("transfer-orders"),
  summary: "Creates a transfer order: what is free at the source is held for it",
  body: NewTransferOrder,
  bodyLimit: recordsLimit,
  answers: { 201: TransferCreated },
  errors: [UnknownWarehouse, WarehouseDenied, SameWarehouse, ItemNotFound],
  run: async ({ body, by }) => {
    const { state: _, ...made } = await createTransfer({ kind: "create", to_id: await takeTransferId(), ...body }, by);
    return made;
  },
});

export const importTransferOrder = route("post /api/admin/transfer-orders/import", {
  for: page("transfer-orders"),
  summary: "Creates a transfer order by codes and SKUs; a row that is wrong refuses all, and the answer names each",
  body: TransferImport,
  bodyLimit: recordsLimit,
  answers: { 201: TransferCreated },
  errors: [UnknownWarehouse, WarehouseDenied, SameWarehouse, RowErrors],
  run: async ({ body, by }) => {
    const { state: _, ...made } = await createTransfer({ kind: "import", to_id: await takeTransferId(), ...body }, by);
    return made;
  },
});
