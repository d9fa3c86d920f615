import type { z } from "zod";
import { UnknownZone } from "../../src/master-data/problems.js";
import { TemplateNameTaken, TemplateNotFound } from "../../src/picking/problems.js";
import type { WavesReleased } from "../../src/picking/waves/shapes.js";
import { TEMPLATE } from "../../src/picking/waves/template-queries.js";
import type { NotReleased, ReleasedBefore, ScheduledRun } from "../../src/picking/waves/template-run.js";
import { type NewWaveTemplate, WaveTemplate, type WaveTemplateChanges } from "../../src/picking/waves/templates.js";
import { type Actor, checkWarehouse, partOf } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { dayAt, zoneOf } from "../../src/platform/db/days.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";
import { checkReleases, releaseWaves } from "./release-waves.js";

/**
 * Makes a template of a warehouse (docs/waves.md). Audit CREATE.
 *
 * Refusals: 400 `unknown_warehouse`, `unknown_zone`, 409 `template_name_taken`.
 */
export function createWaveTemplate(input: NewWaveTemplate, by: Actor): Promise<WaveTemplate> {
  return command("waveTemplates.create", by, input, async (tx) => {
    const { warehouse_id, ...fields } = input;
    await checkWarehouseExists(tx, warehouse_id);
    await checkZone(tx, input);
    const template = await written(
      tx,
      input,
      `insert into wave_templates as t
         (warehouse_id, template_name, plan, ship_within_days, days, times, cut_off_minutes)
       values (:warehouse_id, :template_name, :plan, :ship_within_days, :days, :times, :cut_off_minutes)`,
    );
    tx.audit({ action: "CREATE", ...entityOf(template), details: fields });
    return template;
  });
}

/**
 * Changes the sent fields of a template, which stays in its warehouse. Audit UPDATE.
 *
 * Refusals: 404 `template_not_found`, 400 `unknown_zone`, 409 `template_name_taken`.
 */
export function updateWaveTemplate(template_id: number, changes: WaveTemplateChanges, by: Actor) {
  return command("waveTemplates.update", by, { template_id, ...changes }, async (tx) => {
    const before = await lockTemplate(tx, template_id, by);
    const after = withChanges(before, changes);
    await checkZone(tx, after);
    const template = await written(
      tx,
      after,
      `update wave_templates t
       set template_name = :template_name, plan = :plan, ship_within_days = :ship_within_days, days = :days,
           times = :times, cut_off_minutes = :cut_off_minutes, is_active = :is_active, updated_at = clock_timestamp()
       where template_id = :template_id`,
    );
    auditEdit(tx, entityOf(before), before, after);
    return template;
  });
}

/** Deletes a template; batches that it released stay. Audit DELETE. */
export function deleteWaveTemplate(template_id: number, by: Actor): Promise<{ message: string }> {
  return command("waveTemplates.delete", by, { template_id }, async (tx) => {
    const template = await lockTemplate(tx, template_id, by);
    await tx.run("delete from wave_templates where template_id = $1", [template_id]);
    const { template_name } = template;
    tx.audit({ action: "DELETE", ...entityOf(template), details: { template_name } });
    return { message: `Template ${template_name} deleted` };
  });
}

const TemplateToRun = WaveTemplate.pick({
  ...{ warehouse_id: true, template_name: true, plan: true, cut_off_minutes: true, is_active: true },
}).extend({ warehouse_is_active: bool, ship_by_until: text.nullable() });
type TemplateToRun = z.infer<typeof TemplateToRun>;

const templateToRun = (template_id: number): Promise<TemplateToRun | undefined> =>
  db.row(
    TemplateToRun,
    `select warehouse_id, template_name, plan, cut_off_minutes, t.is_active, w.is_active as warehouse_is_active,
       (${dayAt("now()", zoneOf("t.warehouse_id"))} + ship_within_days)::text as ship_by_until
     from wave_templates t join warehouses w using (warehouse_id) where template_id = $1`,
    [template_id],
  );

/**
 * Releases what a template plans now, beside its times.
 *
 * Refusals: 404 `template_not_found`, 400 `release_warehouse_inactive`.
 */
export async function runWaveTemplate(template_id: number, by: Actor): Promise<WavesReleased> {
  const template = await templateToRun(template_id);
  if (!template) throw TemplateNotFound();
  checkWarehouse(by, template.warehouse_id);
  await checkReleases(template.warehouse_id);
  return run(template_id, template, by, 0);
}

/**
 * Releases what a template plans now, and notes at the template what came of it.
 *
 * @param before What the same run had released before its cut-off.
 */
async function run(
  template_id: number,
  { warehouse_id, template_name, plan, ship_by_until }: TemplateToRun,
  by: Actor,
  lateMinutes: number,
  before: ReleasedBefore = { batches: 0, orders: 0 },
): Promise<WavesReleased> {
  const filter = { ...plan.filter, ...(ship_by_until && { ship_by_until }) };
  const released = await releaseWaves({ ...plan, filter, warehouse_id }, by, { template_name });
  const { batches, orders, short } = countsOf(released);
  const done = {
    batches: before.batches + batches,
    orders: before.orders + orders,
    ...{ short, late_minutes: lateMinutes },
  };
  await command("waveTemplates.noteRun", partOf(by, "noted"), { template_id }, (tx) =>
    tx.run(
      `update wave_templates set last_run = $2::jsonb || jsonb_build_object('released_at', clock_timestamp())
       where template_id = $1`,
      [template_id, JSON.stringify(done)],
    ),
  );
  return released;
}

const countsOf = ({ batches, coverage }: WavesReleased) => ({
  batches: batches.length,
  orders: batches.reduce((sum, { total_orders }) => sum + total_orders, 0),
  short: coverage.orders - coverage.covered_orders,
});

/**
 * The same by the clock, as the system user. Nothing is released where the template is gone or switched off, or its
 * warehouse is.
 */
export async function releaseTemplate(
  template_id: number,
  commandId: string,
  lateMinutes: number,
  before?: ReleasedBefore,
): Promise<ScheduledRun | NotReleased> {
  const template = await templateToRun(template_id);
  if (!template) return { not_released: "deleted" };
  const { is_active, warehouse_is_active, warehouse_id, cut_off_minutes } = template;
  if (!is_active) return { not_released: "paused" };
  if (!warehouse_is_active) return { not_released: "warehouse_inactive" };
  const released = await run(template_id, template, systemActor(commandId), lateMinutes, before);
  return { warehouse_id, cut_off_minutes, ...countsOf(released) };
}

const entityOf = ({ template_id, warehouse_id }: Pick<WaveTemplate, "template_id" | "warehouse_id">) => ({
  entity: "WAVE_TEMPLATE",
  entityId: template_id,
  warehouseId: warehouse_id,
});

async function lockTemplate(tx: Tx, template_id: number, by: Actor): Promise<WaveTemplate> {
  const [, template] = await tx.inOrder([
    tx.run("select from wave_templates where template_id = $1 for update", [template_id]),
    tx.row(WaveTemplate, `select ${TEMPLATE} from wave_templates t where template_id = $1`, [template_id]),
  ]);
  if (!template) throw TemplateNotFound();
  checkWarehouse(by, template.warehouse_id);
  return template;
}

/** The template as it is after the statement, whose `plan` is written as JSON. */
async function written(tx: Tx, record: NewWaveTemplate | WaveTemplate, sql: string): Promise<WaveTemplate> {
  const { template_name } = record;
  const values = { ...record, plan: JSON.stringify(record.plan) };
  const statement = tx.row(WaveTemplate, `${sql} returning ${TEMPLATE}`, values);
  return (await refusingDuplicate(statement, TemplateNameTaken({ template_name }))) as WaveTemplate;
}

/** The zone of the filter, if it names one, is one of the template's warehouse. */
async function checkZone(tx: Tx, { warehouse_id, plan }: Pick<WaveTemplate, "warehouse_id" | "plan">): Promise<void> {
  const { zone_id } = plan.filter;
  if (zone_id === undefined) return;
  const sql = "select zone_id from zones where zone_id = $1 and warehouse_id = $2";
  if (!(await tx.row({ zone_id: int }, sql, [zone_id, warehouse_id]))) throw UnknownZone({ zone_id });
}
