import {
  type SearchAttributePair,
  type UpdateDefinition,
  WorkflowExecutionAlreadyStartedError,
} from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import { type Details, detailsText } from "../src/platform/temporal/details.js";
import { Outcome, type OutcomeValue, Stage, type StageValue } from "../src/platform/temporal/search-attributes.js";
import { attributesMissingHere, setAttributes } from "./attributes.js";
import { isFault } from "./database-activities.js";
import { refusal } from "./endings.js";

/** How a process ends, and what is said then. */
export interface Ending<Ended extends OutcomeValue> {
  ended: Ended;
  /** What the list shows, where that is another word. */
  outcome?: OutcomeValue;
  why: string;
  next: string;
  /** Whether it ends because its cancellation was requested in the Temporal UI. */
  byOperator?: boolean;
}

/** A timer, with what the Temporal UI says of it. */
export interface Timer {
  ms: number;
  summary: string;
}

/**
 * What all processes share whose state is in database rows. The first activity makes the rows, or reads them again, and
 * answers the update `created`. Then steps change them, by update and one at a time, until one of them sets `ending`.
 * It is made within `uninterrupted`: a request for its cancellation interrupts nothing, and is seen here.
 */
export abstract class Process<Rows extends object, Ended extends OutcomeValue> {
  rows: Rows | undefined;
  ending: Ending<Ended> | undefined;
  stage: StageValue | undefined;
  /** A step was done: the timer that runs may not be the right one any more. */
  woken = false;
  /** The rows were changed without a step of this workflow. */
  stale = false;
  /** That it goes on although its cancellation was requested in the Temporal UI, and why, where that is said. */
  stays: string | undefined;
  #missing: string[] | undefined;
  readonly #scope = wf.CancellationScope.current();
  #letStepsBegin = () => {};
  #last: Promise<unknown> = new Promise<void>((resolve) => {
    this.#letStepsBegin = resolve;
  });

  /** @param isNew Whether a request begins it; false when it goes on from its rows. */
  constructor(readonly isNew: boolean) {}

  abstract get title(): string;
  /** How it ends when its rows could not be made. */
  protected abstract refused(error: unknown): Ending<Ended>;
  /** How it ends when the same request had made other rows before; undefined when these are its own. */
  protected abstract repeated(rows: Rows): Ending<Ended> | undefined;
  /** Makes it findable and readable in the Temporal UI, once its rows are there. */
  protected abstract describe(rows: Rows): void;

  /** Gives the rows; undefined when it has ended at once: what was asked for was refused, or done before. */
  async begin(created: UpdateDefinition<Rows>, activity: () => Promise<Rows>): Promise<Rows | undefined> {
    const answer = new wf.Trigger<Rows>();
    wf.setHandler(created, async () => answer);
    try {
      const rows = await activity();
      answer.resolve(rows);
      this.#letStepsBegin();
      this.rows = rows;
      this.#missing = (rows as { missing_attributes?: string[] }).missing_attributes;
      const other = this.repeated(rows);
      if (other) this.ending ??= other;
      else this.describe(rows);
      return rows;
    } catch (error) {
      answer.reject(error);
      this.#letStepsBegin();
      this.#missing = await this.step(attributesMissingHere);
      if (isFault(error)) {
        await handlersFinished();
        throw error;
      }
      this.ending ??= this.refused(error);
      return undefined;
    }
  }

  /**
   * Runs steps one after the other, in the order of the calls, once it has begun. Updates call activities at any time:
   * of two local activities that run together, the results may come in one activation of the workflow or in two, and a
   * replay may see the other case. One at a time, the workflow goes on from each result before the next one comes.
   */
  step<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#scope.run(run));
    this.#last = next.catch(() => {});
    return next;
  }

  readonly markStale = (): void => {
    this.stale = true;
  };

  /** Waits until there is something to do; gives false when the timer has fired before. */
  wait(timer?: Timer): Promise<boolean> {
    const wakes = () => Boolean(this.ending || this.woken || this.stale || this.mayCancel || this.isLong);
    this.woken = false;
    return timer ? wf.condition(wakes, timer.ms, { summary: timer.summary }) : wf.condition(wakes).then(() => true);
  }

  /** Whether somebody asked for its cancellation in the Temporal UI. */
  get cancelled(): boolean {
    return this.#scope.parent?.consideredCancelled === true;
  }

  get mayCancel(): boolean {
    return this.cancelled && this.stays === undefined;
  }

  /** Whether to continue as new, from the rows: the history is long, and no update is running (it would be lost). */
  get isLong(): boolean {
    return wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();
  }

  /** Does what was requested in the Temporal UI, unless an update that is running ends the process. */
  async cancel(act: () => Promise<unknown>): Promise<void> {
    await handlersFinished();
    if (this.ending) return;
    await this.step(act);
    if (!this.ending) this.stays ??= "";
  }

  /** The id of a command that this workflow gives itself. */
  commandId(what: string): string {
    return `${wf.workflowInfo().runId}:${what}`;
  }

  setAttributes(pairs: SearchAttributePair[]): void {
    setAttributes(pairs, this.#missing);
  }

  setStage(stage: StageValue, ...more: SearchAttributePair[]): void {
    this.stage = stage;
    this.setAttributes([...more, { key: Stage, value: stage }]);
  }

  say(details: Details): void {
    wf.setCurrentDetails(detailsText(details));
  }

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async end(): Promise<Ended> {
    await handlersFinished();
    const { ended, outcome = ended, why, next, byOperator } = this.ending as Ending<Ended>;
    this.say({ where: `${this.title} has ended: ${outcome}`, why, next });
    this.setStage("ended", { key: Outcome, value: outcome });
    if (ended === "refused" && this.isNew) throw refusal(why);
    if (byOperator || (this.cancelled && ended === "cancelled")) throw new wf.CancelledFailure(why);
    return ended;
  }
}

export const handlersFinished = (): Promise<void> => wf.condition(wf.allHandlersFinished);

/**
 * Starts another workflow, independent of this one. It may run already, started by the job `reconcile` or by a request.
 */
export async function startApart(
  workflow: string,
  options: { workflowId: string; args: unknown[]; staticSummary: string },
): Promise<void> {
  try {
    await wf.startChild(workflow, { ...options, parentClosePolicy: "ABANDON" });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
