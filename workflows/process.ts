import { type SearchAttributePair, WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import { type Details, detailsText } from "../src/platform/temporal/details.js";
import type { AttributeActivities } from "../src/platform/temporal/missing-attributes.js";
import {
  Outcome,
  type OutcomeValue,
  Stage,
  type StageValue,
  searchAttributes,
} from "../src/platform/temporal/search-attributes.js";
import { WITHIN_5_S } from "./database-activities.js";
import { businessFailure, refusal } from "./endings.js";

const local = wf.proxyLocalActivities<AttributeActivities>({
  ...WITHIN_5_S,
  summary: "Reads which search attributes the namespace lacks",
});

/** Which search attributes the namespace lacks; where that cannot be read, all of them: no workflow fails for one. */
const attributesMissingHere = (): Promise<string[]> =>
  local.attributesMissingHere().catch(() => searchAttributes.map(({ name }) => name));

/** What activities that begin a workflow tell beside their answer (workers/interceptors.ts). */
export interface ToldMissing {
  missing_attributes?: string[];
}

/** How a process ends, and the texts for it. */
export interface Ending<Ended extends OutcomeValue> {
  ended: Ended;
  /** The outcome in the list, where that is another word. */
  outcome?: OutcomeValue;
  why: string;
  next: string;
  /** Whether it ends because its cancellation was requested in the Temporal UI. */
  byOperator?: boolean;
  /** What fails the workflow, so that the list shows it: its type, and what stands before the reason. */
  failure?: [type: string, what: string];
}

/** A timer, with its text in the Temporal UI. */
export interface Timer {
  ms: number;
  summary: string;
}

/**
 * The common part of all processes: steps, one at a time, a requested cancellation, what the Temporal UI shows, and the
 * end. It is created within `uninterrupted`: a cancellation interrupts nothing, and is seen here.
 */
export abstract class Process<Ended extends OutcomeValue> {
  ending: Ending<Ended> | undefined;
  stage: StageValue | undefined;
  #missing: string[] | undefined;
  readonly #scope = wf.CancellationScope.current();
  /** The last step; the next one runs after it. */
  protected last: Promise<unknown> = Promise.resolve();

  /** @param isNew Whether a request begins it; false when it continues from its rows. */
  constructor(readonly isNew: boolean) {}

  /** Its title in the Temporal UI. */
  abstract get title(): string;

  /**
   * Runs steps one after the other, in the order of the calls. Updates may call activities at any time, and the results
   * of two concurrent local activities may come in one activation of the workflow or in two, which a replay may see the
   * other way. One at a time, the workflow processes each result before the next one comes.
   */
  step<T>(run: () => Promise<T>): Promise<T> {
    const next = this.last.then(() => this.#scope.run(run));
    this.last = next.catch(() => {});
    return next;
  }

  /** Whether its cancellation was requested in the Temporal UI. */
  get cancelled(): boolean {
    return this.#scope.parent?.consideredCancelled === true;
  }

  /** Whether to continue as new: the history is long, and no update is running (it would be lost). */
  get isLong(): boolean {
    return wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();
  }

  /** The id of a command that this workflow issues itself. */
  commandId(what: string): string {
    return `${wf.workflowInfo().runId}:${what}`;
  }

  /** Takes from the answer of an activity which search attributes the namespace lacks, where it tells. */
  learnMissing<T extends object>(answer: T): T {
    const { missing_attributes, ...rest } = answer as T & ToldMissing;
    this.#missing = missing_attributes ?? this.#missing;
    return rest as unknown as T;
  }

  /** Sets search attributes, but none that the namespace lacks: Temporal would refuse the workflow's task, for ever. */
  setAttributes(pairs: SearchAttributePair[]): void {
    const there = pairs.filter(({ key }) => !this.#missing?.includes(key.name));
    if (there.length > 0) wf.upsertSearchAttributes(there);
  }

  setStage(stage: StageValue, ...more: SearchAttributePair[]): void {
    this.stage = stage;
    this.setAttributes([...more, { key: Stage, value: stage }]);
  }

  setEnded(outcome: OutcomeValue): void {
    this.setStage("ended", { key: Outcome, value: outcome });
  }

  say(details: Details): void {
    wf.setCurrentDetails(detailsText(details));
  }

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async end(): Promise<Ended> {
    await handlersFinished();
    const { ended, outcome = ended, why, next, byOperator, failure } = this.ending as Ending<Ended>;
    this.say({ where: `${this.title} has ended: ${outcome}`, why, next });
    this.#missing ??= await this.step(attributesMissingHere);
    this.setEnded(outcome);
    if (ended === "refused" && this.isNew) throw refusal(why);
    if (byOperator || (this.cancelled && ended === "cancelled")) throw new wf.CancelledFailure(why);
    if (failure) throw businessFailure(failure[0], `${failure[1]}: ${why}`);
    return ended;
  }
}

export const handlersFinished = (): Promise<void> => wf.condition(wf.allHandlersFinished);

/**
 * Starts another workflow, independent of this one. It may be running already, started by the job `reconcile` or by a
 * request.
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
