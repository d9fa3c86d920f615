import { z } from "zod";

/** Days are cut in the company's time zone; no variable names one yet. */
const COMPANY_TIME_ZONE = "UTC";

/** The SQL that gives the company's day of a `timestamptz` expression. */
export function companyDay(timestamp: string): string {
  return `(${timestamp} at time zone '${COMPANY_TIME_ZONE}')::date`;
}

/** The day that a date as text means: `2026-05-06`, also with a time behind it. Undefined when there is no such day. */
export function dayOf(text: string): string | undefined {
  const day = /^(\d{4}-\d\d-\d\d)([T ]|$)/.exec(text.trim())?.[1];
  // Postgres knows no year zero.
  return z.iso.date().safeParse(day).success && day?.slice(0, 4) !== "0000"
    ? day
    : undefined;
}
