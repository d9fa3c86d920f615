import type { SearchAttributePair } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type { Attempted } from "../src/outbound/retry.js";
import { readableFailure } from "../src/outbound/wire/error-kinds.js";
import { clock } from "../src/platform/temporal/details.js";
import type { OutcomeValue, StageValue } from "../src/platform/temporal/search-attributes.js";
import { AFTER_FAULT, endAtFault, uninterrupted } from "./endings.js";
import { type Ending, Process } from "./process.js";

/** How a retry ends: what the list shows, and what is said then. */
export type RetryEnding = Ending<OutcomeValue>;

/** What is tried again, and what people read of it. */
export interface Retried<Ended extends string> {
  title: string;
  /** To whom it goes, and what. */
  name: string;
  what: string;
  /** What has not been done yet; stands before the reason of a fault. */
  undone: string;
  /** What becomes of what is behind it: order is kept, or not. */
  behind: string;
  waiting: string;
  /** What is shown while it waits for something else than its next attempt, until a time at most. */
  waits?(waitsFor: string, until: string): { where: string; why: string; next: string };
  /** What is to be done about one that was given up. */
  mend: string;
  /** None where they were set at the start, with its stage. */
  attributes?: SearchAttributePair[];
  attempts: number;
  /** Why the last attempt failed: the kind of failure and its HTTP status, or what people read. */
  failure: string | null;
  /** Where attempts are counted here, from 1 or `first`, and say themselves which one failed. */
  counted?: {
    first?: number;
    summary(attempt: number): string;
    during(attempt: number): { where: string; next: string };
  };
  /** Its stage during the first attempt, where that is one of counted ones; by default `pushing`. */
  stage?: StageValue;
  /** Makes the next attempt if it is due, else says when it will be. */
  attempt(summary: string, attempt: number): Promise<Attempted<Ended>>;
  /** Whether it may go on after all where it was changed during an attempt that ended it. */
  resumes?: boolean;
  /** Begins a new history when its own grew long. */
  continueAsNew?(): Promise<never>;
  /** Gives it up; where it had ended before, says how. */
  giveUp(commandId: string): Promise<Ended | "cancelled">;
  /** Reads why the last attempt of a dead letter failed: the rows know, whoever made it. */
  lastFailure?(): Promise<string | null>;
  /** Other ends than as a dead letter or by cancellation. */
  ending(ended: Exclude<Ended, "dlq">): RetryEnding;
}

/**
 * The retry schedule of something that is sent outside: attempts, with a timer before each. Its rows hold what is due
 * when, so it can be begun again at any time. A failure for good fails it, so that the list shows it; a cancellation in
 * the Temporal UI gives it up. Its activities decide the schedule, and what is behind it waits by its rows alone.
 * @param changed Signals that its rows were changed: look at them instead of waiting on.
 */
export const retry = <Row extends object, Ended extends string>(
  read: () => Promise<Row>,
  retriedOf: (row: Row) => Retried<Ended>,
  changed?: wf.SignalDefinition,
): Promise<Ended> => uninterrupted(() => new Retry<Ended>(changed).run(read, retriedOf));

class Retry<Ended extends string> extends Process<OutcomeValue> {
  of!: Retried<Ended>;
  #attempt: number | undefined;
  #failure = "failed";
  #changed = false;

  constructor(changed: wf.SignalDefinition | undefined) {
    super(false);
    if (changed)
      wf.setHandler(changed, () => {
        this.#changed = true;
      });
  }

  get title(): string {
    return this.of.title;
  }

  async run<Row extends object>(read: () => Promise<Row>, retriedOf: (row: Row) => Retried<Ended>): Promise<Ended> {
    // Those that 0.3.0 started were not always told.
    const of = retriedOf(this.learnMissing({ missing_attributes: [], ...(await read()) }));
    this.of = of;
    this.#attempt = of.counted && (of.counted.first ?? 1);
    this.#note(of.failure);
    const stage = of.counted ? (of.stage ?? "pushing") : "retrying";
    if (of.attributes) this.setStage(stage, ...of.attributes);
    else this.stage = stage;
    return endAtFault(
      of.undone,
      () => this.#tryAndWait(),
      (why) => {
        this.#show(`stopped at a fault; ${of.behind}`, why, AFTER_FAULT);
        this.setEnded("failed");
      },
    );
  }

  async #tryAndWait(): Promise<Ended> {
    const { of } = this;
    while (!this.cancelled) {
      this.#changed = false;
      const { ended, next, failure } = this.learnMissing(await of.attempt(this.#begin(), this.#attempt ?? 0));
      this.#note(failure);
      if (ended && !(of.resumes && this.#changed)) return this.#end(ended);
      if (of.continueAsNew && wf.workflowInfo().continueAsNewSuggested && !this.cancelled) return of.continueAsNew();
      if (next) await this.#wait(next);
    }
    return this.#end(await of.giveUp(this.commandId("cancel")));
  }

  /** Gives the summary of the next attempt. */
  #begin(): string {
    const { counted, attempts, name } = this.of;
    if (!this.#attempt) return "Looks which attempt is due";
    if (!counted) return `Attempt ${this.#attempt} of ${attempts} to ${name}`;
    const { where, next } = counted.during(this.#attempt);
    this.#show(where, this.#failure, next);
    return counted.summary(this.#attempt);
  }

  async #wait({ attempt, wait_ms, waits_for }: NonNullable<Attempted<Ended>["next"]>): Promise<void> {
    const { counted, attempts, waiting, waits, stage } = this.of;
    this.#attempt = attempt;
    if (waits && waits_for !== undefined) {
      const { where, why, next } = waits(waits_for, clock(Date.now() + wait_ms));
      this.#show(where, why, next);
      this.setStage(stage ?? "pushing");
      await wf.condition(() => this.#changed || this.cancelled, wait_ms, { summary: `${where}: ${next}` });
      return;
    }
    const due = `attempt ${attempt} of ${attempts} at ${clock(Date.now() + wait_ms)}`;
    this.#show(waiting, counted ? this.#failure : `attempt ${attempt - 1} failed: ${this.#failure}`, due);
    if (counted) this.setStage("retrying");
    await wf.condition(() => this.#changed || this.cancelled, wait_ms, { summary: `${this.#failure}: ${due}` });
  }

  async #end(ended: Ended | "cancelled"): Promise<Ended> {
    if (ended === "dlq") this.#note(await this.of.lastFailure?.());
    this.ending = this.#endingOf(ended);
    await this.end();
    return ended as Ended;
  }

  #endingOf(ended: Ended | "cancelled"): RetryEnding {
    const { mend: next, attempts, name, what } = this.of;
    if (ended === "cancelled")
      return { ended: "cancelled", why: "cancellation was requested in the Temporal UI", next, byOperator: true };
    if (ended !== "dlq") return this.of.ending(ended as Exclude<Ended, "dlq">);
    const why = `all ${attempts} attempts failed, the last one: ${this.#failure}`;
    return { ended: "dead-lettered", why, next, failure: ["DeadLetter", `${name} did not take ${what}`] };
  }

  #note(failure: string | null | undefined): void {
    this.#failure = readableFailure(failure) ?? this.#failure;
  }

  #show(where: string, why: string, next: string): void {
    this.say({ where: `${this.title} ${where}`, why, next });
  }
}
