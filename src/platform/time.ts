import { z } from "zod";

/**
 * Whether a text is the name of a time zone. Only names: an offset such as +02:00 has no daylight saving time, and
 * Postgres inverts its sign.
 */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Z]/i.test(name);
  } catch {
    return false;
  }
}

/** The day that a date as text means: `2026-05-06`, also with a time behind it. Undefined when there is no such day. */
export function dayOf(text: string): string | undefined {
  const day = /^(\d{4}-\d\d-\d\d)([T ]|$)/.exec(text.trim())?.[1];
  // Postgres knows no year zero.
  return z.iso.date().safeParse(day).success && day?.slice(0, 4) !== "0000" ? day : undefined;
}

const DAY_MS = 86_400_000;
const LAST_DAY = "9999-12-31";

/** The day so many days after another one; the last day that a date has, where it would be later. */
export function dayAfter(day: string, days: number): string {
  const after = new Date(Date.parse(day) + days * DAY_MS).toISOString();
  return after.startsWith("+") ? LAST_DAY : after.slice(0, 10);
}

/** How many days after `from` a day is; negative when it is before. */
export const daysUntil = (day: string, from: string): number => (Date.parse(day) - Date.parse(from)) / DAY_MS;
