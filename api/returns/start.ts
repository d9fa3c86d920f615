import type { Actor } from "../../src/platform/actor.js";
import type { OfWarehouse } from "../../src/platform/temporal/priorities.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import type * as returns from "../../workflows/rma.js";
import { startFromRows, tellFromRows } from "../http/workflow-updates.js";

/** Starts the workflow of a return that a till made, without waiting for it: a customer waits there. */
export const startReturnOfTill = ({ id, warehouse_id: warehouseId }: OfWarehouse, by: Actor): void =>
  startFromRows<typeof returns.rma>("rma", returnWorkflowId(id), {
    ...{ args: [id, by], warehouseId, staticSummary: `Return ${id}, made at a till` },
  });

/**
 * Tells the workflow of a return that its rows were changed without a step of it, so that it reads them again; if it
 * has ended, it is started again.
 */
export function tellReturn({ id, warehouse_id: warehouseId }: OfWarehouse, by: Actor): void {
  const staticSummary = `Return ${id}, from its rows`;
  const start = { workflowId: returnWorkflowId(id), args: [id, by] as [number, Actor], staticSummary };
  tellFromRows<typeof returns.rma>("rma", start, { warehouseId });
}
