import type { OfInspection } from "../../src/lots/inspections/queries.js";
import { inspectionWorkflowId } from "../../src/lots/inspections/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import type * as inspections from "../../workflows/inspection.js";
import { tellFromRows } from "../http/workflow-updates.js";

/** Tells the workflow of an inspection that its rows were made or changed; if it does not run, it is started. */
export function tellInspection({ id, warehouse_id: warehouseId }: OfInspection, by: Actor): void {
  const staticSummary = `Inspection ${id}, opened by ${by.username}`;
  const start = { workflowId: inspectionWorkflowId(id), args: [id, by] as [number, Actor], staticSummary };
  tellFromRows<typeof inspections.inspection>("inspection", start, { warehouseId });
}
