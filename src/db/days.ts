import { z } from "zod";
import { db } from "./db.js";

/** Days begin in the company's time zone (SERVICE_COMPANY_TIMEZONE), which `connect` sets on every connection. */
const ZONE = "current_setting('company.time_zone')";

/** The SQL that gives the company's day of a `timestamptz` expression. */
export function companyDay(timestamp: string): string {
  return `(${timestamp} at time zone ${ZONE})::date`;
}

/**
 * The SQL of the moment at which a day of the company begins: `at >= dayBegins("$1") and at < dayBegins("$2::date +
 * 1")`. Computed from the end of the day before: where clocks change at midnight, 00:00 comes twice or not at all.
 */
export function dayBegins(day: string): string {
  return `(((${day})::date - interval '1 microsecond') at time zone ${ZONE} + interval '1 microsecond')`;
}

/** The SQL of the moment at which the hour of a `timestamptz` expression began, by the company's clocks. */
export function hourBegan(timestamp: string): string {
  return `date_trunc('hour', ${timestamp}, ${ZONE})`;
}

/** The SQL of noon of a day in the company's time zone: the time that is stored for a day without one. */
export function companyNoon(day: string): string {
  return `(((${day})::date + time '12:00') at time zone ${ZONE})`;
}

/** The company's day now. */
export async function companyToday(): Promise<string> {
  const now = await db.row<{ day: string }>(`select ${companyDay("now()")} as day`);
  return now?.day as string;
}

/** The day that a date as text means: `2026-05-06`, also with a time behind it. Undefined when there is no such day. */
export function dayOf(text: string): string | undefined {
  const day = /^(\d{4}-\d\d-\d\d)([T ]|$)/.exec(text.trim())?.[1];
  // Postgres knows no year zero.
  return z.iso.date().safeParse(day).success && day?.slice(0, 4) !== "0000" ? day : undefined;
}
