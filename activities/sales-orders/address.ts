import type { Actor } from "../../src/platform/actor.js";
import { each, text } from "../../src/platform/db/columns.js";
import type { RowOf } from "../../src/platform/db/shape.js";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import type { AddressEdit, AddressEdited } from "../../src/sales-orders/edit-shapes.js";
import { EditForbidden, SoNotFound } from "../../src/sales-orders/problems.js";
import { command } from "../command.js";
import { applyEdit, auditChange, changesOf, newValues } from "./changes.js";
import { lockOrder } from "./orders-with-picks.js";

const Address = each(addressColumns, text.nullable());

/**
 * Corrects an order's addresses: an ADMIN in any status, others while it is OPEN (docs/interface.md, Sales orders).
 * Audit SO_ADDRESS_EDITED.
 */
export function editAddress({ so_id, ...sent }: AddressEdit & { so_id: number }, by: Actor): Promise<AddressEdited> {
  return command("sales-orders.address", by, { so_id, ...sent }, async (tx) => {
    const order = await lockOrder(tx, so_id, by, SoNotFound);
    const { so_number, status } = order;
    if (by.role !== "ADMIN" && status !== "OPEN")
      throw EditForbidden({ so_number, status }, { current_status: status });
    const before = (await tx.row(Address, `select ${addressColumns} from sales_orders where so_id = $1`, [
      so_id,
    ])) as RowOf<typeof Address>;
    const changes = changesOf(before, applyEdit(before, sent));
    if (changes.length === 0) return { unchanged: true };
    await tx.run(
      `update sales_orders so
       set (${addressColumns}) = (select ${addressColumns} from jsonb_populate_record(so, $2)),
           updated_at = clock_timestamp()
       where so_id = $1`,
      [so_id, newValues(changes)],
    );
    for (const change of changes) auditChange(tx, order, "SO_ADDRESS_EDITED", change);
    return { so_id, edited_fields: changes.map((change) => change.field) };
  });
}
