import * as wf from "@temporalio/workflow";
import { type Scan, type WaveStarted, waveAttributes } from "../../src/picking/wave.js";
import { Picker } from "../../src/platform/temporal/search-attributes.js";
import { handlersFinished, type Timer } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/pick-wave.js";
import { tellTransfer } from "../wave-messages.js";

/** The state of a wave's workflow, and what the Temporal UI shows of it. */
export class Wave extends RowProcess<WaveStarted, texts.WaveEnded> {
  #lastScan: Scan | undefined;
  #timer: Timer | undefined;
  /** After what time it is released; null = never. */
  idleMs: number | null = null;
  /** Whether its transfer order has released it, and so need not be told that it has ended. */
  #transferKnows = false;

  constructor(
    readonly batchId: number,
    isNew: boolean,
    readonly attributesSet: boolean,
  ) {
    super(isNew);
    if (attributesSet) this.stage = "picking";
    // Release 0.3.0 marked the runs that continue from rows.
    if (!isNew) for (const change of ["stage and outcome", "attributes by argument"]) wf.deprecatePatch(change);
  }

  get title() {
    return texts.titleOf(this.rows, this.batchId);
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated({ batch_id }: WaveStarted) {
    return batch_id === this.batchId ? undefined : texts.repeated(batch_id);
  }

  protected describe(plan: WaveStarted) {
    this.idleMs = plan.idle_ms;
    if (!this.attributesSet) this.setAttributes(waveAttributes(plan));
  }

  /** Shows the last of these scans. */
  show(scans: Scan[] = []): void {
    this.#lastScan = scans.at(-1) ?? this.#lastScan;
    const plan = this.rows;
    if (!plan) return;
    const left = this.#lastScan?.remaining_tasks ?? plan.pending_picks ?? plan.total_picks;
    const stage = left > 0 ? "picking" : "to complete";
    if (stage !== this.stage) this.setStage(stage);
    this.say(texts.progress(plan, left, this.#lastScan, this.#timer));
  }

  /** Shows who picks it from now on. Before its rows are read there is nothing to show, and then they say it. */
  handedOver(picker: string): void {
    if (!this.rows) return;
    this.rows = { ...this.rows, picker };
    this.setAttributes([{ key: Picker, value: picker }]);
    this.show();
  }

  idleTimer(): Timer {
    this.#timer = texts.idleTimer(this.idleMs);
    this.show();
    return this.#timer;
  }

  /** Ends the wave after these scans. Only when that is refused does the wave have another stage to show. */
  endAfter<T>(scans: Scan[] | undefined, endWave: () => Promise<T>): Promise<T> {
    return this.step(() => {
      // So did release 0.3.0 where it continued from rows.
      if (!this.isNew) this.show(scans);
      return endWave().catch((error) => {
        this.show(scans);
        throw error;
      });
    });
  }

  supersededBy(later: number): void {
    this.ending ??= texts.supersededBy(later);
  }

  releasedByTransfer(why: string): void {
    this.ending ??= texts.releasedByTransfer(why);
    this.#transferKnows = true;
  }

  /** Tells the transfer order that it picked that it has ended. */
  async tellTransfer(): Promise<void> {
    const transfer = this.rows?.transfer;
    if (!transfer || !this.ending) return;
    await handlersFinished();
    this.ending = texts.ofTransfer(this.ending);
    if (!this.#transferKnows) await tellTransfer(transfer.to_id);
  }
}
