import type { Actor } from "../../src/platform/actor.js";
import type { TransferOrderStatus } from "../../src/platform/states.js";
import { NothingPicked, NotSubmittable } from "../../src/transfers/problems.js";
import type { TransferSubmitted } from "../../src/transfers/shapes.js";
import type { WithState } from "../../src/transfers/steps.js";
import { command } from "../command.js";
import { submitPicked } from "../picking/submit-transfer-picks.js";
import { lockTransfer } from "../stock/transfer-lock.js";
import { transferState } from "./state.js";

/**
 * Submits the picks of a transfer order that are in no pending approval, so that no unit is submitted twice
 * (docs/interface.md, Transfer orders). Picks of a rejected approval are submitted again. Audit TO_SUBMITTED.
 *
 * Refusals: 409 `invalid_status_for_submit`, 422 `nothing_picked`.
 */
export function submitTransfer(toId: number, by: Actor): Promise<WithState<TransferSubmitted>> {
  return command("transfers.submit", by, { toId }, async (tx) => {
    const transfer = await lockTransfer(tx, toId, "either", by);
    const { status } = transfer;
    if (!SUBMITTABLE.includes(status)) throw NotSubmittable({}, { current_status: status });
    const submitted = await submitPicked(tx, transfer, by);
    if (!submitted) throw NothingPicked();
    return { ...submitted, state: await transferState(tx, toId) };
  });
}

const SUBMITTABLE: TransferOrderStatus[] = ["PARTIALLY_PICKED", "AWAITING_APPROVAL"];
