import { language } from "./language.js";

type Maybe<T> = T | null | undefined;

/** What stands where there is nothing. */
export const NOTHING = "–";

export const number = (value: Maybe<number | string>) =>
  value === null || value === undefined || value === ""
    ? NOTHING
    : new Intl.NumberFormat(language()).format(Number(value));

export const time = (value: Maybe<string>) => format(value, { dateStyle: "medium", timeStyle: "short" });
export const day = (value: Maybe<string>) => format(value, { dateStyle: "medium" });

function format(value: Maybe<string>, options: Intl.DateTimeFormatOptions): string {
  if (!value) return NOTHING;
  // A day is no moment: it is the same in every time zone.
  const timeZone = value.length === 10 ? { timeZone: "UTC" } : {};
  return new Intl.DateTimeFormat(language(), { ...options, ...timeZone }).format(new Date(value));
}
