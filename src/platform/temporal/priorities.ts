import type { WorkflowClientInterceptor } from "@temporalio/client";
import type { Priority } from "@temporalio/common";

/**
 * Which workflows a task queue gives to its workers first while more wait than they take: the lowest number. Activities
 * and children have that of the workflow that starts them, and a run that is continued as new keeps its own.
 */
const FLOOR = 1;
const OUTBOUND = 3;
const BACKGROUND = 5;

export const priorities: Record<string, number> = {
  pickWave: FLOOR,
  waveRelease: FLOOR,
  replenishment: FLOOR,
  cycleCount: FLOOR,
  countProgramme: FLOOR,
  transferOrder: FLOOR,
  rma: FLOOR,
  inspection: FLOOR,
  recall: FLOOR,
  approval: FLOOR,
  printJob: FLOOR,
  labelPurchase: FLOOR,
  carrierCollection: FLOOR,
  webhookDelivery: OUTBOUND,
  notificationDelivery: OUTBOUND,
  fulfillmentPush: OUTBOUND,
  sandbox: BACKGROUND,
  connectorSync: BACKGROUND,
  maintenance: BACKGROUND,
};

/** Workflows of the same priority that wait get an equal share for each warehouse, so none waits behind another's. */
export const ofWarehouse = (warehouseId: number): Priority => ({ fairnessKey: `warehouse:${warehouseId}` });

/** What a workflow is of: its rows, by their id, and their warehouse. */
export interface OfWarehouse {
  id: number;
  warehouse_id: number;
}

/** The priority of a workflow, with the share that its starter names. */
export const priorityOf = (workflow: string, share: Priority = {}): Priority => ({
  ...share,
  priorityKey: priorities[workflow],
});

/** Gives each workflow that a client starts its priority. */
export const prioritizing: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: prioritized(input.workflowType, input.options) }),
  signalWithStart: (input, next) => next({ ...input, options: prioritized(input.workflowType, input.options) }),
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartOptions: prioritized(input.workflowType, input.workflowStartOptions) }),
};

const prioritized = <O extends { priority?: Priority }>(workflow: string, options: O): O => ({
  ...options,
  priority: priorityOf(workflow, options.priority),
});
