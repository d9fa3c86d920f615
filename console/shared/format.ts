import { language } from "./language.js";

type Maybe<T> = T | null | undefined;

/** What stands where there is nothing. */
export const NOTHING = "–";

export const number = (value: Maybe<number | string>) =>
  value === null || value === undefined || value === ""
    ? NOTHING
    : new Intl.NumberFormat(language()).format(Number(value));

/** A part of one. */
export const percent = (value: Maybe<number>) =>
  value === null || value === undefined
    ? NOTHING
    : new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 1 }).format(value);

export const time = (value: Maybe<string>) => format(value, { dateStyle: "medium", timeStyle: "short" });
export const day = (value: Maybe<string>) => format(value, { dateStyle: "medium" });

/** A field for times has them without a zone, in that of the device. */
export const momentOf = (local: string) => (local ? new Date(local).toISOString() : "");
export function localTime(moment: string): string {
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function format(value: Maybe<string>, options: Intl.DateTimeFormatOptions): string {
  if (!value) return NOTHING;
  // A day is no moment: it is the same in every time zone.
  const timeZone = value.length === 10 ? { timeZone: "UTC" } : {};
  return new Intl.DateTimeFormat(language(), { ...options, ...timeZone }).format(new Date(value));
}
