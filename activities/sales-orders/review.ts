import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import type { MemoEdit, MemoEdited, ReleasedFromReview } from "../../src/sales-orders/edit-shapes.js";
import { NotInReview, SoNotFound } from "../../src/sales-orders/problems.js";
import { command } from "../command.js";
import { auditChange, changesOf } from "./changes.js";
import { lockOrder } from "./orders-with-picks.js";

const EditMemoRow = { memo: text.nullable() };

/** Changes the memo of an order in any status, for the page `fraud` (docs/interface.md, Sales orders); "" clears it. */
export function editMemo(input: MemoEdit & { so_id: number }, by: Actor): Promise<MemoEdited> {
  return command("sales-orders.memo", by, input, async (tx) => {
    const { so_id } = input;
    const order = await lockOrder(tx, so_id, by, SoNotFound);
    const before = (await tx.row(EditMemoRow, "select memo from sales_orders where so_id = $1", [so_id])) as {
      memo: string | null;
    };
    const memo = input.memo || null;
    const [change] = changesOf(before, { memo });
    if (!change) return { unchanged: true, memo };
    await tx.run("update sales_orders set memo = $2, updated_at = clock_timestamp() where so_id = $1", [so_id, memo]);
    auditChange(tx, order, "SO_HEADER_EDITED", change);
    return { so_id, memo };
  });
}

/** Releases an order from fraud review: FRAUD_REVIEW becomes OPEN. Audit SO_STATUS_CHANGED. */
export function pushToQueue(input: { so_id: number }, by: Actor): Promise<ReleasedFromReview> {
  return command("sales-orders.pushToQueue", by, input, async (tx) => {
    const order = await lockOrder(tx, input.so_id, by, SoNotFound);
    const { so_id, so_number, status } = order;
    if (status !== "FRAUD_REVIEW") throw NotInReview({ so_number, status }, { current_status: status });
    await tx.run("update sales_orders set status = 'OPEN', updated_at = clock_timestamp() where so_id = $1", [so_id]);
    const change = { field: "status", old_value: status, new_value: "OPEN" };
    auditChange(tx, order, "SO_STATUS_CHANGED", change);
    return { so_id, status: "OPEN" };
  });
}
