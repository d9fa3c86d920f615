import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, ExternalId, Id, Name, Time } from "../../platform/fields.js";
import { ClockTime, WeekDays } from "../../platform/week.js";
import { WaveToPlan } from "./shapes.js";

/** Plans of waves with a name, which are released by the clock: docs/waves.md. */

const TemplatePlan = WaveToPlan.omit({ warehouse_id: true, so_ids: true, batches: true }).meta({
  id: "WaveTemplatePlan",
  description: "Which orders are released, and in which batches.",
});
const TemplateName = Name(128, "Afternoon parcels");
const ShipWithinDays = z.int().min(0).max(365).nullable().meta({
  description: "Orders that must leave within so many days from the day of the run, 0 for that day itself; null: any.",
});
const Times = z
  .array(ClockTime)
  .min(1)
  .max(48)
  .meta({ examples: [["10:00", "14:00"]], description: "When it is released, by the clock of the warehouse." });
const CutOffMinutes = z
  .int()
  .min(1)
  .max(720)
  .nullable()
  .meta({
    description: "So many minutes after each time what came in meanwhile is released, too; null: one release.",
    examples: [90],
  });

const TemplateRun = z
  .strictObject({
    released_at: Time.describe("When its last release ended."),
    batches: z.int().describe("How many batches it made, with those at its cut-off."),
    orders: z.int().describe("How many orders are in them."),
    short: z.int().describe("How many orders there was not enough stock for."),
    late_minutes: z.int().describe("How many minutes after its time it began, such as after an outage."),
  })
  .meta({ id: "WaveTemplateRun", description: "What came of a run of a template." });

export const WaveTemplate = z
  .strictObject({
    template_id: Id.describe("Id of the template, by which routes name it."),
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    template_name: AnyText("Afternoon parcels").describe("What people call the template."),
    plan: TemplatePlan,
    ship_within_days: ShipWithinDays,
    days: WeekDays,
    times: Times,
    cut_off_minutes: CutOffMinutes,
    is_active: field.IsActive,
    next_run_at: Time.nullable().describe("When it is released next; null while it or its warehouse is not active."),
    last_run: TemplateRun.nullable().describe("What came of the last run; null before the first."),
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "WaveTemplate", description: "A plan of waves that is released by the clock." });
export type WaveTemplate = z.infer<typeof WaveTemplate>;

const fields = {
  template_name: TemplateName.describe("What people call the template."),
  plan: TemplatePlan,
  ship_within_days: ShipWithinDays,
  days: WeekDays,
  times: Times,
  cut_off_minutes: CutOffMinutes,
};

export const NewWaveTemplate = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  plan: TemplatePlan.default(TemplatePlan.parse({})),
  ship_within_days: fields.ship_within_days.default(null),
  days: fields.days.default([1, 2, 3, 4, 5]),
  cut_off_minutes: fields.cut_off_minutes.default(null),
});
export type NewWaveTemplate = z.infer<typeof NewWaveTemplate>;

export const WaveTemplateChanges = Edit({ ...fields, is_active: field.IsActive });
export type WaveTemplateChanges = z.infer<typeof WaveTemplateChanges>;
