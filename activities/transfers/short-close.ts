import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { LineNotClosable, TransferLineNotFound } from "../../src/transfers/problems.js";
import type { LineShortClosed } from "../../src/transfers/shapes.js";
import type { WithState } from "../../src/transfers/steps.js";
import { command } from "../command.js";
import { lockWithWalk } from "../stock/transfer-lock.js";
import { settle } from "../stock/transfer-status.js";
import { releaseHeld } from "./release.js";
import { transferState } from "./state.js";

const CLOSABLE = ["PENDING", "PARTIALLY_PICKED", "PICKED"];

/**
 * Gives up the units of a line that are not approved (docs/interface.md, Transfer orders): they are free again at the
 * source, open tasks are SKIPPED, and pending approvals lose them. What was picked goes back to its shelf. The last
 * live line closes the order, also when nothing was ever approved. Audit TO_LINE_SHORT_CLOSED, TO_CLOSED.
 *
 * Refusals: 409 `invalid_line_status_for_short_close`.
 */
export function shortCloseLine(
  input: { to_id: number; to_line_id: number },
  by: Actor,
): Promise<WithState<LineShortClosed>> {
  return command("transfers.shortClose", by, input, async (tx) => {
    const { to_id, to_line_id } = input;
    const { transfer } = await lockWithWalk(tx, to_id, "source", by);
    const line = await tx.row(
      { status: text, line_number: int, item_id: int, picked: int },
      `select status, line_number, item_id, picked_qty - approved_qty as picked from transfer_order_lines
       where to_line_id = $1 and to_id = $2`,
      [to_line_id, to_id],
    );
    if (!line) throw TransferLineNotFound();
    const ended = transfer.status === "CANCELLED" || transfer.status === "CLOSED";
    if (ended || !CLOSABLE.includes(line.status)) {
      const detail = ended
        ? `The order is ${transfer.status}`
        : `A line that is ${line.status} holds nothing to release`;
      throw LineNotClosable({}, { current_status: line.status, detail });
    }
    const released_qty = await releaseHeld(tx, to_id, to_line_id);
    await tx.run(
      `with tasks as (
         update pick_tasks set status = 'SKIPPED' where to_line_id = $1 and status = 'PENDING'
       ), snapshots as (
         delete from to_approval_lines x using transfer_order_approvals a
         where x.to_line_id = $1 and a.to_approval_id = x.to_approval_id and a.status = 'PENDING'
       )
       update transfer_order_lines set status = 'SHORT_CLOSED' where to_line_id = $1`,
      [to_line_id],
    );
    tx.audit({
      action: "TO_LINE_SHORT_CLOSED",
      entity: "TO_LINE",
      entityId: to_line_id,
      warehouseId: transfer.source_warehouse_id,
      details: {
        to_id,
        to_number: transfer.to_number,
        line_number: line.line_number,
        item_id: line.item_id,
        from_status: line.status,
        released_qty,
        picked_qty_released: line.picked,
      },
    });
    await settle(tx, transfer);
    return { to_line_id, status: "SHORT_CLOSED", released_qty, state: await transferState(tx, to_id) };
  });
}
