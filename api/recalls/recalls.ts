import { closeRecall as close, destroyRecalled, markTold } from "../../activities/recalls/index.js";
import { LotNotFound } from "../../src/lots/problems.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { ScannedOtherItem } from "../../src/platform/barcodes/problems.js";
import { paged } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import * as problems from "../../src/recalls/problems.js";
import {
  openRecall as openIn,
  recall,
  recallExists,
  recallOrders,
  recalls,
  takeRecallId,
} from "../../src/recalls/queries.js";
import {
  Destruction,
  NewRecall,
  Recall,
  RecallClosing,
  RecallDetail,
  RecallDone,
  RecallFilters,
  RecallOpened,
  RecallOrder,
  RecallOrderFilters,
  RecallParams,
  recallOrderList,
  ToldOrders,
} from "../../src/recalls/shapes.js";
import { openUnits, type RecallState, recallWorkflowId } from "../../src/recalls/workflow.js";
import { SerialRecalled, unleaving } from "../../src/serials/problems.js";
import { InsufficientStock } from "../../src/stock/problems.js";
import type * as workflow from "../../workflows/recall.js";
import { admin, route } from "../http/route.js";
import { runUpdate, startWithUpdate } from "../http/workflow-updates.js";

/** Recalls: docs/recall.md. They concern all warehouses. Each is a `recall` workflow until it is closed. */

export const listRecalls = route("get /api/admin/recalls", {
  for: admin,
  summary: "Recalls, the newest first",
  query: RecallFilters,
  answers: { 200: paged("recalls", Recall, "The recalls, one entry for each.") },
  run: ({ query }) => recalls(query),
});

export const openRecall = route("post /api/admin/recalls", {
  for: admin,
  stepUp: true,
  summary: "Calls lots or serials back: holds them, counts where they lie, and lists the orders that got units",
  body: NewRecall,
  answers: { 201: RecallOpened },
  errors: [
    ...[LotNotFound, problems.LotRecalled, ItemNotFound, problems.RecalledSerialNotFound, SerialRecalled],
    ...[ScannedOtherItem, WorkflowEngineUnavailable],
  ],
  run: async ({ body, by, res }) => {
    const recallId = await takeRecallId();
    const { recall_id } = await startWithUpdate<typeof workflow.recall, typeof workflow.created>(
      { by, res },
      "recall",
      recallWorkflowId(recallId),
      { args: [recallId, by, body], staticSummary: `Recall ${recallId}, opened by ${by.username}` },
      "created",
      [],
    );
    res.setHeader("X-Service-Workflow-Id", recallWorkflowId(recall_id));
    return { message: `Recall ${recall_id} is open`, recall_id };
  },
});

export const getRecall = route("get /api/admin/recalls/:recall_id", {
  for: admin,
  summary: "A recall, with where each of its units is and what is open",
  params: RecallParams,
  answers: { 200: RecallDetail },
  errors: [problems.RecallNotFound],
  run: ({ params }) => found(params.recall_id),
});

export const listRecallOrders = route("get /api/admin/recalls/:recall_id/orders", {
  for: admin,
  summary: "The orders that have had units of a recall, with what of these is open",
  params: RecallParams,
  query: RecallOrderFilters,
  answers: { 200: paged("orders", RecallOrder, "The orders, one entry for each.", recallOrderList.totals) },
  errors: [problems.RecallNotFound],
  run: async ({ params, query }) => {
    if (!(await recallExists(params.recall_id))) throw problems.RecallNotFound();
    return recallOrders(params.recall_id, query);
  },
});

const unknown = [problems.RecallNotFound, problems.RecallClosed, WorkflowEngineUnavailable];

export const tellRecallCustomers = route("post /api/admin/recalls/:recall_id/told", {
  for: admin,
  summary: "Notes that the customers of orders were told of a recall",
  params: RecallParams,
  body: ToldOrders,
  answers: { 200: RecallDone },
  errors: [...unknown, problems.OrderNotOnRecall],
  run: async ({ params: { recall_id }, body, by, res }) => {
    const state = await runUpdate<typeof workflow.recall, typeof workflow.tell>(
      { by, res },
      workflowOf(recall_id, by),
      "tell",
      [body, by],
      () => markTold(recall_id, body, by),
    );
    return doneOf(`Customers of ${body.so_ids.length} order(s) are told`, state);
  },
});

export const destroyRecalledUnits = route("post /api/admin/recalls/:recall_id/destroy", {
  for: admin,
  stepUp: true,
  destructive: true,
  summary: "Takes units of a recall that were destroyed off the books",
  params: RecallParams,
  body: Destruction,
  answers: { 200: RecallDone },
  errors: [...unknown, problems.StockNotOnRecall, problems.SerialNotOnRecall, InsufficientStock, ...unleaving],
  run: async ({ params: { recall_id }, body, by, res }) => {
    const state = await runUpdate<typeof workflow.recall, typeof workflow.destroy>(
      { by, res },
      workflowOf(recall_id, by),
      "destroy",
      [body, by],
      () => destroyRecalled(recall_id, body, by),
    );
    return doneOf(`Units are taken off the books`, state);
  },
});

export const closeRecall = route("post /api/admin/recalls/:recall_id/close", {
  for: admin,
  stepUp: true,
  summary: "Closes a recall once each unit is accounted for, or by force with a reason",
  params: RecallParams,
  body: RecallClosing,
  answers: { 200: RecallDone },
  errors: [...unknown, problems.RecallReasonMissing, problems.RecallUnitsOpen],
  run: async ({ params: { recall_id }, body, by, res }) => {
    const state = await runUpdate<typeof workflow.recall, typeof workflow.close>(
      { by, res },
      workflowOf(recall_id, by),
      "close",
      [body, by],
      () => close(recall_id, body, by),
    );
    return doneOf(`Recall ${recall_id} is closed`, state);
  },
});

const doneOf = (message: string, { recall_id, units }: RecallState) => ({
  ...{ message, recall_id, units, units_open: openUnits(units) },
});

async function found(recallId: number): Promise<RecallDetail> {
  const detail = await recall(recallId);
  if (!detail) throw problems.RecallNotFound();
  return detail;
}

const workflowOf = (recallId: number, by: Actor) => ({
  workflow: "recall",
  workflowId: recallWorkflowId(recallId),
  args: [recallId, by] as Parameters<typeof workflow.recall>,
  openIn: () => openIn(recallId),
});
