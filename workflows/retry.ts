import type { SearchAttributePair } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type { Attempted } from "../src/outbound/retry.js";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { type OutcomeValue, Stage } from "../src/platform/temporal/search-attributes.js";
import { setAttributes, setEnded, type ToldMissing } from "./attributes.js";
import { AFTER_FAULT, businessFailure, endAtFault, uninterrupted } from "./endings.js";

/** How a retry ends, and what is said then. */
export interface RetryEnding {
  outcome: OutcomeValue;
  why: string;
  next: string;
  /** What fails the workflow, so that the list shows it: its type, and what stands before the reason. */
  failure?: [type: string, what: string];
}

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
  /** What is to be done about one that was given up. */
  mend: string;
  attributes: SearchAttributePair[];
  missing: ToldMissing["missing_attributes"];
  attempts: number;
  /** Why the last attempt failed. */
  failure: string;
  /** Where attempts are counted here, from 1, and not in the row, and say themselves which one failed. */
  counted?: { summary(attempt: number): string; during(attempt: number): { where: string; next: string } };
  /** Makes the next attempt if it is due, else says when it will be. */
  attempt(summary: string, attempt: number): Promise<Attempted<Ended>>;
  /** Whether it may go on after all where it was changed during an attempt that ended it. */
  resumes?: boolean;
  /** Begins a new history when its own grew long. */
  continueAsNew?(): Promise<never>;
  /** Gives it up; where it had ended before, says how. */
  giveUp(commandId: string): Promise<Ended | "cancelled">;
  /** Reads why the last attempt of a dead letter failed: the rows know, whoever made it. */
  lastFailure?(): Promise<string | undefined>;
  /** Other ends than as a dead letter or by cancellation. */
  ending(ended: Exclude<Ended, "dlq">): RetryEnding;
}

/**
 * The retry schedule of something that is sent outside: attempts, with a timer before each. Its rows hold what is due
 * when, so it can be begun again at any time. A failure for good fails it, so that the list shows it; a cancellation in
 * the Temporal UI gives it up. Its activities decide the schedule, and what is behind it waits by its rows alone.
 * @param changed Signals that its rows were changed: look at them instead of waiting on.
 */
export function retry<Ended extends string>(
  read: () => Promise<Retried<Ended>>,
  changed?: wf.SignalDefinition,
): Promise<Ended> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(async () => {
    const news = { come: false };
    if (changed)
      wf.setHandler(changed, () => {
        news.come = true;
      });
    const of = await read();
    setAttributes([{ key: Stage, value: of.counted ? "pushing" : "retrying" }, ...of.attributes], of.missing);
    return new Retry(of, news, () => scope.consideredCancelled).run();
  });
}

class Retry<Ended extends string> {
  #attempt: number | undefined;
  #failure: string;

  constructor(
    readonly of: Retried<Ended>,
    readonly news: { come: boolean },
    readonly cancelled: () => boolean,
  ) {
    this.#attempt = of.counted && 1;
    this.#failure = of.failure;
  }

  run(): Promise<Ended> {
    const { undone, behind, missing } = this.of;
    return endAtFault(
      undone,
      () => this.#tryAndWait(),
      (why) => {
        this.#show(`stopped at a fault; ${behind}`, why, AFTER_FAULT);
        setEnded("failed", missing);
      },
    );
  }

  async #tryAndWait(): Promise<Ended> {
    const { of, news, cancelled } = this;
    while (!cancelled()) {
      news.come = false;
      const { ended, next, failure } = await of.attempt(this.#begin(), this.#attempt ?? 0);
      this.#failure = failure ?? this.#failure;
      if (ended && !(of.resumes && news.come)) return this.#end(ended);
      if (of.continueAsNew && wf.workflowInfo().continueAsNewSuggested && !cancelled()) return of.continueAsNew();
      if (next) await this.#wait(next);
    }
    return this.#end(await of.giveUp(`${wf.workflowInfo().runId}:cancel`));
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

  async #wait({ attempt, wait_ms }: { attempt: number; wait_ms: number }): Promise<void> {
    const { counted, missing, attempts, waiting } = this.of;
    this.#attempt = attempt;
    const due = `attempt ${attempt} of ${attempts} at ${clock(Date.now() + wait_ms)}`;
    this.#show(waiting, counted ? this.#failure : `attempt ${attempt - 1} failed: ${this.#failure}`, due);
    if (counted) setAttributes([{ key: Stage, value: "retrying" }], missing);
    const summary = `${this.#failure}: ${due}`;
    await wf.condition(() => this.news.come || this.cancelled(), wait_ms, { summary });
  }

  async #end(ended: Ended | "cancelled"): Promise<Ended> {
    if (ended === "dlq") this.#failure = (await this.of.lastFailure?.()) ?? this.#failure;
    const { outcome, why, next, failure } = this.#ending(ended);
    this.#show(`has ended: ${outcome}`, why, next);
    setEnded(outcome, this.of.missing);
    if (ended === "cancelled") throw new wf.CancelledFailure(why);
    if (failure) throw businessFailure(failure[0], `${failure[1]}: ${why}`);
    return ended;
  }

  #ending(ended: Ended | "cancelled"): RetryEnding {
    const { mend: next, attempts, name, what } = this.of;
    if (ended === "cancelled")
      return { outcome: "cancelled", why: "cancellation was requested in the Temporal UI", next };
    if (ended !== "dlq") return this.of.ending(ended as Exclude<Ended, "dlq">);
    const why = `all ${attempts} attempts failed, the last one: ${this.#failure}`;
    return { outcome: "dead-lettered", why, next, failure: ["DeadLetter", `${name} did not take ${what}`] };
  }

  #show(where: string, why: string, next: string): void {
    wf.setCurrentDetails(detailsText({ where: `${this.of.title} ${where}`, why, next }));
  }
}
