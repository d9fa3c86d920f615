/** The texts of a sandbox in the Temporal UI. */

import { clock, type Details, reasonOf } from "../../src/platform/temporal/details.js";
import type { StageValue } from "../../src/platform/temporal/search-attributes.js";
import type { SandboxState } from "../../src/sandboxes/workflow.js";
import type { Ending, Timer } from "../process.js";

export type SandboxEnded = "stopped" | "expired" | "refused" | "repeated";
type SandboxEnding = Ending<SandboxEnded>;

export const titleOf = ({ sandbox_id, connector_id }: SandboxState) =>
  `Sandbox ${sandbox_id} of ${connector_id ?? "a partner that is deleted"}`;

export function stageOf({ is_filled, goes }: SandboxState): StageValue {
  if (!is_filled) return "filling";
  return goes === "on" ? "moving" : "resting";
}

const WHAT_NEXT: Record<SandboxState["goes"], string> = {
  on: "Does what comes next",
  unused: "Looks whether somebody uses it",
  full: "Looks whether somebody has ended it",
};

export const next = ({ goes, next_ms }: SandboxState): Timer => ({
  ms: next_ms,
  summary: `${WHAT_NEXT[goes]} at ${clock(Date.now() + next_ms)}`,
});

const WHY: Record<SandboxState["goes"], string> = {
  on: "somebody looks at it, moves it, or uses its token",
  unused: "nobody looks at it, moves it, or uses its token",
  full: "it has had as many orders as a sandbox may have",
};

export function goesOn(state: SandboxState, timer: Timer): Details {
  const { is_filled, goes, orders, moves, last_move, ends_in_ms } = state;
  if (!is_filled)
    return { where: `${titleOf(state)}: it is filled`, why: "it was begun", next: "it gets bins, items and stock" };
  return {
    where: `${titleOf(state)}: ${orders} order(s), ${moves} move(s)${last_move ? `, the last: ${last_move}` : ""}`,
    why: WHY[goes],
    next: `${timer.summary}. It ends at ${clock(Date.now() + ends_in_ms)}, if nobody uses it until then`,
  };
}

/** How it has ended, by its row; undefined while it has not. */
export function ending({ ended_by }: SandboxState, stays: string | null): SandboxEnding | undefined {
  if (ended_by === null) return undefined;
  const removed = stays === null ? "its warehouse was removed with all that was in it" : `what stays: ${stays}`;
  return ended_by === "system"
    ? { ended: "expired", why: "nobody used it, or its end was requested in the Temporal UI", next: removed }
    : { ended: "stopped", why: `${ended_by} ended it`, next: removed };
}

export const refused = (error: unknown): SandboxEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: the request was refused",
});

export const repeated = ({ sandbox_id }: SandboxState): SandboxEnding => ({
  ended: "repeated",
  why: `the same request began sandbox ${sandbox_id} before`,
  next: "nothing: that one goes on",
});
