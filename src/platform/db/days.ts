import { z } from "zod";
import { text } from "./columns.js";
import { db } from "./db.js";

/**
 * Days and hours are by a warehouse's clock: of its own time zone, else of the company's, which `connect` sets on every
 * connection (SERVICE_COMPANY_TIMEZONE). SQL that asks for a day names the zone.
 */
const COMPANY = "current_setting('company.time_zone')";

/** The time zone of a row's warehouse, whose qualified column is `warehouse`; for a row without one, the company's. */
export const zoneOf = (warehouse: string) =>
  `coalesce((select own.timezone from warehouses own where own.warehouse_id = ${warehouse}), ${COMPANY})`;

/** The same of a warehouse that is joined, from its column `timezone`: it is looked up once, and not for each row. */
export const zoneOfJoined = (timezone: string) => `coalesce(${timezone}, ${COMPANY})`;

/**
 * The time zone for data of several warehouses, an array or null for all: the one that they have in common, else the
 * company's.
 */
export const sharedZone = (warehouses: string) =>
  `(select case when count(distinct coalesce(w.timezone, ${COMPANY})) = 1
           then min(coalesce(w.timezone, ${COMPANY})) else ${COMPANY} end
    from warehouses w where case when ${warehouses}::int[] is null then is_active
                                 else warehouse_id = any(${warehouses}::int[]) end)`;

/** The day of a `timestamptz` expression. */
export const dayAt = (timestamp: string, zone: string) => `(${timestamp} at time zone ${zone})::date`;

/** Today, by the clock of a row's warehouse. */
export const todayAt = (warehouse: string) => dayAt("now()", zoneOf(warehouse));

/** No clock is more than a day away from it. */
const TODAY_UTC = dayAt("now()", "'UTC'");

/**
 * Conditions: a day is before today, or is today, by the clock of a row's warehouse. The first part says roughly the
 * same without the row, for an index; the clock is then asked of few rows.
 */
export const isBeforeToday = (day: string, warehouse: string) =>
  `(${day} <= ${TODAY_UTC} and ${day} < ${todayAt(warehouse)})`;
export const isToday = (day: string, warehouse: string) =>
  `(${day} between ${TODAY_UTC} - 1 and ${TODAY_UTC} + 1 and ${day} = ${todayAt(warehouse)})`;

/**
 * The moment at which a day begins. Computed from the end of the day before: where clocks change at midnight, 00:00
 * comes twice or not at all.
 */
export const dayBegins = (day: string, zone: string) =>
  `(((${day})::date - interval '1 microsecond') at time zone ${zone} + interval '1 microsecond')`;

/**
 * Conditions: a `timestamptz` column is of that day or a later one, or of that day or an earlier one. Where the zone
 * differs from row to row, no index helps with it, so the first part says roughly the same without one.
 */
export const fromDay = (column: string, day: string, zone: string) =>
  `(${column} >= (${day})::date - interval '16 hours' and ${column} >= ${dayBegins(day, zone)})`;
export const toDay = (column: string, day: string, zone: string) =>
  `(${column} < (${day})::date + interval '40 hours' and ${column} < ${dayBegins(`(${day})::date + 1`, zone)})`;

/** The days on which a row's warehouse, whose qualified column is `warehouse`, is closed. */
export const closedDaysOf = (warehouse: string) =>
  `(select shut.closed_days from warehouses shut where shut.warehouse_id = ${warehouse})`;

/** The day that is so many days (at least one) after another; closed days of a row's warehouse are not counted. */
export const openDaysAfter = (day: string, days: string, warehouse: string) => `(
  select later::date
  from warehouses shut, generate_series(
    (${day})::date + 1, (${day})::date + (${days})::int + cardinality(shut.closed_days), interval '1 day') later
  where shut.warehouse_id = ${warehouse} and later::date <> all(shut.closed_days)
  order by later offset greatest((${days})::int, 1) - 1 limit 1)`;

/** The moment at which the hour of a `timestamptz` expression began. */
export const hourBegan = (timestamp: string, zone: string) => `date_trunc('hour', ${timestamp}, ${zone})`;

/** Noon of a day: the time that is stored for a day without one. */
export const noonOf = (day: string, zone: string) => `(((${day})::date + time '12:00') at time zone ${zone})`;

/** The next moment of these `times` (HH:MM) of these `days` of the week (1 is Monday), by the clock of the zone. */
export function nextRun(days: string, times: string, zone: string): string {
  const today = dayAt("now()", zone);
  const run = `((d::date + c::time) at time zone ${zone})`;
  return `(
    select min(${run}) from generate_series(${today}, ${today} + 8, interval '1 day') d, unnest(${times}) c
    where extract(isodow from d) = any(${days}) and ${run} > now())`;
}

/** A clock: its time zone, and the current day there. */
export const Clock = z.strictObject({ timezone: text, today: text });
export type Clock = z.infer<typeof Clock>;

/** The common clock of these warehouses; null is all of them. */
export async function clockOf(warehouses: number[] | null): Promise<Clock> {
  const clock = await db.row(
    Clock,
    `select timezone, ${dayAt("now()", "timezone")} as today from (select ${sharedZone("$1")} as timezone) as shared`,
    [warehouses],
  );
  return clock as Clock;
}
