import { setTimeout as pause } from "node:timers/promises";
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from "@temporalio/client";
import {
  ApplicationFailure,
  type UpdateDefinition,
  type Workflow,
} from "@temporalio/common";
import type { Response } from "express";
import type { Actor } from "../src/actor.js";
import type { Config } from "../src/config.js";
import { log } from "../src/log.js";
import {
  DomainError,
  EngineUnavailable,
  type ProblemBody,
} from "../src/problem.js";
import { STEP_TIMEOUT, temporalOptions } from "../src/temporal.js";

/** How the routes reach the lasting processes: start and update, besides signals.ts. The engine is asked for nothing else. */

/** A scanner gives up after 10 s; the engine gets a little less, so that the answer is ours. */
const ANSWER_WITHIN_MS = 8_000;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_FAILED_PRECONDITION = 9;
const RETRY_AFTER_MS = 250;

let client: Client | undefined;
export let taskQueue = "";

/** Prepares the connection; nothing is connected before the first call, so the API starts without the engine too. */
export function openEngine(config: Config<"worker">): void {
  client = new Client({
    connection: Connection.lazy({
      ...temporalOptions(config),
      interceptors: [retries],
    }),
    namespace: config.temporalNamespace,
  });
  taskQueue = config.temporalTaskQueue;
}

/** The SDK's retries, but soon after one another, and none once the engine is being closed. */
const { retryableDecider } = defaultGrpcRetryOptions();
const retries = makeGrpcRetryInterceptor({
  delayFunction: () => RETRY_AFTER_MS,
  retryableDecider: (attempt, status) =>
    client !== undefined && retryableDecider(attempt, status),
});

export async function closeEngine(): Promise<void> {
  const closing = client;
  if (!closing) return;
  client = undefined;
  // A retry that already waits would throw on a closed channel, where nobody can catch it.
  await pause(RETRY_AFTER_MS + 50);
  await closing.connection.close();
}

export function engine(): Client {
  if (!client) throw new Error("openEngine() was not called");
  return client;
}

/** Who asks, and where the answer tells which process it touched (`X-Service-Workflow-Id`). */
export interface Asking {
  by: Actor;
  res: Response;
}

type Start<W extends Workflow> = Pick<
  WorkflowStartOptions<W>,
  "args" | "staticSummary" | "typedSearchAttributes"
>;

/** An update as its workflow file defines it. */
// biome-ignore lint/suspicious/noExplicitAny: stands for every answer and every arguments
type AnyUpdate = UpdateDefinition<any, any[]>;
type AnswerOf<U> = U extends UpdateDefinition<infer R, infer _> ? R : never;
type ArgsOf<U> = U extends UpdateDefinition<infer _, infer A> ? A : never;

/** Names an update for the engine: one for each request, since it would give a repeat even the refusal of the first. */
const updateIdOf = ({ keyed, commandId }: Actor) =>
  keyed?.attemptId ?? commandId;

/** Starts a process and waits for the answer of its first step (update-with-start, design rule 2). */
export async function startWith<W extends Workflow, U extends AnyUpdate>(
  { by, res }: Asking,
  workflow: string,
  workflowId: string,
  start: Start<W>,
  update: string,
  args: ArgsOf<U>,
): Promise<AnswerOf<U>> {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const options = {
    workflowId,
    taskQueue,
    workflowTaskTimeout: STEP_TIMEOUT,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    ...start,
  } as WorkflowStartOptions<W> & {
    workflowIdConflictPolicy: WorkflowIdConflictPolicy;
  };
  return answered(() =>
    engine().workflow.executeUpdateWithStart(update, {
      args,
      updateId: updateIdOf(by),
      startWorkflowOperation: new WithStartWorkflowOperation<W>(
        workflow,
        options,
      ),
    }),
  );
}

/** A process that has rows, and so can be started from them. */
interface FromRows<W extends Workflow> {
  workflow: string;
  workflowId: string;
  args: Parameters<W>;
  /** Whether its rows say that it still goes on. */
  isOpen: () => Promise<boolean>;
}

/**
 * A step of a process goes through it. Where no process runs, the rows decide: what is still open gets its process back from
 * them, and what has ended refuses the step (or repeats the answer that the same command got before), which is asked directly.
 */
export async function step<W extends Workflow, U extends AnyUpdate>(
  asking: Asking,
  { workflow, workflowId, args, isOpen }: FromRows<W>,
  name: string,
  updateArgs: ArgsOf<U>,
  directly: () => Promise<AnswerOf<U>>,
): Promise<AnswerOf<U>> {
  const done = await update<U>(asking, workflowId, name, updateArgs);
  if (done !== undefined) return done;
  if (!(await isOpen())) return directly();
  const start = { args } as Start<W>;
  return startWith<W, U>(asking, workflow, workflowId, start, name, updateArgs);
}

/** Asks a running process for a step and waits for its answer; undefined when no such process runs. */
async function update<U extends AnyUpdate>(
  { by, res }: Asking,
  workflowId: string,
  name: string,
  args: ArgsOf<U>,
): Promise<AnswerOf<U> | undefined> {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  // The SDK's types tell updates with and without arguments apart, which says nothing here.
  const options = { args, updateId: updateIdOf(by) } as never;
  try {
    return await answered(() =>
      engine().workflow.getHandle(workflowId).executeUpdate(name, options),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Runs an engine call within the time a caller waits, and gives its failures the names of the interface. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    try {
      return await engine().withDeadline(deadline, call);
    } catch (error) {
      if (!wasPassedOver(error))
        throw refusalIn(error) ?? outOfReach(error) ?? error;
      if (Date.now() + RETRY_AFTER_MS > deadline) throw EngineUnavailable();
      await pause(RETRY_AFTER_MS);
    }
  }
}

/**
 * Whether the server gave up an update because the worker's task was under way when it came (many at once for one process), or
 * failed that task because a signal came. It can be asked for again: its id, and so its command id, is the same.
 */
function wasPassedOver(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError)
    return (
      error.cause instanceof ApplicationFailure &&
      error.cause.type === "UnprocessedUpdate"
    );
  const grpc = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(grpc) && grpc.code === GRPC_FAILED_PRECONDITION;
}

/** The DomainError that an activity threw, as it comes back through update and activity failures. */
function refusalIn(error: unknown): DomainError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.type === "DomainError") {
      const [kind, status, body] = cause.details as [
        string,
        number,
        ProblemBody,
      ];
      return new DomainError(kind, status, body);
    }
  }
  return undefined;
}

/** 503 when the engine cannot be reached, does not answer in time or is too busy. */
function outOfReach(error: unknown): DomainError | undefined {
  if (
    error instanceof WorkflowNotFoundError ||
    error instanceof WorkflowUpdateFailedError
  )
    return undefined;
  const grpc = error instanceof ServiceError ? error.cause : error;
  const busy =
    isGrpcServiceError(grpc) && grpc.code === GRPC_RESOURCE_EXHAUSTED;
  const silent =
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    error instanceof ServiceError;
  if (!busy && !silent) return undefined;
  log.warn({ err: error }, "workflow engine did not answer");
  return EngineUnavailable();
}
