import type { z } from "zod";
import { text } from "../../platform/db/columns.js";
import { nextRun, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { codeOf } from "../../platform/db/list.js";
import { CountProgramme } from "./shapes.js";

const ZONE = zoneOf("p.warehouse_id");

/** The columns of a count programme `p` that its record has. */
export const PROGRAMME = `p.programme_id, p.external_id, p.warehouse_id, ${codeOf("p.warehouse_id")}, p.interval_days_a,
  p.interval_days_b, p.interval_days_c, p.empty_interval_days, p.per_day, p.days, p.start_time, p.is_active, p.last_run,
  p.updated_at, case when p.is_active then ${nextRun("p.days", "array[p.start_time]", ZONE)} end as next_run_at`;

/** The programmes of these warehouses, of all by null. */
export const countProgrammes = (
  warehouseId: number | undefined,
  warehouses: number[] | null,
): Promise<CountProgramme[]> =>
  db.rows(
    CountProgramme,
    `select ${PROGRAMME} from count_programmes p
     where ($1::int is null or warehouse_id = $1) and ($2::int[] is null or warehouse_id = any($2))
     order by warehouse_id`,
    [warehouseId, warehouses],
  );

export const countProgramme = (programmeId: number): Promise<CountProgramme | undefined> =>
  db.row(CountProgramme, `select ${PROGRAMME} from count_programmes p where programme_id = $1`, [programmeId]);

/** What the schedule of a programme is made of. */
const Scheduled = CountProgramme.pick({
  ...{ programme_id: true, warehouse_id: true, warehouse_code: true, days: true, start_time: true },
  ...{ is_active: true, updated_at: true },
}).extend({ timezone: text });
export type ScheduledProgramme = z.infer<typeof Scheduled>;

const SCHEDULED = `select programme_id, warehouse_id, ${codeOf("p.warehouse_id")}, days, start_time, is_active,
    updated_at, ${ZONE} as timezone
  from count_programmes p`;

export const scheduledProgrammes = (): Promise<ScheduledProgramme[]> =>
  db.rows(Scheduled, `${SCHEDULED} order by programme_id`);

export const scheduledProgramme = (programmeId: number): Promise<ScheduledProgramme | undefined> =>
  db.row(Scheduled, `${SCHEDULED} where programme_id = $1`, [programmeId]);
