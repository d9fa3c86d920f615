import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Client, WithStartWorkflowOperation, type WorkflowHandle } from "@temporalio/client";
import { defaultPayloadConverter, type SearchAttributePair, type Workflow } from "@temporalio/common";
import type proto from "@temporalio/proto";
import { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { wasUnprocessed } from "../../api/http/workflow-updates.js";
import { Outcome, Stage } from "../../src/platform/temporal/search-attributes.js";
import type { activities } from "../../workers/activities.js";
import { failures, missingAttributes } from "../../workers/interceptors.js";
import { installRuntime } from "../../workers/runtime.js";
import { registerSearchAttributes } from "../../workers/search-attributes.js";
import type * as workflows from "../../workflows/index.js";
import { inThisThread } from "./workflow-thread.js";

// The SDK logs through our log.
installRuntime();

/** What stands in for the activities that a test's workflows call. */
export type Doubles = Partial<ReturnType<typeof activities>>;

type Workflows = typeof workflows;
type EventType = proto.temporal.api.enums.v1.EventType;

/** A worker on a task queue of its own. */
export interface Running {
  client: Client;
  taskQueue: string;
  /** Starts a workflow; it is terminated at the end of the test if it still runs. */
  start<Name extends keyof Workflows>(
    name: Name,
    args: Parameters<Workflows[Name]>,
    workflowId?: string,
    staticSummary?: string,
    attributes?: SearchAttributePair[],
  ): Promise<WorkflowHandle<Workflows[Name]>>;
  /** Starts it with its first step `created`, as routes do. */
  startCreating<Name extends "pickWave" | "cycleCount" | "transferOrder" | "rma" | "recall">(
    name: Name,
    args: Parameters<Workflows[Name]>,
    workflowId: string,
  ): Promise<{ handle: WorkflowHandle<Workflows[Name]>; created: Promise<unknown> }>;
}

const workflowBundle = { codePath: fileURLToPath(new URL("../../workflow-bundle.js", import.meta.url)) };

/** Workflows alone: the engine and the workflows are the real ones, only what they ask for is the test's. */
export function workflowEnvironment() {
  let env: TestWorkflowEnvironment;
  before(async () => {
    env = await TestWorkflowEnvironment.createFromExistingServer({
      address: process.env.TEST_TEMPORAL_ADDRESS as string,
    });
    await registerSearchAttributes(env.nativeConnection, "default");
  });
  after(() => env.teardown());

  return async (doubles: Doubles, test: (running: Running) => Promise<void>): Promise<void> => {
    const taskQueue = randomUUID();
    const { client } = env;
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue,
      workflowBundle,
      ...inThisThread,
      activities: { attributesMissingHere: async () => [], ...doubles },
      interceptors: { activity: [() => ({ inbound: failures }), missingAttributes] },
    });
    const started: WorkflowHandle<Workflow>[] = [];
    await worker.runUntil(async () => {
      try {
        await test({
          client,
          taskQueue,
          start: async (name, args, workflowId = randomUUID(), staticSummary = "", typedSearchAttributes = []) => {
            const how = { workflowId, taskQueue, args, staticSummary, typedSearchAttributes };
            const handle = await client.workflow.start<Workflow>(name, how);
            started.push(handle);
            return handle as never;
          },
          startCreating: async (name, args, workflowId) => {
            const startWorkflowOperation = new WithStartWorkflowOperation(name, {
              ...{ workflowId, taskQueue, args },
              workflowIdConflictPolicy: "FAIL",
            } as never);
            const created = client.workflow.executeUpdateWithStart("created", { startWorkflowOperation });
            // Whoever wants to know awaits it.
            created.catch(() => {});
            const handle = await startWorkflowOperation.workflowHandle();
            started.push(handle);
            return { handle: handle as never, created };
          },
        });
      } finally {
        for (const handle of started) await handle.terminate().catch(() => {});
      }
    });
  };
}

/** Asks a workflow for a step, as routes do: again, under another id, when Temporal passed it over. */
export async function ask(
  handle: Pick<WorkflowHandle, "executeUpdate">,
  step: string,
  ...args: [unknown, ...unknown[]]
): Promise<unknown> {
  for (;;) {
    try {
      return await handle.executeUpdate(step, { args, updateId: randomUUID() });
    } catch (error) {
      if (!wasUnprocessed(error)) throw error;
      await pause(20);
    }
  }
}

/** What a workflow shows in the Temporal UI just now. */
export async function detailsOf(handle: { query: WorkflowHandle["query"] }): Promise<string> {
  const shown = await handle.query<{ currentDetails?: string }>("__temporal_workflow_metadata");
  return shown.currentDetails ?? "";
}

/** How a workflow shows in the list of the Temporal UI. */
export async function listedAs(handle: Pick<WorkflowHandle, "describe">) {
  const { status, typedSearchAttributes: found } = await handle.describe();
  return { status: status.name, stage: found.get(Stage), outcome: found.get(Outcome) };
}

/** What the Temporal UI says of each timer and activity in a history, instead of its number. */
export async function summariesOf(handle: Pick<WorkflowHandle, "fetchHistory">): Promise<(string | undefined)[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const marker = event.markerRecordedEventAttributes?.markerName;
    const named = event.timerStartedEventAttributes ?? event.activityTaskScheduledEventAttributes;
    if (!named && marker !== "core_local_activity") return [];
    const summary = event.userMetadata?.summary;
    return [summary ? defaultPayloadConverter.fromPayload<string>(summary) : undefined];
  });
}

/** How often a history has each kind of event. */
export async function eventsOf(handle: Pick<WorkflowHandle, "fetchHistory">) {
  const { events } = await handle.fetchHistory();
  const types = (events ?? []).map(({ eventType }) => eventType);
  return (type: EventType) => types.filter((one) => one === type).length;
}

/** The updates that a workflow accepted, by name. */
export async function updatesOf(handle: Pick<WorkflowHandle, "fetchHistory">): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ?? [],
  );
}

/** Why a workflow or a step of it failed, in the words of who refused it. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : (error as Error).message;

/** What was refused, in the words of who refused it; fails when it was not. */
export const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then((answer) => Promise.reject(new Error(`not refused: ${JSON.stringify(answer)}`)), reasonOf);
