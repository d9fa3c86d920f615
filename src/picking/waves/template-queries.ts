import type { z } from "zod";
import { text } from "../../platform/db/columns.js";
import { nextRun, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { codeOf } from "../../platform/db/list.js";
import { WaveTemplate } from "./templates.js";

const ZONE = zoneOf("t.warehouse_id");

/** The columns of a template `t` that its record has. */
export const TEMPLATE = `t.template_id, t.external_id, t.warehouse_id, ${codeOf("t.warehouse_id")}, t.template_name,
  t.plan, t.ship_within_days, t.days, t.times, t.cut_off_minutes, t.is_active, t.last_run, t.updated_at,
  case when t.is_active and (select is_active from warehouses w where w.warehouse_id = t.warehouse_id)
       then ${nextRun("t.days", "t.times", ZONE)} end as next_run_at`;

/** The templates of these warehouses, of all by null. */
export const waveTemplates = (warehouseId: number | undefined, warehouses: number[] | null): Promise<WaveTemplate[]> =>
  db.rows(
    WaveTemplate,
    `select ${TEMPLATE} from wave_templates t
     where ($1::int is null or warehouse_id = $1) and ($2::int[] is null or warehouse_id = any($2))
     order by warehouse_id, template_name`,
    [warehouseId, warehouses],
  );

export const waveTemplate = (templateId: number): Promise<WaveTemplate | undefined> =>
  db.row(WaveTemplate, `select ${TEMPLATE} from wave_templates t where template_id = $1`, [templateId]);

/** What the schedule of a template is made of. */
const Scheduled = WaveTemplate.pick({
  ...{ template_id: true, warehouse_id: true, warehouse_code: true, template_name: true, days: true, times: true },
  ...{ is_active: true, updated_at: true },
}).extend({ timezone: text });
export type ScheduledTemplate = z.infer<typeof Scheduled>;

const SCHEDULED = `select template_id, warehouse_id, ${codeOf("t.warehouse_id")}, template_name, days, times, is_active,
    updated_at, ${ZONE} as timezone
  from wave_templates t`;

export const scheduledTemplates = (): Promise<ScheduledTemplate[]> =>
  db.rows(Scheduled, `${SCHEDULED} order by template_id`);

export const scheduledTemplate = (templateId: number): Promise<ScheduledTemplate | undefined> =>
  db.row(Scheduled, `${SCHEDULED} where template_id = $1`, [templateId]);
