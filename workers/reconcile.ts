import { type Client, WorkflowIdConflictPolicy } from "@temporalio/client";
import { withdrawNeedless } from "../activities/carriers/withdraw-label.js";
import { openApprovals, warehouseOf } from "../src/agents/queries.js";
import { approvalWorkflowId } from "../src/agents/workflow.js";
import { collectionsOnClosedDays, collectionsUnderWay } from "../src/carriers/collections/queries.js";
import { collectionWorkflowId, nameOfCollection, startOfCollection } from "../src/carriers/collections/workflow.js";
import { needlessLabels, unfinishedLabels } from "../src/carriers/queries.js";
import { startOfLabel } from "../src/carriers/workflow.js";
import { startOfPush } from "../src/connectors/pushes/push.js";
import { pendingPushes } from "../src/connectors/pushes/queries.js";
import type { SyncKey, SyncStart } from "../src/connectors/sync.js";
import { runningSyncs } from "../src/connectors/sync-queries.js";
import { connectorQueue } from "../src/connectors/task-queue.js";
import { endedCountIds, unfinishedCounts } from "../src/counting/queries.js";
import { countWorkflowId } from "../src/counting/workflow.js";
import { type OfInspection, openInspections } from "../src/lots/inspections/queries.js";
import { inspectionWorkflowId } from "../src/lots/inspections/workflow.js";
import { retriedNotifications } from "../src/outbound/notifications/queries.js";
import type { Retry } from "../src/outbound/retry.js";
import { notificationRetry, retrySchedule } from "../src/outbound/sending.js";
import { stuckDeliveries } from "../src/outbound/webhooks/queries.js";
import { activeBatches } from "../src/picking/queries.js";
import { replenishedWarehouses } from "../src/picking/replenishment/queries.js";
import { replenishmentWorkflowId } from "../src/picking/replenishment/workflow.js";
import { waveWorkflowId } from "../src/picking/wave.js";
import type { Config } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";
import { systemActor } from "../src/platform/system-actor.js";
import { WORKFLOW_TASK_TIMEOUT } from "../src/platform/temporal/connection.js";
import { type OfWarehouse, ofWarehouse } from "../src/platform/temporal/priorities.js";
import { pendingPrintJobs } from "../src/printing/queries.js";
import { startOfPrint } from "../src/printing/workflow.js";
import { openRecalls } from "../src/recalls/queries.js";
import { recallWorkflowId } from "../src/recalls/workflow.js";
import { openReturns, overdueReturns } from "../src/returns/queries.js";
import { returnWorkflowId } from "../src/returns/workflow.js";
import { openSandboxes } from "../src/sandboxes/queries.js";
import { sandboxWorkflowId } from "../src/sandboxes/workflow.js";
import { openTransfers } from "../src/transfers/queries.js";
import { transferWorkflowId } from "../src/transfers/workflow.js";
import { type Run, RunningWorkflows } from "./running-workflows.js";

/** The most workflows that one run starts, and that it starts at once: after a loss of Temporal there may be many. */
const MAX_STARTS = 500;
const CONCURRENT_STARTS = 10;
const START_WITHIN_MS = 5_000;

/** A workflow that should run, by its rows, and how it is started from them. */
interface ExpectedWorkflow extends Retry {
  /** Whose share of the workers it takes. */
  warehouseId?: number;
  /** By default the worker's task queue. */
  taskQueue?: string;
}

const pushOf = (taskQueue: string, { id, warehouse_id }: OfWarehouse): ExpectedWorkflow => ({
  workflow: "fulfillmentPush",
  ...startOfPush(id),
  warehouseId: warehouse_id,
  taskQueue: connectorQueue(taskQueue),
});

const reconcileActor = () => systemActor("reconcile");

/** For a workflow that takes the id of its rows. */
const fromRows =
  (workflow: string, workflowId: (id: number) => string, what: string) =>
  ({ id, warehouse_id }: OfWarehouse | OfInspection): ExpectedWorkflow => ({
    ...{ workflow, workflowId: workflowId(id), args: [id, reconcileActor()] },
    ...(warehouse_id !== null && { warehouseId: warehouse_id }),
    staticSummary: `${what} ${id}, from its rows`,
  });

function approvalOf({ key, ...of }: { key: string; warehouse_ids: number[] | null }): ExpectedWorkflow {
  const warehouseId = warehouseOf(of);
  return {
    ...{ workflow: "approval", workflowId: approvalWorkflowId(key), args: [key, reconcileActor()] },
    ...(warehouseId !== null && { warehouseId }),
    staticSummary: "Approval, from its row",
  };
}

const syncOf =
  ({ temporalTaskQueue, connectorRetryDelayMs: retry_delay_ms }: Settings) =>
  ({ workflow_id, ...key }: SyncKey & { workflow_id: string }): ExpectedWorkflow => ({
    workflow: "connectorSync",
    workflowId: workflow_id,
    args: [{ ...key, begun: "lost", retry_delay_ms } satisfies SyncStart],
    warehouseId: key.warehouse_id,
    staticSummary: `${key.sync_type} of ${key.connector} for warehouse ${key.warehouse_id}, from its row`,
    taskQueue: connectorQueue(temporalTaskQueue),
  });

type Settings = Pick<Config, "temporalTaskQueue" | "dispatcherEnabled" | "connectorRetryDelayMs">;

/** The workflows that should run, by the rows. */
export async function expectedWorkflows(settings: Settings): Promise<ExpectedWorkflow[]> {
  const sends = settings.dispatcherEnabled;
  const [
    batches,
    replenished,
    counts,
    returns,
    inspections,
    recalls,
    transfers,
    syncs,
    deliveries,
    notifications,
    pushes,
    prints,
    labels,
    collected,
    asked,
    sandboxes,
  ] = await Promise.all([
    activeBatches(),
    replenishedWarehouses(),
    unfinishedCounts(),
    openReturns(),
    openInspections(),
    openRecalls(),
    openTransfers(),
    runningSyncs(),
    sends ? stuckDeliveries() : [],
    sends ? retriedNotifications() : [],
    sends ? pendingPushes() : [],
    pendingPrintJobs(),
    unfinishedLabels(),
    collectionsUnderWay(),
    openApprovals(),
    openSandboxes(),
  ]);
  return [
    ...batches.map((batch) => ({
      ...fromRows("pickWave", waveWorkflowId, "Batch")(batch),
      args: [{ batchId: batch.id }, reconcileActor()],
    })),
    ...replenished.map(fromRows("replenishment", replenishmentWorkflowId, "Replenishment of warehouse")),
    ...counts.map(fromRows("cycleCount", countWorkflowId, "Count")),
    ...returns.map(fromRows("rma", returnWorkflowId, "Return")),
    ...recalls.map(fromRows("recall", recallWorkflowId, "Recall")),
    ...inspections.map(fromRows("inspection", inspectionWorkflowId, "Inspection")),
    ...transfers.map(fromRows("transferOrder", transferWorkflowId, "Transfer order")),
    ...syncs.map(syncOf(settings)),
    ...deliveries.map(retrySchedule),
    ...notifications.map(notificationRetry),
    ...prints.map(({ id, warehouse_id: warehouseId }) => ({ workflow: "printJob", ...startOfPrint(id), warehouseId })),
    ...labels.map(({ id, warehouse_id: warehouseId, ...of }) => ({
      ...{ workflow: "labelPurchase", ...startOfLabel(id, of), warehouseId },
      taskQueue: connectorQueue(settings.temporalTaskQueue),
    })),
    ...collected.map(({ id, warehouse_id: warehouseId, ...of }) => ({
      ...{ workflow: "carrierCollection", ...startOfCollection(id, nameOfCollection(of)), warehouseId },
    })),
    ...asked.map(approvalOf),
    ...sandboxes.map(fromRows("sandbox", sandboxWorkflowId, "Sandbox")),
    ...pushes.map((push) => pushOf(settings.temporalTaskQueue, push)),
  ];
}

/**
 * The job `reconcile` (docs/develop/workflows.md): starts the workflows that should run and do not; returns their ids.
 * Rows are read before it is asked what runs: a workflow that ends in between is started once more, reads its rows and
 * ends. What Temporal lists is a little late: `USE_EXISTING` covers workflows that it does not show yet, and the next
 * run those that it still shows.
 */
export async function startMissing(
  client: Client,
  settings: Settings,
  running = new RunningWorkflows(),
): Promise<{ started: string[] }> {
  const taskQueue = settings.temporalTaskQueue;
  for (const { id } of await needlessLabels()) await withdrawNeedless(id, reconcileActor());
  await tellClosedDays(client);
  const expected = await expectedWorkflows(settings);
  const runs = await running.now(client);
  await endWithTheirRows(client, taskQueue, runs, new Set(expected.map(({ workflowId }) => workflowId)));
  const known = new Set(runs.map(({ workflowId }) => workflowId));
  await endOverdueReturns(client, known);
  const missing = expected.filter(({ workflowId }) => !known.has(workflowId)).slice(0, MAX_STARTS);
  await someAtOnce(missing, (one) => start(client, taskQueue, one));
  const started = missing.map(({ workflowId }) => workflowId);
  if (started.length > 0) log.warn({ started }, "workflows were missing, started from their rows");
  return { started };
}

/** Tells the workflows of collections whose day was closed, which move them; whom it misses it tells the next time. */
async function tellClosedDays(client: Client): Promise<void> {
  for (const { id } of await collectionsOnClosedDays())
    await client.workflow
      .getHandle(collectionWorkflowId(id))
      .signal("changed")
      .catch((err) => log.debug({ err, id }, "collection of a closed day not told"));
}

async function someAtOnce<T>(all: T[], act: (one: T) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < all.length; i += CONCURRENT_STARTS)
    await Promise.all(all.slice(i, i + CONCURRENT_STARTS).map(act));
}

const start = (client: Client, taskQueue: string, { workflow, warehouseId, ...options }: ExpectedWorkflow) =>
  client.workflow.start(workflow, {
    taskQueue,
    ...options,
    priority: warehouseId === undefined ? undefined : ofWarehouse(warehouseId),
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });

/** Starts the push of a shipment. */
export const startPush = (client: Client, taskQueue: string, push: OfWarehouse): Promise<void> =>
  startSoon(client, taskQueue, pushOf(taskQueue, push));

/**
 * Starts one of them now, as the retry of an attempt that has just failed; while Temporal is unavailable, the next run
 * of the job does it.
 */
export async function startSoon(client: Client, taskQueue: string, expected: ExpectedWorkflow): Promise<void> {
  try {
    await client.withDeadline(Date.now() + START_WITHIN_MS, () => start(client, taskQueue, expected));
  } catch (err) {
    log.warn({ err, workflowId: expected.workflowId }, "workflow not started yet");
  }
}

const COUNT_WORKFLOW = countWorkflowId(0).slice(0, -1);

/**
 * Ends workflows that run although their rows have ended. Transfer orders, returns, inspections and recalls are
 * signalled, so that they read their rows: stock that is taken for something else may end an order or an inspection
 * without a step of its own, and the rest of a return is closed without one. Counts with nothing left to decide,
 * because their items were counted again, are cancelled: a cancelled workflow reads how its rows have ended. Their rows
 * are read after the list of what runs, so that none is ended whose rows are still being created.
 */
export async function endWithTheirRows(
  client: Client,
  taskQueue: string,
  runs: Run[],
  open: Set<string>,
): Promise<void> {
  const ours = runs.filter((run) => run.taskQueue === taskQueue);
  for (const { workflowId, type } of ours)
    if (["transferOrder", "rma", "inspection", "recall", "replenishment"].includes(type) && !open.has(workflowId))
      await tell(client, workflowId, "changed");
  const counts = ours.filter(({ type }) => type === "cycleCount");
  if (counts.length === 0) return;
  for (const id of await endedCountIds(counts.map(({ workflowId }) => Number(workflowId.slice(COUNT_WORKFLOW.length)))))
    await client.workflow
      .getHandle(countWorkflowId(id))
      .cancel()
      .catch((err) => log.warn({ err, count_id: id }, "the workflow of a count that was counted again has not ended"));
}

/**
 * Has returns end that nobody has touched for the days of setting `returns_expire_days`. No timer of theirs does: they
 * wait for months, and the setting is for those that wait already, too.
 */
async function endOverdueReturns(client: Client, known: Set<string>): Promise<void> {
  const overdue = (await overdueReturns()).map(({ id }) => returnWorkflowId(id)).filter((id) => known.has(id));
  await someAtOnce(overdue.slice(0, MAX_STARTS), (workflowId) => tell(client, workflowId, "overdue"));
}

const tell = (client: Client, workflowId: string, signal: string) =>
  client.workflow
    .getHandle(workflowId)
    .signal(signal)
    .catch((err) => log.warn({ err, workflowId, signal }, "a workflow was not told of its rows"));
