/** The texts of an approval in the Temporal UI. */

import type { ApprovalState } from "../../src/agents/workflow.js";
import { clock, type Details, reasonOf } from "../../src/platform/temporal/details.js";
import type { Ending, Timer } from "../process.js";

export type ApprovalEnded = "completed" | "rejected" | "expired" | "failed" | "refused";
type ApprovalEnding = Ending<ApprovalEnded>;

export const STAYS = "it is about to run: somebody approved it";

export const titleOf = ({ approval_id, operation, agent, username }: ApprovalState): string =>
  `Approval ${approval_id} of ${operation}, which ${agent} asks for ${username}`;

/** @param stays Why it could not be cancelled, where that was requested in the Temporal UI. */
export function waits(state: ApprovalState, expiresAt: number, stays: string | undefined): Details {
  const asked = stays ? `. Cancellation was requested in the Temporal UI and refused: ${stays}` : "";
  if (state.status === "APPROVED")
    return {
      where: `${titleOf(state)}: it is run`,
      why: `${state.decided_by} approved it${asked}`,
      next: "its answer is kept for the agent",
    };
  return {
    where: `${titleOf(state)}: it waits for a person`,
    why: `agents do not write unasked: setting agent_writes${asked}`,
    next: `somebody who may call ${state.operation} approves or rejects it by ${clock(expiresAt)}, else it expires`,
  };
}

export const untilExpiry = (expiresAt: number): Timer => ({
  ms: Math.max(1_000, expiresAt - Date.now()),
  summary: `Expires at ${clock(expiresAt)}`,
});

const NOTHING_DONE = "nothing was changed; the agent may ask again, under another key";

/** How it has ended, by its row; undefined while it has not. */
export function ending({
  status,
  decided_by,
  reason,
  operation,
  http_status,
}: ApprovalState): ApprovalEnding | undefined {
  switch (status) {
    case "DONE":
      return { ended: "completed", why: `${decided_by} approved it, and it ran`, next: "nothing" };
    case "FAILED":
      return {
        ended: "failed",
        why: `${operation} was refused with status ${http_status} although ${decided_by} approved it`,
        next: NOTHING_DONE,
        failure: ["ApprovedCallRefused", "It was approved"],
      };
    case "REJECTED":
      return { ended: "rejected", why: `${decided_by} rejected it${reason ? `: ${reason}` : ""}`, next: NOTHING_DONE };
    case "EXPIRED":
      return { ended: "expired", why: "nobody decided in time", next: NOTHING_DONE };
    default:
      return undefined;
  }
}

export const refused = (error: unknown): ApprovalEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: the request was refused",
});
