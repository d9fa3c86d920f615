import type { SearchAttributePair } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type { Attempted } from "../src/outbound/retry.js";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { type OutcomeValue, Stage } from "../src/platform/temporal/search-attributes.js";
import { setAttributes, setEnded } from "./attributes.js";
import { AFTER_FAULT, businessFailure, endAtFault, uninterrupted } from "./endings.js";

/** How a retry ends, and what is said then. */
export interface RetryEnding {
  outcome: OutcomeValue;
  why: string;
  next: string;
  /** What fails the workflow, so that the list shows it: its type, and what stands before the reason. */
  failure?: { type: string; what: string };
}

/** What is tried again, and what people read of it. */
export interface Retried<Ended extends string> {
  /** What it is, and to whom it goes. */
  title: string;
  /** What has not been done yet; stands before the reason of a fault. */
  undone: string;
  /** What becomes of what is behind it: order is kept, or not. */
  behind: string;
  /** Where it is while it waits. */
  waiting: string;
  stage: "retrying" | "pushing";
  attributes: SearchAttributePair[];
  missing: string[];
  attempts: number;
  /** The number of its next attempt, where its row does not say it. */
  first?: number;
  /** Why the last attempt failed. */
  failure: string;
  summary(attempt: number | undefined): string;
  /** Makes the next attempt if it is due, else says when it will be. */
  attempt(summary: string, attempt: number | undefined): Promise<Attempted<Ended>>;
  /** Why it waits. */
  reason(failure: string, attempt: number): string;
  /** What is shown during an attempt, where it takes long. */
  trying?(attempt: number | undefined, failure: string): { where: string; why: string; next: string };
  /** Whether it may go on after all where it was changed during an attempt that ended it. */
  resumes?: boolean;
  /** Begins a new history when its own grew long. */
  continueAsNew?(): Promise<never>;
  /** Gives it up; where it had ended before, says how. */
  giveUp(commandId: string): Promise<Ended | "cancelled">;
  /** Reads why the last attempt of a dead letter failed: the rows know, whoever made it. */
  lastFailure?(): Promise<string | undefined>;
  ending(ended: Ended | "cancelled", failure: string): RetryEnding;
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
): Promise<Ended | "cancelled"> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(async () => {
    const news = { come: false };
    if (changed)
      wf.setHandler(changed, () => {
        news.come = true;
      });
    const of = await read();
    setAttributes([{ key: Stage, value: of.stage }, ...of.attributes], of.missing);
    return new Retry(of, news, () => scope.consideredCancelled).run();
  });
}

class Retry<Ended extends string> {
  #failure: string;

  constructor(
    readonly of: Retried<Ended>,
    readonly news: { come: boolean },
    readonly cancelled: () => boolean,
  ) {
    this.#failure = of.failure;
  }

  run(): Promise<Ended | "cancelled"> {
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

  async #tryAndWait(): Promise<Ended | "cancelled"> {
    const { of, news, cancelled } = this;
    let attempt = of.first;
    while (!cancelled()) {
      news.come = false;
      const during = of.trying?.(attempt, this.#failure);
      if (during) this.#show(during.where, during.why, during.next);
      const { ended, next, failure } = await of.attempt(of.summary(attempt), attempt);
      this.#failure = failure ?? this.#failure;
      if (ended && !(of.resumes && news.come)) return this.#end(ended);
      if (of.continueAsNew && wf.workflowInfo().continueAsNewSuggested && !cancelled()) return of.continueAsNew();
      if (!next) continue;
      attempt = next.attempt;
      await this.#wait(next);
    }
    return this.#end(await of.giveUp(`${wf.workflowInfo().runId}:cancel`));
  }

  async #wait({ attempt, wait_ms }: { attempt: number; wait_ms: number }): Promise<void> {
    const { stage, missing, attempts, waiting, reason } = this.of;
    const due = `attempt ${attempt} of ${attempts} at ${clock(Date.now() + wait_ms)}`;
    this.#show(waiting, reason(this.#failure, attempt), due);
    if (stage !== "retrying") setAttributes([{ key: Stage, value: "retrying" }], missing);
    const summary = `${this.#failure}: ${due}`;
    await wf.condition(() => this.news.come || this.cancelled(), wait_ms, { summary });
  }

  async #end(ended: Ended | "cancelled"): Promise<Ended | "cancelled"> {
    if (ended === "dlq") this.#failure = (await this.of.lastFailure?.()) ?? this.#failure;
    const { outcome, why, next, failure } = this.of.ending(ended, this.#failure);
    this.#show(`has ended: ${outcome}`, why, next);
    setEnded(outcome, this.of.missing);
    if (ended === "cancelled") throw new wf.CancelledFailure(why);
    if (failure) throw businessFailure(failure.type, `${failure.what}: ${why}`);
    return ended;
  }

  #show(where: string, why: string, next: string): void {
    wf.setCurrentDetails(detailsText({ where: `${this.of.title} ${where}`, why, next }));
  }
}
