/** The texts of a wave in the Temporal UI. */

import { ApplicationFailure } from "@temporalio/common";
import type { Unpickable } from "../../src/picking/plan.js";
import type { CompletedBatch } from "../../src/picking/shapes.js";
import { type Scan, type WaveStarted, waveWorkflowId } from "../../src/picking/wave.js";
import { clock, type Details, innermost, reasonOf } from "../../src/platform/temporal/details.js";
import { transferTitle, transferWorkflowId } from "../../src/transfers/workflow.js";
import type { Ending, Timer } from "../process.js";

export type WaveEnded = "completed" | "cancelled" | "superseded" | "idle" | "given back" | "refused" | "repeated";
type WaveEnding = Ending<WaveEnded>;

/** How long to wait before checking a wave again whose idle release is switched off: the setting may change. */
const CHECK_AGAIN_MS = 12 * 3_600_000;

const RELEASED = "nothing here: the orders are OPEN for another wave, and hold what stock there is for them";
const UNDONE = "nothing here: its picks are undone and the stock stays reserved; picking can be started again";

export const titleOf = (plan: WaveStarted | undefined, batchId: number): string =>
  plan ? `${plan.batch_number}${plan.warehouse_code ? ` in ${plan.warehouse_code}` : ""}` : `Wave ${batchId}`;

/** @param idle_ms After what time it is released; null = never. */
export function idleTimer(idle_ms: number | null): Timer {
  const ms = idle_ms ?? CHECK_AGAIN_MS;
  const at = clock(Date.now() + ms);
  const summary =
    idle_ms === null
      ? `Idle waves are not released at present; looked at again at ${at}`
      : `Released at ${at} unless somebody scans before`;
  return { ms, summary };
}

/** @param left How many picks are to go. */
export function progress(plan: WaveStarted, left: number, last: Scan | undefined, timer: Timer | undefined): Details {
  const { picker, total_picks, total_units, transfer, walk } = plan;
  const scan = last
    ? `. Last: ${last.quantity_picked} × ${last.sku} at ${last.bin_code}, ${last.status}, by ${last.by}`
    : "";
  const where = titleOf(plan, plan.batch_id);
  const far = walk ? `, a walk of ${walk.metres} m (${walk.by_sequence_metres} m by pick sequence)` : "";
  return {
    where: `${where}: ${left} of ${total_picks} pick(s) to go, ${total_units} unit(s) in all${far}${scan}`,
    why: `${picker} picks ${transfer ? transferTitle(transfer) : plan.so_numbers.join(", ")}`,
    next: `${left > 0 ? `${picker} scans on` : `${picker} completes the batch`}. ${timer?.summary ?? ""}`,
  };
}

export function completed({ summary }: CompletedBatch, by: string, plan: WaveStarted | undefined): WaveEnding {
  const { total_items_picked, total_shorts } = summary;
  const short = total_shorts > 0 ? `, ${total_shorts} pick(s) short` : "";
  return {
    ended: "completed",
    outcome: short ? "short" : "completed",
    why: `completed by ${by}: ${total_items_picked} unit(s) picked${short}`,
    next: plan?.transfer
      ? `nothing here: what was picked waits for approval, see ${transferWorkflowId(plan.transfer.to_id)}`
      : "nothing here: the orders are PICKED and go to packing",
  };
}

export const cancelled = (by: string): WaveEnding => ({
  ended: "cancelled",
  why: `cancelled by ${by}`,
  next: RELEASED,
});

export const givenBack = (by: string): WaveEnding => ({
  ended: "given back",
  why: `given back by ${by}`,
  next: "nothing here: the batch waits, and begins anew when somebody takes it as the next one",
});

export const supersededBy = (later: number): WaveEnding => ({
  ended: "superseded",
  why: `the same picker began wave ${later}, which released this one`,
  next: RELEASED,
});

export const releasedByTransfer = (why: string): WaveEnding => ({
  ended: "cancelled",
  why,
  next: "nothing here: its transfer order says it",
});

/** How a wave has ended, by its rows. */
export const found = (ended: "completed" | "cancelled" | "idle"): WaveEnding =>
  ended === "idle"
    ? { ended, why: "released: nobody scanned for so long", next: RELEASED }
    : { ended, why: `its rows say that it was ${ended}`, next: "nothing here" };

export const byOperator = (ended: "completed" | "cancelled"): WaveEnding =>
  ended === "completed"
    ? found(ended)
    : { ended, why: "cancellation was requested in the Temporal UI", next: RELEASED };

/** What is left after a wave that picked a transfer order. */
export const ofTransfer = (ending: WaveEnding): WaveEnding =>
  ending.next === RELEASED ? { ...ending, next: UNDONE } : ending;

export const repeated = (earlier: number): WaveEnding => ({
  ended: "repeated",
  why: `the same request had made wave ${earlier} before`,
  next: `see ${waveWorkflowId(earlier)}`,
});

export const refused = (error: unknown): WaveEnding => ({
  ended: "refused",
  why: whyRefused(error),
  next: "nothing was changed: what the reason names is put right, and the picker begins a wave again",
});

/** The units that could not be picked, for the first few orders: `SO-1 needs 5 MUG, 2 there`. */
function whyRefused(error: unknown): string {
  const cause = innermost(error);
  const [, , body] = (cause instanceof ApplicationFailure ? cause.details : undefined) ?? [];
  const { unpickable } = (body ?? {}) as { unpickable?: Unpickable[] };
  if (!unpickable) return reasonOf(error);
  const lacking = unpickable.flatMap(({ so_number, lines }) =>
    lines.map(({ sku, ordered, available }) => `${so_number} needs ${ordered} ${sku}, ${available} there`),
  );
  return `not enough stock: ${lacking.slice(0, 10).join("; ")}${lacking.length > 10 ? "; …" : ""}`;
}
