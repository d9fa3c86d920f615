import {
  AsyncLocalStorage,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from "@temporalio/workflow";
import { parentIn, withParent } from "../src/platform/temporal/trace-header.js";
import type { EndedSpan, ParentSpan } from "../src/platform/tracing/tracing.js";

/**
 * Traces through workflows: a span of each run and of each update that came with a trace, passed on to the activities
 * and children that they start. Nothing here waits or adds a turn of the event loop, and ids are made from the history,
 * so a workflow decides the same with traces and without, and in a replay.
 */

/** The sink of ended spans; the worker sends them (workers/tracing.ts). */
export interface TraceSinks extends Sinks {
  traces: { ended(span: EndedSpan): void };
}

const { traces } = proxySinks<TraceSinks>();
const current = new AsyncLocalStorage<ParentSpan>();

/** 64 bits of a text in hexadecimal digits (FNV-1a), which are never all zero. */
function idOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return (hash || 1n).toString(16).padStart(16, "0");
}

/** Runs this in a span of its own under a parent, if there is one. */
function inSpan<T>(parent: ParentSpan | undefined, name: string, what: string, run: () => Promise<T>): Promise<T> {
  if (!parent) return run();
  if (!parent.sampled) return current.run(parent, run);
  const spanId = idOf(`${workflowInfo().runId} ${what}`);
  const beganAt = Date.now();
  const result = current.run({ ...parent, spanId }, run);
  const end = (failed: boolean) => traces.ended({ name, spanId, parent, beganAt, endedAt: Date.now(), failed });
  result.then(
    () => end(false),
    () => end(true),
  );
  return result;
}

const handedOn = <I extends { headers: Parameters<typeof withParent>[0] }>(input: I): I => ({
  ...input,
  headers: withParent(input.headers, current.getStore()),
});

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute: (input, next) =>
        inSpan(parentIn(input.headers), `workflow ${workflowInfo().workflowType}`, "run", () => next(input)),
      handleUpdate: (input, next) => {
        const name = `update ${workflowInfo().workflowType}.${input.name}`;
        return inSpan(parentIn(input.headers), name, `update ${input.updateId}`, () => next(input));
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) => next(handedOn(input)),
      scheduleLocalActivity: (input, next) => next(handedOn(input)),
      startChildWorkflowExecution: (input, next) => next(handedOn(input)),
      continueAsNew: (input, next) => next(handedOn(input)),
    },
  ],
});
