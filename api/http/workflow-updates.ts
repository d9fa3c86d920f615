import { setTimeout as pause } from "node:timers/promises";
import {
  Client,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowSignalWithStartOptions,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from "@temporalio/client";
import {
  ApplicationFailure,
  type Duration,
  NamespaceNotFoundError,
  type SearchAttributePair,
  type UpdateDefinition,
  type Workflow,
} from "@temporalio/common";
import type { Response } from "express";
import type { Actor } from "../../src/platform/actor.js";
import { keyedSemaphore } from "../../src/platform/concurrency/semaphore.js";
import { singleFlight } from "../../src/platform/concurrency/ttl-cache.js";
import type { Config } from "../../src/platform/config/config.js";
import { log } from "../../src/platform/log.js";
import { DatabaseBusy, DomainError, type ProblemBody, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { ApiConnection } from "../../src/platform/temporal/api-connection.js";
import { temporalOptions, WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { REFUSAL } from "../../src/platform/temporal/failures.js";
import { ofWarehouse, prioritizing } from "../../src/platform/temporal/priorities.js";
import { traceClient } from "../../src/platform/temporal/trace-client.js";
import { dataConverter } from "../../src/system/payload-codec.js";

/** How the routes start and update workflows; workflow-signals.ts signals them. */

/** A scanner gives up after 10 s; Temporal gets a little less, so that the service answers first. */
const ANSWER_WITHIN_MS = 8_000;
/** After that, the time to find out why an update did not answer. */
const LOOK_WITHIN_MS = 1_000;
const GRPC_INVALID_ARGUMENT = 3;
const GRPC_NOT_FOUND = 5;
const GRPC_FAILED_PRECONDITION = 9;
const RETRY_AFTER_MS = 250;

let client: Client | undefined;
export let taskQueue = "";

/** Prepares the connection; nothing is connected before the first call, so the API starts without Temporal too. */
export function openTemporal(config: Config<"worker">): void {
  client = new Client({
    connection: ApiConnection.lazy({ ...temporalOptions(config), interceptors: [retries] }),
    namespace: config.temporalNamespace,
    dataConverter: dataConverter(config),
    interceptors: { workflow: [traceClient, prioritizing] },
  });
  taskQueue = config.temporalTaskQueue;
}

/** When the last retry was decided on, as `performance.now()`. */
let retriedAt = -Infinity;

/** The SDK's retries, but at short intervals, and none once the connection is being closed. */
const { retryableDecider } = defaultGrpcRetryOptions();
const retries = makeGrpcRetryInterceptor({
  delayFunction: () => RETRY_AFTER_MS,
  retryableDecider: (attempt, status) => {
    const again = client !== undefined && retryableDecider(attempt, status);
    if (again) retriedAt = performance.now();
    return again;
  },
});

export async function closeTemporal(): Promise<void> {
  const closing = client;
  if (!closing) return;
  client = undefined;
  // Waits for a pending retry: on a closed channel it would throw an error that nothing can catch.
  await pause(Math.max(0, retriedAt + RETRY_AFTER_MS + 50 - performance.now()));
  await closing.connection.close();
}

export function temporalClient(): Client {
  if (!client) throw new Error("openTemporal() was not called");
  return client;
}

/** The caller, and the response whose header names the workflow (`X-Service-Workflow-Id`). */
export interface WorkflowCall {
  by: Actor;
  res: Response;
}

interface Start<W extends Workflow> {
  args: Parameters<W>;
  staticSummary?: string;
  /** By default the task queue of the floor. */
  taskQueue?: string;
  /** Where its first task may last longer than those of others. */
  workflowTaskTimeout?: Duration;
  /** Whose share of the workers it takes; none where a request names an order that is not there. */
  warehouseId?: number | null;
  /** The known search attributes; the workflow's last argument says whether they were set at the start. */
  attributes?: SearchAttributePair[];
}

/** An update as its workflow file defines it. */
// biome-ignore lint/suspicious/noExplicitAny: stands for every answer and every arguments
type AnyUpdate = UpdateDefinition<any, any[]>;
type AnswerOf<U> = U extends UpdateDefinition<infer R, infer _> ? R : never;
type ArgsOf<U> = U extends UpdateDefinition<infer _, infer A> ? A : never;

/**
 * The id of an update: one for each attempt of each request, because Temporal would answer a repeated id even with the
 * refusal of the first. A repeated command is recognised by its command id.
 */
const updateIdOf = ({ keyed, commandId }: Actor, attempt: number) => `${keyed?.attemptId ?? commandId}-${attempt}`;

/** Starts a workflow and waits for the result of its first update (update-with-start, docs/house.md). */
export async function startWithUpdate<W extends Workflow, U extends AnyUpdate>(
  { by, res }: WorkflowCall,
  workflow: string,
  workflowId: string,
  start: Start<W>,
  update: string,
  args: ArgsOf<U>,
): Promise<AnswerOf<U>> {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const { attributes, warehouseId, ...usual } = start;
  const startWith = (
    typedSearchAttributes: SearchAttributePair[] | undefined,
    attempt: number,
  ): Promise<AnswerOf<U>> => {
    const options = {
      workflowId,
      taskQueue,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      ...usual,
      ...(warehouseId && { priority: ofWarehouse(warehouseId) }),
      ...(attributes && attributesOf(start.args, typedSearchAttributes)),
    } as unknown as WorkflowStartOptions<W> & { workflowIdConflictPolicy: WorkflowIdConflictPolicy };
    return temporalClient().workflow.executeUpdateWithStart(update, {
      args,
      updateId: updateIdOf(by, attempt),
      startWorkflowOperation: new WithStartWorkflowOperation<W>(workflow, options),
    });
  };
  return withDeadline(workflowId, (attempt) =>
    withoutUnknown(workflowId, attributes, (set) => startWith(set, attempt)),
  );
}

/** Starts it with these attributes, or without; then the workflow sets those that exist (workflows/process.ts). */
const withoutUnknown = <T>(
  workflowId: string,
  attributes: SearchAttributePair[] | undefined,
  startWith: (attributes: SearchAttributePair[] | undefined) => Promise<T>,
): Promise<T> =>
  startWith(attributes).catch((err) => {
    if (!isUnknownAttribute(err)) throw err;
    log.warn({ err, workflowId }, "started without search attributes");
    return startWith(undefined);
  });

const attributesOf = (args: unknown[], typedSearchAttributes: SearchAttributePair[] | undefined) => ({
  typedSearchAttributes,
  args: [...args, typedSearchAttributes !== undefined],
});

/** Whether Temporal refused a start because the namespace lacks a search attribute. */
const isUnknownAttribute = (error: unknown) =>
  isGrpcServiceError(error) && error.code === GRPC_INVALID_ARGUMENT && error.message.includes("search attribute");

/**
 * Starts the workflow of rows that a command has made, without waiting for it; where that fails, the job `reconcile`
 * starts it. For a repeated command nothing is started.
 * @param again Whether these rows may have had a workflow before, which has ended.
 */
export function startFromRows<W extends Workflow>(
  workflow: string,
  workflowId: string,
  { warehouseId, attributes, ...start }: Omit<Start<W>, "warehouseId"> & { warehouseId: number },
  again = false,
): void {
  const startWith = (typedSearchAttributes: SearchAttributePair[] | undefined) => {
    const how = {
      ...{ workflowId, taskQueue, workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT, ...start },
      priority: ofWarehouse(warehouseId),
      workflowIdReusePolicy: again ? WorkflowIdReusePolicy.ALLOW_DUPLICATE : WorkflowIdReusePolicy.REJECT_DUPLICATE,
      ...(attributes && attributesOf(start.args, typedSearchAttributes)),
    };
    return temporalClient().workflow.start(workflow, how as unknown as WorkflowStartOptions);
  };
  temporalClient()
    .withDeadline(Date.now() + ANSWER_WITHIN_MS, () => withoutUnknown(workflowId, attributes, startWith))
    .catch((err) => {
      if (!(err instanceof WorkflowExecutionAlreadyStartedError)) log.warn({ err, workflowId }, "not started yet");
    });
}

/** How long telling a workflow may take. */
const TELL_WITHIN_MS = 5_000;

interface Telling {
  warehouseId: number | null;
  /** Whether something is to be done, so that it is started where it does not run. */
  goesOn?: boolean;
  signal?: string;
  signalArgs?: unknown[];
}

/**
 * Tells the workflow of rows by a signal that they were changed, without waiting for it, and starts it where it does
 * not run. While Temporal is unavailable, the job `reconcile` does it.
 */
export function tellFromRows<W extends Workflow>(
  workflow: string,
  { workflowId, ...start }: Omit<Start<W>, "warehouseId" | "attributes"> & { workflowId: string },
  { warehouseId, goesOn = true, signal = "changed", signalArgs = [] }: Telling,
): void {
  const client = temporalClient();
  const how = {
    ...{ taskQueue, ...start, workflowId, workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT, signal, signalArgs },
    ...(warehouseId !== null && { priority: ofWarehouse(warehouseId) }),
  } as unknown as WorkflowSignalWithStartOptions;
  const telling = () =>
    goesOn
      ? client.workflow.signalWithStart(workflow, how)
      : client.workflow.getHandle(workflowId).signal(signal, ...signalArgs);
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, async () => void (await telling()))
    .catch((err) =>
      log[goesOn ? "warn" : "debug"]({ err, workflowId }, "the workflow of changed rows was not told yet"),
    );
}

/** A workflow that can be started from its rows in the database. */
interface WorkflowOfRows<W extends Workflow> {
  workflow: string;
  workflowId: string;
  args: Parameters<W>;
  /** The warehouse of its rows, null for none, while they are open, so that it should be running. */
  openIn: () => Promise<number | null | undefined>;
}

/**
 * Updates a workflow. If it is not running, the rows decide: if they are still open, the workflow is started from them
 * and updated; if not, `directly` calls the activity, which refuses, or repeats the answer of the same command.
 */
export async function runUpdate<W extends Workflow, U extends AnyUpdate>(
  call: WorkflowCall,
  { workflow, workflowId, args, openIn }: WorkflowOfRows<W>,
  name: string,
  updateArgs: ArgsOf<U>,
  directly: () => Promise<AnswerOf<U>>,
): Promise<AnswerOf<U>> {
  const done = await update<U>(call, workflowId, name, updateArgs);
  if (done !== undefined) return done;
  const warehouseId = await openIn();
  if (warehouseId === undefined) return directly();
  return startWithUpdate<W, U>(call, workflow, workflowId, { args, warehouseId }, name, updateArgs);
}

/**
 * The same request that comes many times at once, as from a scanner that lost its connection, becomes one update and a
 * repeat: a workflow does one update at a time, and each would wait for all before it.
 */
const sameUpdates = singleFlight<unknown>();

/** Updates a running workflow and waits for the result; undefined when no such workflow runs. */
async function update<U extends AnyUpdate>(
  { by, res }: WorkflowCall,
  workflowId: string,
  name: string,
  args: ArgsOf<U>,
): Promise<AnswerOf<U> | undefined> {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  // The SDK has different types for updates with and without arguments; that makes no difference here.
  const options = (attempt: number) => ({ args, updateId: updateIdOf(by, attempt) }) as never;
  const { workflow } = temporalClient();
  const ask = () =>
    withDeadline(workflowId, async (attempt): Promise<AnswerOf<U> | undefined> => {
      try {
        return await workflow.getHandle(workflowId).executeUpdate(name, options(attempt));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    });
  if (!by.keyed) return ask();
  const same = [workflowId, name, by.commandId, by.keyed.requestHash].join(" ");
  return (await sameUpdates(same, ask)) as AnswerOf<U> | undefined;
}

/**
 * Few updates of a workflow at a time. Temporal takes ten at once (history.maxInFlightUpdates), of all APIs together;
 * for each one above, it forgets the task that a worker has for that workflow and all the updates that wait, and begins
 * again. More than one, as a worker does those that wait in one go.
 */
const fewUpdates = keyedSemaphore<string>(4);

/** Calls Temporal within the time that a caller waits, and turns its failures into problems of the interface. */
async function withDeadline<T>(workflowId: string, call: (attempt: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fewUpdates(workflowId, () => temporalClient().withDeadline(deadline, () => call(attempt)));
    } catch (error) {
      if (!wasUnprocessed(error) && !(error instanceof WorkflowNotFoundError))
        throw refusalIn(error) ?? (await unavailable(error, workflowId)) ?? error;
      if (Date.now() + RETRY_AFTER_MS > deadline) throw WorkflowEngineUnavailable();
      await pause(RETRY_AFTER_MS);
    }
  }
}

/**
 * The messages with which Temporal fails an update that the workflow did not finish, because it came during a workflow
 * task or as the workflow ended.
 */
const UNFINISHED = ["UnprocessedUpdate", "AcceptedUpdateCompletedWorkflow"];

/**
 * Whether the server dropped an update because a workflow task was running when it came (many updates of one workflow
 * at once), failed that task because a signal came, or ended the workflow before the update was finished (where it was
 * to begin with it: "not found"). It can be retried under another id: its command id is the same.
 */
export function wasUnprocessed(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError)
    return error.cause instanceof ApplicationFailure && UNFINISHED.includes(error.cause.type ?? "");
  const grpc = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(grpc) && [GRPC_FAILED_PRECONDITION, GRPC_NOT_FOUND].includes(grpc.code);
}

/** The DomainError that an activity threw, out of the update and activity failures that wrap it. */
function refusalIn(error: unknown): DomainError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.type === REFUSAL) {
      const [kind, status, body] = cause.details as [string, number, ProblemBody];
      return new DomainError(kind, status, body);
    }
  }
  return undefined;
}

/**
 * 503 when the update waits for the database, or Temporal cannot be reached, does not answer in time or is too busy.
 */
async function unavailable(error: unknown, workflowId: string): Promise<DomainError | undefined> {
  if (error instanceof WorkflowUpdateFailedError) return undefined;
  // The start that comes with an update may fail as gRPC says it, which the SDK wraps in nothing.
  const unanswered =
    isGrpcServiceError(error) ||
    [WorkflowUpdateRPCTimeoutOrCancelledError, ServiceError, NamespaceNotFoundError].some(
      (kind) => error instanceof kind,
    );
  if (!unanswered) return undefined;
  const waiting = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError && (await waitingActivity(workflowId));
  if (waiting) {
    log.warn({ workflowId, ...waiting }, "an update waits for the database");
    return DatabaseBusy();
  }
  log.warn({ err: error }, "Temporal did not answer");
  return WorkflowEngineUnavailable();
}

/** The activity of an update that waits so long that it became a normal one (workflows/database-activities.ts). */
async function waitingActivity(workflowId: string): Promise<{ activity: string; because: string } | undefined> {
  const client = temporalClient();
  try {
    const { pendingActivities } = await client.withDeadline(Date.now() + LOOK_WITHIN_MS, () =>
      client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId },
      }),
    );
    const [pending] = pendingActivities;
    return pending && { activity: pending.activityType?.name ?? "", because: pending.lastFailure?.message ?? "" };
  } catch {
    return undefined;
  }
}
