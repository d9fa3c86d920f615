import * as wf from "@temporalio/workflow";
import type * as transfers from "../activities/transfers/index.js";
import type { Actor } from "../src/platform/actor.js";
import type { NewTransfer, TransferState } from "../src/transfers/steps.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Transfer } from "./managers/transfer.js";
import * as texts from "./texts/transfer-order.js";
import { changed } from "./wave-messages.js";

export interface TransferEnd {
  to_id: number;
  ended: texts.TransferEnded;
}

const act = databaseActivities<typeof transfers>({
  beginTransfer: "Makes the transfer order and reserves its stock",
  resumeTransfer: "Reads the transfer order from its rows",
  startTransferPicking: "Makes the batch that picks it",
  submitTransfer: "Submits what is picked for approval",
  approveTransfer: "Approves: the stock moves to the other warehouse",
  rejectTransfer: "Rejects: what is picked can be submitted again",
  shortCloseLine: "Closes a line short, and releases what it reserved",
  cancelTransfer: "Cancels the transfer order, and releases its stock",
  deleteTransfer: "Deletes the transfer order, and releases its stock",
  cancelTransferByOperator: "Cancels the transfer order for the Temporal UI, and releases its stock",
  remindOfApproval: "Looks which approvals are open, and records a reminder of those that are overdue",
});

/** The first update: waits until the transfer order is created. */
export const created = wf.defineUpdate<TransferState>("created");
const startPicking = wf.defineUpdate<Answer<"startTransferPicking">, [Actor]>("startPicking");
const submit = wf.defineUpdate<Answer<"submitTransfer">, [Actor]>("submit");
const approve = wf.defineUpdate<Answer<"approveTransfer">, [number, Actor]>("approve");
const approveLines = wf.defineUpdate<Answer<"approveTransfer">, [number, number[], Actor]>("approveLines");
const reject = wf.defineUpdate<Answer<"rejectTransfer">, [number, string | null, Actor]>("reject");
const shortClose = wf.defineUpdate<Answer<"shortCloseLine">, [number, Actor]>("shortClose");
const cancel = wf.defineUpdate<Answer<"cancelTransfer">, [Actor]>("cancel");
const remove = wf.defineUpdate<Answer<"deleteTransfer">, [Actor]>("remove");
/** The answer of a step: that of its activity, without the part that only the workflow needs. */
type Answer<Step extends keyof typeof transfers> = Omit<Awaited<ReturnType<(typeof transfers)[Step]>>, "state">;

/**
 * A transfer order from its creation until all its lines are moved or given up (docs/interface.md, Transfer orders),
 * which may take months; its id is `transfer-order-<to_id>`. The database rows say what is reserved, picked and
 * approved; this workflow does each step by update, starts the workflow of each batch that picks it, and records
 * reminders while an approval is open for long. When its cancellation is requested in the Temporal UI, it is cancelled
 * where nothing was approved yet; else it stays, and says why.
 * @param toId The transfer order's id, reserved beforehand.
 * @param by Who started it.
 * @param request What to transfer; absent when the workflow of an existing transfer order is started again.
 * @param attributesSet Whether the search attributes were set at the start; a workflow that continues from its rows has
 * none.
 */
export function transferOrder(
  toId: number,
  by: Actor,
  request?: NewTransfer,
  attributesSet: boolean = request !== undefined,
): Promise<TransferEnd> {
  return uninterrupted(async () => {
    const order = new Transfer(toId, request !== undefined, attributesSet);
    doSteps(order, toId);
    wf.setHandler(changed, order.markStale);

    await order.begin(created, () => (request ? act.beginTransfer(request, by) : act.resumeTransfer(toId)));

    for (let look = 1; !order.ending; look++) {
      const news = await order.wait(order.nextLook());
      if (order.ending) break;
      if (order.mayCancel)
        await order.cancel(() =>
          order.changeNow(() => act.cancelTransferByOperator(toId, order.commandId("cancel")), texts.asRequested),
        );
      else if (order.stale) await order.readAgain(() => act.resumeTransfer(toId));
      else if (!news) {
        const found = await order.look(() => act.remindOfApproval(toId, order.commandId(`remind:${look}`)));
        if (found) order.learn(found.state, texts.reminded(found.reminded));
      } else if (order.isLong) return wf.continueAsNew<typeof transferOrder>(toId, by);
    }
    return { to_id: toId, ended: await order.end() };
  });
}

/** What people do to it. */
function doSteps(order: Transfer, to_id: number): void {
  wf.setHandler(startPicking, (who) => order.pick(() => act.startTransferPicking(to_id, who), who));
  wf.setHandler(submit, (who) => order.change(() => act.submitTransfer(to_id, who)));
  wf.setHandler(approve, (to_approval_id, who) =>
    order.change(
      () => act.approveTransfer({ to_id, to_approval_id }, who),
      texts.approved(who.username, to_approval_id),
    ),
  );
  wf.setHandler(approveLines, (to_approval_id, to_line_ids, who) =>
    order.change(
      () => act.approveTransfer({ to_id, to_approval_id, to_line_ids }, who),
      ({ line_count }) => texts.approvedLines(who.username, to_approval_id, line_count),
    ),
  );
  wf.setHandler(reject, (to_approval_id, rejection_reason, who) =>
    order.change(
      () => act.rejectTransfer({ to_id, to_approval_id, rejection_reason }, who),
      texts.rejected(who.username, to_approval_id, rejection_reason),
    ),
  );
  wf.setHandler(shortClose, (to_line_id, who) =>
    order.change(
      () => act.shortCloseLine({ to_id, to_line_id }, who),
      ({ released_qty }) => texts.closedShort(who.username, released_qty),
    ),
  );
  wf.setHandler(cancel, (who) => order.change(() => act.cancelTransfer(to_id, who), texts.cancelledBy(who.username)));
  wf.setHandler(remove, (who) => order.delete(() => act.deleteTransfer(to_id, who), who));
}
