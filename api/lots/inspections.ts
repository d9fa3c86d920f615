import { decideInspection as decide } from "../../activities/lots/decide-inspection.js";
import {
  InspectionClosed,
  InspectionHasFewer,
  InspectionNotFound,
  LotIsDecidedWhole,
} from "../../src/lots/inspections/problems.js";
import { inspection, inspections, openInspection } from "../../src/lots/inspections/queries.js";
import {
  Inspection,
  InspectionDetail,
  InspectionFilters,
  InspectionParams,
  NewDecision,
} from "../../src/lots/inspections/shapes.js";
import { inspectionWorkflowId } from "../../src/lots/inspections/workflow.js";
import { shownWarehouses, visibleWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { Forbidden, WarehouseDenied, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { unleaving } from "../../src/serials/problems.js";
import type * as workflow from "../../workflows/inspection.js";
import { page, route } from "../http/route.js";
import { runUpdate } from "../http/workflow-updates.js";

/** Inspections of goods in quarantine: docs/inspection.md. Each is an `inspection` workflow until it is decided. */

export const listInspections = route("get /api/admin/inspections", {
  for: page("inventory"),
  summary: "Inspections of goods in quarantine, the newest first",
  query: InspectionFilters,
  answers: { 200: paged("inspections", Inspection, "The inspections, of units of one item each.") },
  run: ({ query, by }) => inspections(query, shownWarehouses(by, query.warehouse_id)),
});

export const getInspection = route("get /api/admin/inspections/:inspection_id", {
  for: page("inventory"),
  summary: "An inspection, with its units and what was decided",
  params: InspectionParams,
  answers: { 200: InspectionDetail },
  errors: [InspectionNotFound],
  run: async ({ params, by }) => {
    const found = await inspection(params.inspection_id, visibleWarehouses(by));
    if (!found) throw InspectionNotFound();
    return found;
  },
});

export const decideInspection = route("post /api/admin/inspections/:inspection_id/decide", {
  for: page("inventory"),
  summary:
    "Decides about units in quarantine: they are sold again, kept on hold or as damaged, or leave stock; " +
    "about a whole lot only an ADMIN does",
  params: InspectionParams,
  body: NewDecision,
  answers: { 200: Inspection },
  errors: [
    ...[InspectionNotFound, InspectionClosed, InspectionHasFewer, LotIsDecidedWhole, LotRecalled],
    ...unleaving,
    ...[Forbidden, WarehouseDenied, WorkflowEngineUnavailable],
  ],
  run: async ({ params: { inspection_id }, body, by, res }) => {
    const decided = await runUpdate<typeof workflow.inspection, typeof workflow.decide>(
      { by, res },
      {
        workflow: "inspection",
        workflowId: inspectionWorkflowId(inspection_id),
        args: [inspection_id, by],
        openIn: async () => (await openInspection(inspection_id))?.warehouse_id,
      },
      "decide",
      [body, by],
      () => decide(inspection_id, body, by),
    );
    return decided.inspection;
  },
});
