import * as wf from "@temporalio/workflow";
import type * as transfers from "../activities/transfers/index.js";
import type { Actor } from "../src/platform/actor.js";
import { clock, detailsText, reasonOf } from "../src/platform/temporal/details.js";
import {
  Outcome,
  type OutcomeValue,
  Stage,
  type StageValue,
  ToNumber,
} from "../src/platform/temporal/search-attributes.js";
import type { NewTransfer, TransferState, WithState } from "../src/transfers/steps.js";
import { transferAttributes, transferTitle, transferWorkflowId } from "../src/transfers/workflow.js";
import { stageOf, transferDetails, whyRefused } from "../src/transfers/workflow-texts.js";
import { attributesMissingHere, foundAtStart, setAttributes } from "./attributes.js";
import { createRows } from "./creation.js";
import { databaseActivities, isFault, isRefusal } from "./database-activities.js";
import { refusal, uninterrupted } from "./endings.js";
import { oneAtATime } from "./one-at-a-time.js";
import { changed, startWave, tellReleased, tellSuperseded } from "./wave-messages.js";

export interface TransferEnd {
  to_id: number;
  ended: "closed" | "cancelled" | "deleted" | "refused" | "repeated";
}

const {
  beginTransfer,
  resumeTransfer,
  startTransferPicking,
  submitTransfer,
  approveTransfer,
  rejectTransfer,
  shortCloseLine,
  cancelTransfer,
  deleteTransfer,
  cancelTransferByOperator,
  remindOfApproval,
} = databaseActivities<typeof transfers>({
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

/** The first update: waits until the transfer order is made. */
export const created = wf.defineUpdate<TransferState>("created");
const startPicking = wf.defineUpdate<Answer<"startTransferPicking">, [Actor]>("startPicking");
const submit = wf.defineUpdate<Answer<"submitTransfer">, [Actor]>("submit");
const approve = wf.defineUpdate<Answer<"approveTransfer">, [number, Actor]>("approve");
const approveLines = wf.defineUpdate<Answer<"approveTransfer">, [number, number[], Actor]>("approveLines");
const reject = wf.defineUpdate<Answer<"rejectTransfer">, [number, string | null, Actor]>("reject");
const shortClose = wf.defineUpdate<Answer<"shortCloseLine">, [number, Actor]>("shortClose");
const cancel = wf.defineUpdate<Answer<"cancelTransfer">, [Actor]>("cancel");
const remove = wf.defineUpdate<Answer<"deleteTransfer">, [Actor]>("remove");
/** What a step answers: what its activity does, without what the workflow needs to know. */
type Answer<Step extends keyof typeof transfers> = Omit<Awaited<ReturnType<(typeof transfers)[Step]>>, "state">;

/** How long to wait before looking at the rows again when no reminder is due: a signal may have been lost. */
const LOOK_AGAIN_MS = 12 * 3_600_000;
const REQUESTED = "cancellation was requested in the Temporal UI";

/** What is said when a transfer order has ended. */
interface Ending {
  ended: TransferEnd["ended"];
  why: string;
  next: string;
}

/**
 * A transfer order from its creation until all its lines are moved or given up (docs/interface.md, Transfer orders),
 * which may take months. The database rows hold what is reserved, picked and approved; this workflow does each step by
 * update, starts the workflow of each batch that picks it, and records reminders while an approval is open for long.
 * When somebody asks for its cancellation in the Temporal UI, it is cancelled where nothing was approved yet; else it
 * stays, and says why.
 * @param toId The transfer order's id, taken beforehand.
 * @param by Who started it.
 * @param request What to transfer; absent when the workflow of an existing transfer order is started again.
 * @param attributesSet Whether the start has set the search attributes; absent when it goes on from its rows, and in
 * starts by older versions.
 */
export function transferOrder(
  toId: number,
  by: Actor,
  request?: NewTransfer,
  attributesSet?: boolean,
): Promise<TransferEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => transfer(toId, by, request, attributesSet, () => scope.consideredCancelled));
}

async function transfer(
  toId: number,
  by: Actor,
  request: NewTransfer | undefined,
  attributesSet: boolean | undefined,
  cancelled: () => boolean,
): Promise<TransferEnd> {
  const { runId } = wf.workflowInfo();
  const atStart = attributesSet === undefined ? foundAtStart() : undefined;
  let missing: string[] | undefined;
  let stage = attributesSet ? "to pick" : atStart?.get(Stage);
  let state: TransferState | undefined;
  let remindAt: number | null = null;
  /** What wakes the workflow: a step was done, or its rows are to be read again. */
  let woken = false;
  let stale = false;
  /** Its cancellation was requested in the Temporal UI, and could not be done. */
  let mayNotCancel = false;
  let ending: Ending | undefined;

  const creation = createRows(created, () => (request ? beginTransfer(request, by) : resumeTransfer(toId)));
  const exclusively = oneAtATime(creation);
  wf.setHandler(startPicking, (who) =>
    exclusively(async () => {
      const { state: now, ...answer } = await startTransferPicking(toId, who);
      const { batch_id, batch_number, tasks_created, superseded } = answer;
      for (const earlier of superseded) await tellSuperseded(earlier, batch_id);
      // The batch of a repeated request may have ended long ago.
      if (learn(now, `${who.username} began to pick at ${tasks_created} place(s)`))
        await startWave(batch_id, `${batch_number}: ${transferTitle(now)}, picked by ${who.username}`, who);
      return answer;
    }),
  );
  wf.setHandler(submit, (who) => step(() => submitTransfer(toId, who)));
  wf.setHandler(approve, (to_approval_id, who) =>
    step(
      () => approveTransfer({ to_id: toId, to_approval_id }, who),
      () => `${who.username} approved ${to_approval_id}`,
    ),
  );
  wf.setHandler(approveLines, (to_approval_id, to_line_ids, who) =>
    step(
      () => approveTransfer({ to_id: toId, to_approval_id, to_line_ids }, who),
      ({ line_count }) => `${who.username} approved ${line_count} line(s) of ${to_approval_id}`,
    ),
  );
  wf.setHandler(reject, (to_approval_id, rejection_reason, who) =>
    step(
      () => rejectTransfer({ to_id: toId, to_approval_id, rejection_reason }, who),
      () => `${who.username} rejected ${to_approval_id}${rejection_reason ? `: ${rejection_reason}` : ""}`,
    ),
  );
  wf.setHandler(shortClose, (to_line_id, who) =>
    step(
      () => shortCloseLine({ to_id: toId, to_line_id }, who),
      ({ released_qty }) => `${who.username} closed a line short, ${released_qty} unit(s) were released`,
    ),
  );
  wf.setHandler(cancel, (who) =>
    step(
      () => cancelTransfer(toId, who),
      () => `cancelled by ${who.username}`,
    ),
  );
  wf.setHandler(remove, (who) =>
    exclusively(async () => {
      const answer = await deleteTransfer(toId, who);
      const because = `deleted by ${who.username}`;
      if (state?.picking) await tellReleased(state.picking.batch_id, because);
      ending = { ended: "deleted", why: because, next: ENDS.deleted };
      return answer;
    }),
  );
  wf.setHandler(changed, () => {
    stale = true;
  });

  const { rows, error } = await creation;
  if (!rows) {
    missing = await exclusively(attributesMissingHere);
    if (isFault(error)) {
      await wf.condition(wf.allHandlersFinished);
      throw error;
    }
    const next = "nothing was changed: what the reason names is put right, and the transfer order is made again";
    return end({ ended: "refused", why: whyRefused(error), next });
  }
  missing = rows.missing_attributes;
  if (rows.to_id !== toId) {
    const before = transferWorkflowId(rows.to_id);
    return end({ ended: "repeated", why: `the same request had made ${rows.to_number} before`, next: `see ${before}` });
  }
  describe(rows);
  learn(rows);

  for (let look = 1; !ending; look++) {
    woken = false;
    const due = remindAt ?? Date.now() + LOOK_AGAIN_MS;
    const what = remindAt === null ? "Looks at the rows again" : "Records a reminder of what is still to approve";
    const wakes = () => ending !== undefined || woken || stale || toCancel() || mustContinue();
    const inTime = await wf.condition(wakes, Math.max(1_000, due - Date.now()), {
      summary: `${what} at ${clock(due)}`,
    });
    if (ending) break;
    if (toCancel()) await cancelForOperator();
    else if (stale) await readAgain();
    else if (!inTime) await remind(`${runId}:remind:${look}`);
    else if (mustContinue()) return wf.continueAsNew<typeof transferOrder>(toId, by);
  }
  return end(ending);

  /** Does a step. If it ended the order's pick batch, the workflow of that batch is told that it was released. */
  function step<T>(
    run: () => Promise<WithState<T>>,
    because?: (answer: Omit<WithState<T>, "state">, now: TransferState) => string | undefined,
  ) {
    return exclusively(async () => {
      const before = state?.picking;
      const { state: now, ...answer } = await run();
      const why = because?.(answer, now);
      learn(now, why);
      if (before && before.batch_id !== state?.picking?.batch_id) await tellReleased(before.batch_id, why ?? "");
      return answer;
    });
  }

  function toCancel(): boolean {
    return cancelled() && !mayNotCancel;
  }

  async function cancelForOperator(): Promise<void> {
    await wf.condition(wf.allHandlersFinished);
    if (ending) return;
    mayNotCancel = true;
    await step(
      () => cancelTransferByOperator(toId, `${runId}:cancel`),
      ({ refused }, { status }) => {
        if (status === "CLOSED") return undefined;
        return refused ? `${REQUESTED}, which is not possible any more: ${refused}` : REQUESTED;
      },
    );
  }

  async function readAgain(): Promise<void> {
    stale = false;
    const now = await look(() => resumeTransfer(toId));
    if (now) learn(now);
  }

  async function remind(commandId: string): Promise<void> {
    const found = await look(() => remindOfApproval(toId, commandId));
    if (!found) return;
    const { reminded, state: now } = found;
    learn(now, reminded > 0 ? `${reminded} approval(s) are open for long: a reminder was recorded` : undefined);
  }

  /** Asks the rows; when they are gone, somebody deleted them while this workflow was lost. */
  async function look<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await exclusively(ask);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      ending ??= { ended: "deleted", why: reasonOf(error), next: ENDS.deleted };
      return undefined;
    }
  }

  /**
   * Takes over a newer state of the rows and shows it. Gives false for an older one, which is the recorded answer of a
   * repeated request.
   */
  function learn(now: TransferState, because?: string): boolean {
    if (state && now.as_of < state.as_of) return false;
    state = now;
    woken = true;
    remindAt = now.reminder_ms === null ? null : Date.now() + now.reminder_ms;
    const ended = now.status === "CLOSED" ? "closed" : now.status === "CANCELLED" ? "cancelled" : undefined;
    if (ended) {
      ending ??= { ended, why: because ?? "its rows say so", next: ENDS[ended] };
      return true;
    }
    note(stageOf(now));
    wf.setCurrentDetails(detailsText(transferDetails(now, because, remindAt)));
    return true;
  }

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async function end(how: Ending): Promise<TransferEnd> {
    await wf.condition(wf.allHandlersFinished);
    const { ended, why, next } = ending ?? how;
    const title = state ? transferTitle(state) : `Transfer order ${toId}`;
    wf.setCurrentDetails(detailsText({ where: `${title} has ended: ${ended}`, why, next }));
    note("ended", ended);
    if (ended === "refused" && request) throw refusal(why);
    if (cancelled() && ended === "cancelled") throw new wf.CancelledFailure(why);
    return { to_id: toId, ended };
  }

  /** Sets the search attributes for the Temporal UI. Some were set at the start. */
  function describe(rows: TransferState): void {
    if (atStart?.get(ToNumber) !== rows.to_number) setAttributes(transferAttributes(rows), missing);
  }

  function note(next: StageValue, outcome?: OutcomeValue): void {
    if (stage === next) return;
    stage = next;
    const ended = outcome ? [{ key: Outcome, value: outcome }] : [];
    setAttributes([{ key: Stage, value: next }, ...ended], missing);
  }
}

/** What became of the stock. */
const ENDS = {
  closed: "nothing here: what was approved is in the other warehouse, and nothing is reserved any more",
  cancelled: "nothing here: what was reserved is free again",
  deleted: "nothing here: what was reserved is free again",
};

/** Whether to continue as new, from the rows: the history is long, and no update is running (it would be lost). */
const mustContinue = () => wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();
