import type { UpdateDefinition } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type { OutcomeValue } from "../src/platform/temporal/search-attributes.js";
import { isFault } from "./database-activities.js";
import { type Ending, handlersFinished, Process, type Timer } from "./process.js";

/**
 * A process whose state is in database rows. The first activity creates the rows, or reads them again, and answers the
 * update `created`. Then steps change them, by update, until one of them sets `ending`.
 */
export abstract class RowProcess<Rows extends object, Ended extends OutcomeValue> extends Process<Ended> {
  rows: Rows | undefined;
  /** A step was done: the running timer may have the wrong time now. */
  woken = false;
  /** The rows were changed without a step of this workflow. */
  stale = false;
  /** The text that it continues although its cancellation was requested in the Temporal UI, and why. */
  stays: string | undefined;
  #letStepsBegin = () => {};

  constructor(isNew: boolean) {
    super(isNew);
    this.last = new Promise<void>((resolve) => {
      this.#letStepsBegin = resolve;
    });
  }

  /** How it ends when its rows could not be created. */
  protected abstract refused(error: unknown): Ending<Ended>;
  /** How it ends when the same request had created other rows before; undefined when these are its own. */
  protected abstract repeated(rows: Rows): Ending<Ended> | undefined;
  /** Makes it findable and readable in the Temporal UI, once its rows are there. */
  protected abstract describe(rows: Rows): void;

  /** Begins: returns the rows, or none where it has ended at once, as its request was refused or done before. */
  async begin(created: UpdateDefinition<Rows>, activity: () => Promise<Rows>): Promise<Rows | undefined> {
    const answer = new wf.Trigger<Rows>();
    wf.setHandler(created, async () => answer);
    let rows: Rows;
    try {
      rows = this.learnMissing(await activity());
    } catch (error) {
      answer.reject(error);
      this.#letStepsBegin();
      if (isFault(error)) {
        await handlersFinished();
        throw error;
      }
      this.ending ??= this.refused(error);
      return undefined;
    }
    answer.resolve(rows);
    this.#letStepsBegin();
    this.rows = rows;
    const other = this.repeated(rows);
    if (!other) this.describe(rows);
    else this.ending ??= other;
    return other ? undefined : rows;
  }

  readonly markStale = (): void => {
    this.stale = true;
  };

  /** Waits until there is something to do; returns false when the timer has fired before. */
  wait(timer?: Timer): Promise<boolean> {
    const wakes = () => Boolean(this.ending || this.woken || this.stale || this.mayCancel || this.isLong);
    this.woken = false;
    return timer ? wf.condition(wakes, timer.ms, { summary: timer.summary }) : wf.condition(wakes).then(() => true);
  }

  /** Whether its cancellation was requested in the Temporal UI, and not tried yet. */
  get mayCancel(): boolean {
    return this.cancelled && this.stays === undefined;
  }

  /** Carries out the cancellation that was requested in the Temporal UI, unless a running update ends the process. */
  async cancel(act: () => Promise<unknown>): Promise<void> {
    await handlersFinished();
    if (this.ending) return;
    await this.step(act);
    if (!this.ending) this.stays ??= "";
  }
}
