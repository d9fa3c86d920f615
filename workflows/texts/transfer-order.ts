/** The texts of a transfer order in the Temporal UI. */

import { waveWorkflowId } from "../../src/picking/wave.js";
import { clock, type Details, innermost, reasonOf } from "../../src/platform/temporal/details.js";
import type { StageValue } from "../../src/platform/temporal/search-attributes.js";
import type { OpenApproval, TransferState } from "../../src/transfers/steps.js";
import { transferTitle, transferWorkflowId } from "../../src/transfers/workflow.js";
import type { Ending, Timer } from "../process.js";

export type TransferEnded = "closed" | "cancelled" | "deleted" | "refused" | "repeated";
type TransferEnding = Ending<TransferEnded>;

/** How long to wait before looking at the rows again when no reminder is due: a signal may have been lost. */
const LOOK_AGAIN_MS = 12 * 3_600_000;
const REQUESTED = "cancellation was requested in the Temporal UI";

/** What happened to the stock. */
const NEXT = {
  closed: "nothing here: what was approved is in the other warehouse, and nothing is reserved any more",
  cancelled: "nothing here: what was reserved is free again",
  deleted: "nothing here: what was reserved is free again",
};

/** How many open approvals are named; there is seldom more than one. */
const SHOWN_APPROVALS = 5;

/** The stage of a transfer order. A pending decision is shown first: everything else can continue meanwhile. */
export function stageOf(state: TransferState): StageValue {
  if (state.approvals.length > 0) return "to approve";
  if (state.picking) return "picking";
  return state.units_picked > state.units_approved ? "to submit" : "to pick";
}

/**
 * Position, reason and next step.
 * @param why The text of the last step; without one, what the rows say.
 * @param remindAt When the next reminder is written, on the workflow's clock; null = never.
 */
export function transferDetails(state: TransferState, why: string | undefined, remindAt: number | null): Details {
  const { lines_total, lines_done, units_committed, units_picked, units_approved, approvals, created_by } = state;
  const submitted = approvals.reduce((sum, { units }) => sum + units, 0);
  const units = `${units_picked} of ${units_committed} reserved unit(s) picked, ${submitted} to approve`;
  const lines = `${lines_total - lines_done} of ${lines_total} line(s) open`;
  const reasons = [...(why ? [why] : []), ...shown(approvals).map(submission)];
  return {
    where: `${transferTitle(state)}: ${lines}; ${units}, ${units_approved} moved`,
    why: reasons.join("; ") || `${created_by} asked for it`,
    next: nextOf(state, remindAt),
  };
}

const shown = (approvals: OpenApproval[]) => approvals.slice(0, SHOWN_APPROVALS);

const submission = ({ to_approval_id, submitted_by, submitted_at, units }: OpenApproval): string =>
  `${submitted_by} submitted ${units} unit(s) at ${clock(Date.parse(submitted_at))} (approval ${to_approval_id})`;

function nextOf(state: TransferState, remindAt: number | null): string {
  const { approvals, picking, destination_warehouse_code } = state;
  switch (stageOf(state)) {
    case "to approve": {
      const ids = shown(approvals).map(({ to_approval_id }) => to_approval_id);
      const more = approvals.length > ids.length ? ", …" : "";
      const reminder = remindAt === null ? "no reminder is recorded" : `a reminder is recorded at ${clock(remindAt)}`;
      const who = `somebody of ${destination_warehouse_code}`;
      return `${who} approves or rejects approval ${ids.join(", ")}${more}; there is no time limit, and ${reminder}`;
    }
    case "picking":
      return picking
        ? `${picking.assigned_to} picks ${picking.batch_number}, see ${waveWorkflowId(picking.batch_id)}`
        : "";
    case "to submit":
      return "what is picked is submitted for approval, or picking is started for the rest; there is no time limit";
    default:
      return state.lines_done === state.lines_total
        ? "it holds nothing to pick: somebody cancels or deletes it; there is no time limit"
        : "somebody starts picking; there is no time limit";
  }
}

/** Why a transfer order was not created; for an import with the first few of its rows: `row 3: unknown sku MUG`. */
function whyRefused(error: unknown): string {
  const [, , body] = (innermost(error) as { details?: unknown[] }).details ?? [];
  const { rows } = (body ?? {}) as { rows?: { row_index: number; error_kind: string; sku?: string }[] };
  if (!rows) return reasonOf(error);
  const faults = rows.map(({ row_index, error_kind, sku }) =>
    [`row ${row_index}: ${error_kind.replaceAll("_", " ")}`, ...(sku ? [sku] : [])].join(" "),
  );
  return `${reasonOf(error)}: ${faults.slice(0, 10).join("; ")}${faults.length > 10 ? "; …" : ""}`;
}

/** @param remindAt When the next reminder is written, on the workflow's clock; null = never. */
export function nextLook(remindAt: number | null): Timer {
  const due = remindAt ?? Date.now() + LOOK_AGAIN_MS;
  const what = remindAt === null ? "Looks at the rows again" : "Records a reminder of what is still to approve";
  return { ms: Math.max(1_000, due - Date.now()), summary: `${what} at ${clock(due)}` };
}

/** The text of the workflow of a batch. */
export const walkSummary = (batchNumber: string, state: TransferState, picker: string): string =>
  `${batchNumber}: ${transferTitle(state)}, picked by ${picker}`;

export const picks = (by: string, tasks: number): string => `${by} began to pick at ${tasks} place(s)`;

export const approved = (by: string, approval: number): string => `${by} approved ${approval}`;

export const approvedLines = (by: string, approval: number, lines: number): string =>
  `${by} approved ${lines} line(s) of ${approval}`;

export const rejected = (by: string, approval: number, reason: string | null): string =>
  `${by} rejected ${approval}${reason ? `: ${reason}` : ""}`;

export const closedShort = (by: string, units: number): string =>
  `${by} closed a line short, ${units} unit(s) were released`;

export const cancelledBy = (by: string): string => `cancelled by ${by}`;

export const deletedBy = (by: string): string => `deleted by ${by}`;

export const reminded = (approvals: number): string | undefined =>
  approvals > 0 ? `${approvals} approval(s) are open for long: a reminder was recorded` : undefined;

/** The result of a cancellation that was requested in the Temporal UI; undefined when the order had closed before. */
export const asRequested = ({ refused }: { refused: string | null }, { status }: TransferState): string | undefined =>
  status === "CLOSED" ? undefined : refused ? `${REQUESTED}, which is not possible any more: ${refused}` : REQUESTED;

/** How it has ended, by its rows; undefined when it continues. */
export function endOf({ status }: TransferState, because: string | undefined): TransferEnding | undefined {
  const ended = status === "CLOSED" ? "closed" : status === "CANCELLED" ? "cancelled" : undefined;
  return ended && { ended, why: because ?? "its rows say so", next: NEXT[ended] };
}

export const deleted = (why: string): TransferEnding => ({ ended: "deleted", why, next: NEXT.deleted });

export const repeated = ({ to_id, to_number }: TransferState): TransferEnding => ({
  ended: "repeated",
  why: `the same request had made ${to_number} before`,
  next: `see ${transferWorkflowId(to_id)}`,
});

export const refused = (error: unknown): TransferEnding => ({
  ended: "refused",
  why: whyRefused(error),
  next: "nothing was changed: what the reason names is put right, and the transfer order is made again",
});
