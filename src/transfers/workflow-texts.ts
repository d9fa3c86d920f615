/** What the Temporal UI says of a transfer order. Pure functions: its workflow imports them. */

import { waveWorkflowId } from "../picking/wave.js";
import { clock, type Details, innermost, reasonOf } from "../platform/temporal/details.js";
import type { StageValue } from "../platform/temporal/search-attributes.js";
import type { OpenApproval, TransferState } from "./steps.js";
import { transferTitle } from "./workflow.js";

/** How many open approvals are named; there is seldom more than one. */
const SHOWN_APPROVALS = 5;

/** Where a transfer order is. What waits for a decision is shown first: everything else can go on meanwhile. */
export function stageOf(state: TransferState): StageValue {
  if (state.approvals.length > 0) return "to approve";
  if (state.picking) return "picking";
  return state.units_picked > state.units_approved ? "to submit" : "to pick";
}

/**
 * Where, why, and what comes next.
 * @param why What the last step said; without one, what the rows say.
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

/** Why a transfer order was not made; of an import with the first few of its rows: `row 3: unknown sku MUG`. */
export function whyRefused(error: unknown): string {
  const [, , body] = (innermost(error) as { details?: unknown[] }).details ?? [];
  const { rows } = (body ?? {}) as { rows?: { row_index: number; error_kind: string; sku?: string }[] };
  if (!rows) return reasonOf(error);
  const faults = rows.map(({ row_index, error_kind, sku }) =>
    [`row ${row_index}: ${error_kind.replaceAll("_", " ")}`, ...(sku ? [sku] : [])].join(" "),
  );
  return `${reasonOf(error)}: ${faults.slice(0, 10).join("; ")}${faults.length > 10 ? "; …" : ""}`;
}
