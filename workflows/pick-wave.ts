import { ApplicationFailure } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type * as picking from "../activities/picking/index.js";
import type { Unpickable } from "../src/picking/plan.js";
import type { CompletedBatch } from "../src/picking/shapes.js";
import {
  firstNumbers,
  type Scan,
  type WaveRequest,
  type WaveStarted,
  waveAttributes,
  waveWorkflowId,
} from "../src/picking/wave.js";
import type { Actor } from "../src/platform/actor.js";
import { clock, detailsText, innermost, reasonOf } from "../src/platform/temporal/details.js";
import {
  Outcome,
  type OutcomeValue,
  SoNumbers,
  Stage,
  type StageValue,
  ToNumber,
  WarehouseCode,
} from "../src/platform/temporal/search-attributes.js";
import { transferTitle, transferWorkflowId } from "../src/transfers/workflow.js";
import { attributesMissingHere, foundAtStart, setAttributes } from "./attributes.js";
import { createRows } from "./creation.js";
import { databaseActivities, isFault } from "./database-activities.js";
import { refusal, uninterrupted } from "./endings.js";
import { oneAtATime } from "./one-at-a-time.js";
import { released, superseded, tellSuperseded, tellTransfer } from "./wave-messages.js";

export interface WaveEnd {
  batch_id: number;
  ended: "completed" | "cancelled" | "superseded" | "idle" | "refused" | "repeated";
}

const { createWave, resumeWave, completeWave, cancelWave, releaseIfIdle, cancelByOperator } = databaseActivities<
  typeof picking
>({
  createWave: "Makes the wave and allocates its stock",
  resumeWave: "Reads the wave from its rows",
  completeWave: "Completes the batch: its orders are picked",
  cancelWave: "Cancels the batch and releases its stock",
  releaseIfIdle: "Looks when somebody last scanned, and releases an idle wave",
  cancelByOperator: "Cancels the batch for the Temporal UI and releases its stock",
});

/** The first update: waits until the wave is created. */
export const created = wf.defineUpdate<WaveStarted>("created");
const complete = wf.defineUpdate<CompletedBatch, [Actor, Scan[]?]>("complete");
const cancel = wf.defineUpdate<{ message: string }, [Actor, Scan[]?]>("cancel");
/**
 * Committed picks and short picks, for the history and the current details only: the workflow does not rely on them.
 * The last ones come with the update that ends the wave.
 */
export const scanned = wf.defineSignal<[Scan[]]>("scanned");

/** How long to wait before checking a wave again whose idle release is switched off: the setting may change. */
const CHECK_AGAIN_MS = 12 * 3_600_000;

/** What is said when a wave has ended. */
interface Ending {
  ended: WaveEnd["ended"];
  outcome: OutcomeValue;
  why: string;
  next: string;
}

const RELEASED = "nothing here: the orders are OPEN for another wave, and hold what stock there is for them";
const UNDONE = "nothing here: its picks are undone and the stock stays reserved; picking can be started again";

/**
 * A wave from its creation to its end (docs/interface.md, Picking). The database rows hold what is picked; this
 * workflow completes or cancels the wave by update, and releases it when nobody has scanned for a time, or when
 * somebody asks for its cancellation in the Temporal UI.
 * @param wave What to pick; only the batch id when the workflow of a wave that has rows already is started again.
 * @param by Who started it.
 * @param attributesSet Whether the start has set the search attributes; absent when it goes on from its rows, and in
 * starts by older versions.
 */
export function pickWave(
  wave: WaveRequest | { batchId: number },
  by: Actor,
  attributesSet?: boolean,
): Promise<WaveEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => walk(wave, by, attributesSet, () => scope.consideredCancelled));
}

async function walk(
  wave: WaveRequest | { batchId: number },
  by: Actor,
  attributesSet: boolean | undefined,
  cancelled: () => boolean,
): Promise<WaveEnd> {
  const { batchId } = wave;
  const { runId } = wf.workflowInfo();
  const attributed = "soIds" in wave && wave.attributed === true;
  // Waves that version 0.1.0 started set no attributes on their way, and complete when they are refused.
  const noted = attributed || wf.patched("stage and outcome");
  let plan: WaveStarted | undefined;
  let missing: string[] | undefined;
  let last: Scan | undefined;
  const atStart = attributesSet === undefined ? foundAtStart() : undefined;
  let stage = attributesSet ? "picking" : attributed ? atStart?.get(Stage) : undefined;
  let nextLook = "";
  /** Whether the transfer order has ended this wave: then it need not be told that the wave has ended. */
  let told = false;
  let ending: Ending | undefined;

  const creation = createRows(created, () => ("soIds" in wave ? createWave(wave, by) : resumeWave(batchId)));
  const exclusively = oneAtATime(creation);
  wf.setHandler(complete, (who, scans) =>
    exclusively(async () => {
      const done = await withScans(scans, () => completeWave(batchId, who));
      const { total_items_picked, total_shorts } = done.summary;
      const short = total_shorts > 0 ? `, ${total_shorts} pick(s) short` : "";
      ending = {
        ended: "completed",
        outcome: short ? "short" : "completed",
        why: `completed by ${who.username}: ${total_items_picked} unit(s) picked${short}`,
        next: plan?.transfer
          ? `nothing here: what was picked waits for approval, see ${transferWorkflowId(plan.transfer.to_id)}`
          : "nothing here: the orders are PICKED and go to packing",
      };
      return done;
    }),
  );
  wf.setHandler(cancel, (who, scans) =>
    exclusively(async () => {
      const done = await withScans(scans, () => cancelWave(batchId, who));
      ending = { ended: "cancelled", outcome: "cancelled", why: `cancelled by ${who.username}`, next: RELEASED };
      return done;
    }),
  );
  wf.setHandler(scanned, showScans);
  wf.setHandler(superseded, (later) => {
    const why = `the same picker began wave ${later}, which released this one`;
    ending ??= { ended: "superseded", outcome: "superseded", why, next: RELEASED };
  });
  wf.setHandler(released, (why) => {
    ending ??= { ended: "cancelled", outcome: "cancelled", why, next: "nothing here: its transfer order says it" };
    told = true;
  });

  const { rows, error } = await creation;
  if (!rows) {
    if (noted) missing = await exclusively(attributesMissingHere);
    if (isFault(error)) {
      await wf.condition(wf.allHandlersFinished);
      throw error;
    }
    const next = "nothing was changed: what the reason names is put right, and the picker begins a wave again";
    return end({ ended: "refused", outcome: "refused", why: whyRefused(error), next });
  }
  plan = rows;
  missing = rows.missing_attributes;
  if (plan.batch_id !== batchId) {
    const why = `the same request had made wave ${plan.batch_id} before`;
    return end({ ended: "repeated", outcome: "repeated", why, next: `see ${waveWorkflowId(plan.batch_id)}` });
  }
  describe(plan);
  for (const earlier of plan.superseded) await tellSuperseded(earlier, batchId);

  for (let wait = plan.idle_ms, check = 1; !ending; check++) {
    const ms = wait ?? CHECK_AGAIN_MS;
    nextLook = lookAfter(ms, wait !== null);
    show();
    const woken = await wf.condition(() => ending !== undefined || cancelled() || mustContinue(), ms, {
      summary: nextLook,
    });
    if (ending) break;
    if (cancelled()) {
      await wf.condition(wf.allHandlersFinished);
      if (!ending) ending = byOperator(await exclusively(() => cancelByOperator(batchId, `${runId}:cancel`)));
      break;
    }
    if (woken) return wf.continueAsNew<typeof pickWave>({ batchId }, by);
    const idle = await exclusively(() => releaseIfIdle(batchId, `${runId}:idle:${check}`));
    if (idle.ended) ending = found(idle.ended);
    wait = idle.again_ms;
  }
  return end(ending as Ending);

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async function end(how: Ending): Promise<WaveEnd> {
    if (!wf.allHandlersFinished()) await wf.condition(wf.allHandlersFinished);
    const { ended, outcome, why, next: then } = ending ?? how;
    const next = plan?.transfer && then === RELEASED ? UNDONE : then;
    wf.setCurrentDetails(detailsText({ where: `${title(plan, batchId)} has ended: ${outcome}`, why, next }));
    if (plan?.transfer && !told) {
      await tellTransfer(plan.transfer.to_id);
      // Updates may have come meanwhile.
      await wf.condition(wf.allHandlersFinished);
    }
    if (noted) {
      note("ended", outcome);
      if (ended === "refused" && "soIds" in wave) throw refusal(why);
      if (cancelled() && ended === "cancelled") throw new wf.CancelledFailure(why);
    }
    return { batch_id: batchId, ended };
  }

  /** Ends the wave after these scans. Only when that is refused does the wave have another stage to show. */
  function withScans<T>(scans: Scan[] | undefined, endWave: () => Promise<T>): Promise<T> {
    if (!attributed) showScans(scans);
    return endWave().catch((error) => {
      showScans(scans);
      throw error;
    });
  }

  /** Shows the last of these scans. Version 0.1.0 signalled scans one by one, and such waves may still run. */
  function showScans(scans: Scan[] | Scan = []): void {
    last = [scans].flat().at(-1) ?? last;
    show();
  }

  /** Sets the search attributes for the Temporal UI. Most were set at the start. */
  function describe(started: WaveStarted): void {
    const { warehouse_id, warehouse_code, picker, transfer } = started;
    const numbers = numbersOf(started);
    const shown = transfer
      ? atStart?.get(ToNumber) === transfer.to_number
      : atStart?.get(SoNumbers)?.join() === numbers.join() && (!noted || atStart.get(WarehouseCode));
    if (attributesSet || shown) return;
    const attributes = waveAttributes(warehouse_id, batchId, numbers, picker, warehouse_code, transfer?.to_number);
    setAttributes(attributes, missing);
  }

  function show(): void {
    if (!plan) return;
    const left = last?.remaining_tasks ?? plan.pending_picks ?? plan.total_picks;
    note(left > 0 ? "picking" : "to complete");
    const { picker = by.username, total_picks, total_units } = plan;
    const scan = last
      ? `. Last: ${last.quantity_picked} × ${last.sku} at ${last.bin_code}, ${last.status}, by ${last.by}`
      : "";
    const what = plan.transfer ? transferTitle(plan.transfer) : numbersOf(plan).join(", ");
    wf.setCurrentDetails(
      detailsText({
        where: `${title(plan, batchId)}: ${left} of ${total_picks} pick(s) to go, ${total_units} unit(s) in all${scan}`,
        why: `${picker} picks ${what}`,
        next: `${left > 0 ? `${picker} scans on` : `${picker} completes the batch`}. ${nextLook}`,
      }),
    );
  }

  function note(next: StageValue, outcome?: OutcomeValue): void {
    if (!noted || stage === next) return;
    stage = next;
    const ended = outcome ? [{ key: Outcome, value: outcome }] : [];
    setAttributes([{ key: Stage, value: next }, ...ended], missing);
  }
}

/** Up to version 0.1.0 the whole plan was in the history. */
const numbersOf = (plan: WaveStarted & { orders?: { so_number: string }[] }): string[] =>
  plan.so_numbers ?? firstNumbers((plan.orders ?? []).map((order) => order.so_number));

const title = (plan: WaveStarted | undefined, batchId: number): string =>
  plan ? `${plan.batch_number}${plan.warehouse_code ? ` in ${plan.warehouse_code}` : ""}` : `Wave ${batchId}`;

/** Of what could not be picked, for the first few orders: `SO-1 needs 5 MUG, 2 there`. */
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

const lookAfter = (ms: number, releases: boolean): string => {
  const at = clock(Date.now() + ms);
  return releases
    ? `Released at ${at} unless somebody scans before`
    : `Idle waves are not released at present; looked at again at ${at}`;
};

/** How a wave has ended whose rows were asked. */
function found(ended: "completed" | "cancelled" | "idle"): Ending {
  if (ended === "idle") return { ended, outcome: ended, why: "released: nobody scanned for so long", next: RELEASED };
  return { ended, outcome: ended, why: `its rows say that it was ${ended}`, next: "nothing here" };
}

const byOperator = ({ ended }: { ended: "completed" | "cancelled" }): Ending =>
  ended === "completed"
    ? found(ended)
    : { ended, outcome: ended, why: "cancellation was requested in the Temporal UI", next: RELEASED };

/** Whether to continue as new, from the rows: the history is long, and no update is running (it would be lost). */
const mustContinue = () => wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();
