import { z } from "zod";
import * as activities from "../../activities/picking/wave-templates.js";
import { UnknownWarehouse, UnknownZone } from "../../src/master-data/problems.js";
import { ReleaseWarehouseInactive, TemplateNameTaken, TemplateNotFound } from "../../src/picking/problems.js";
import { WavesReleased } from "../../src/picking/waves/shapes.js";
import { scheduledTemplate, waveTemplate, waveTemplates } from "../../src/picking/waves/template-queries.js";
import { applyTemplateSchedule, templateScheduleId } from "../../src/picking/waves/template-schedules.js";
import { NewWaveTemplate, WaveTemplate, WaveTemplateChanges } from "../../src/picking/waves/templates.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { removeSchedule } from "../../src/platform/temporal/row-schedules.js";
import { page, route } from "../http/route.js";
import { temporally } from "../http/row-schedules.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";
import { tellReplenishment } from "./replenishment-workflow.js";

/** Plans of waves that are released by the clock: docs/waves.md. */

const params = z.strictObject({ template_id: QueryInt.describe("Id of the template, by which routes name it.") });

export const listWaveTemplates = route("get /api/admin/wave-templates", {
  for: page("picking-batches"),
  summary: "Plans of waves that are released by the clock, with their last and next runs",
  query: z.object({ ...wholeList(WaveTemplate), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: {
    200: z.strictObject({
      wave_templates: z.array(WaveTemplate).describe("Each plan of waves that is released by the clock."),
    }),
  },
  run: async ({ query, by }) => ({
    wave_templates: await waveTemplates(query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
  }),
});

export const getWaveTemplate = route("get /api/admin/wave-templates/:template_id", {
  for: page("picking-batches"),
  summary: "A plan of waves that is released by the clock",
  params,
  answers: { 200: WaveTemplate },
  errors: [TemplateNotFound, WarehouseDenied],
  run: async ({ params: { template_id }, by }) => {
    const template = await waveTemplate(template_id);
    if (!template) throw TemplateNotFound();
    checkWarehouse(by, template.warehouse_id);
    return template;
  },
});

export const createWaveTemplate = route("post /api/admin/wave-templates", {
  for: page("picking-batches"),
  summary: "Makes a plan of waves that is released by the clock",
  body: NewWaveTemplate,
  answers: { 201: WaveTemplate },
  errors: [UnknownWarehouse, UnknownZone, TemplateNameTaken],
  run: async ({ body, by }) => scheduled(await activities.createWaveTemplate(body, by)),
});

export const updateWaveTemplate = route("put /api/admin/wave-templates/:template_id", {
  for: page("picking-batches"),
  summary: "Changes what is sent of a plan of waves; `is_active` false stops it",
  params,
  body: WaveTemplateChanges,
  answers: { 200: WaveTemplate },
  errors: [TemplateNotFound, WarehouseDenied, UnknownZone, TemplateNameTaken],
  run: async ({ params, body, by }) => scheduled(await activities.updateWaveTemplate(params.template_id, body, by)),
});

export const deleteWaveTemplate = route("delete /api/admin/wave-templates/:template_id", {
  for: page("picking-batches"),
  summary: "Deletes a plan of waves; what it released stays",
  params,
  answers: { 200: Message },
  errors: [TemplateNotFound, WarehouseDenied],
  run: async ({ params: { template_id }, by }) => {
    const deleted = await activities.deleteWaveTemplate(template_id, by);
    await temporally({ template_id }, () => removeSchedule(temporalClient(), templateScheduleId({ template_id })));
    return deleted;
  },
});

export const runWaveTemplate = route("post /api/admin/wave-templates/:template_id/run", {
  for: page("picking-batches"),
  summary: "Releases now what a template plans, beside its times",
  params,
  answers: { 200: WavesReleased },
  errors: [TemplateNotFound, WarehouseDenied, ReleaseWarehouseInactive],
  run: async ({ params: { template_id }, by }) => {
    const released = await activities.runWaveTemplate(template_id, by);
    const template = released.waiting && (await scheduledTemplate(template_id));
    if (template) tellReplenishment(template.warehouse_id, by);
    return released;
  },
});

async function scheduled(template: WaveTemplate): Promise<WaveTemplate> {
  const { template_id } = template;
  const row = await scheduledTemplate(template_id);
  if (row)
    await temporally({ template_id }, () =>
      applyTemplateSchedule(temporalClient(), row, { temporalTaskQueue: taskQueue }, "changed"),
    );
  return template;
}
