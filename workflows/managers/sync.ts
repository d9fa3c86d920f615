import * as wf from "@temporalio/workflow";
import {
  NOTHING,
  SYNC_ATTEMPTS,
  SYNC_WAITS_FOR_MS,
  type SyncKey,
  type SyncProgress,
  type SyncRun,
  type SyncStart,
} from "../../src/connectors/sync.js";
import { Connector, Stage, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import { isRefusal } from "../database-activities.js";
import { Process } from "../process.js";
import * as texts from "../texts/connector-sync.js";

/** The state of a sync's workflow, and what the Temporal UI shows of it. */
export class Sync extends Process<texts.SyncEnded> {
  readonly key: SyncKey;
  /** The run that holds the row; replaced if a request begins another one after `reset`. */
  run: SyncRun | undefined;
  /** The progress of that run. */
  #progress: SyncProgress | undefined;
  #askedBy: string | undefined;
  /** Why no run began. */
  #refused: unknown;
  /** The row was freed: the run has ended. */
  #freed = false;

  constructor(
    readonly start: SyncStart,
    continued: SyncProgress | undefined,
  ) {
    super(start.begun === "request");
    const { connector, warehouse_id, sync_type } = start;
    this.key = { connector, warehouse_id, sync_type };
    this.#progress = continued;
    this.#askedBy = continued?.asked_by;
    if (continued) this.#hold(continued.run);
  }

  get title() {
    return texts.titleOf(this.start, this.run?.warehouse_code);
  }

  get counts() {
    return this.#progress?.counts ?? NOTHING;
  }

  readonly reset = (): void => {
    this.#freed = true;
  };

  /** Begins a run in a step, unless one is in progress. A repeated request gets the run that it began. */
  claim<Claimed extends SyncRun | null>(claim: () => Promise<Claimed>, askedBy?: string): Promise<Claimed> {
    return this.step(async () => {
      try {
        const claimed = await claim();
        if (claimed && claimed.run_id !== this.run?.run_id) {
          this.#freed = false;
          this.#askedBy = askedBy;
          this.#hold(claimed);
        }
        return claimed;
      } catch (error) {
        this.#refused ??= error;
        throw error;
      }
    });
  }

  #hold(run: SyncRun): void {
    this.run = run;
    this.learnMissing(run);
  }

  /** Waits until a run is begun or refused. */
  hasBegun(): Promise<void> {
    return wf.condition(() => Boolean(this.run || this.#refused || this.start.begun === "lost"));
  }

  notBegun(): texts.SyncEnding {
    if (!this.#refused) return texts.LOST;
    if (!isRefusal(this.#refused)) throw this.#refused;
    return texts.refused(this.#refused);
  }

  /** Begins to read, or continues after continue-as-new; returns the progress. */
  begin(run: SyncRun): SyncProgress {
    if (this.#progress?.run !== run)
      this.#progress = {
        ...{ run, asked_by: this.#askedBy, attempt: 1, page: 0, cursor: null, newest: null },
        ...{ counts: NOTHING, began: Date.now() },
      };
    this.stage = "syncing";
    this.setAttributes([
      { key: Connector, value: this.key.connector },
      { key: WarehouseId, value: this.key.warehouse_id },
      { key: WarehouseCode, value: run.warehouse_code },
      { key: Stage, value: this.stage },
    ]);
    return this.#progress;
  }

  /** Whether the run is to end at once. */
  get interrupted(): boolean {
    return this.cancelled || this.#freed || this.run !== this.#progress?.run;
  }

  /** Runs an activity that ends at once when the run is to end. */
  async interruptibly<T>(run: () => Promise<T>): Promise<T> {
    const scope = new wf.CancellationScope();
    let over = false;
    void wf.condition(() => over || this.interrupted).then(() => over || scope.cancel());
    try {
      return await scope.run(run);
    } finally {
      over = true;
    }
  }

  show(what: string, next: string, why = texts.whyBegun(this.start, this.#askedBy)): void {
    this.say({ where: `${this.title}: ${what}`, why, next });
  }

  /** Waits before the source is asked again; returns whether the run is to end instead. */
  async pause({ ms, what, due }: texts.Pause, why: string): Promise<boolean> {
    this.setStage("retrying");
    this.show(what, due, why);
    await wf.condition(() => this.interrupted, ms, { summary: `${why}: ${due}` });
    return this.interrupted;
  }

  /** Whether it keeps waiting for an unavailable source, which is not an attempt. */
  waits(isAway: boolean): boolean {
    const progress = this.#progress;
    if (!isAway || !progress) return false;
    progress.waits_since ??= Date.now();
    return Date.now() - progress.waits_since < SYNC_WAITS_FOR_MS;
  }

  /** The last attempt begins anew: the source may have forgotten the page. */
  nextAttempt(): void {
    const progress = this.#progress;
    if (progress && ++progress.attempt === SYNC_ATTEMPTS) Object.assign(progress, { page: 0, cursor: null });
  }

  /** Continues as new where the history grew long. */
  async anewIfLong(): Promise<void> {
    type Continued = (start: SyncStart, progress: SyncProgress) => Promise<unknown>;
    if (this.isLong && this.#progress) await wf.continueAsNew<Continued>(this.start, this.#progress);
  }
}
