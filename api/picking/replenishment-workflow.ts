import { replenishmentWorkflowId } from "../../src/picking/replenishment/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import type * as replenishment from "../../workflows/replenishment.js";
import { tellFromRows } from "../http/workflow-updates.js";

/**
 * Tells the replenishment of a warehouse that something was carried, released or set; if it does not run, it is
 * started. Where that is lost, its next look sees it, too.
 */
export function tellReplenishment(warehouseId: number, by: Actor): void {
  const start = {
    workflowId: replenishmentWorkflowId(warehouseId),
    args: [warehouseId, by] as [number, Actor],
    staticSummary: `Replenishment of warehouse ${warehouseId}`,
  };
  tellFromRows<typeof replenishment.replenishment>("replenishment", start, { warehouseId });
}
