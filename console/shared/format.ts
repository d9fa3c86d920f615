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

/** An amount as the service says it, such as `19.9`, in a currency if one is known; the text is never made a float. */
export function money(amount: Maybe<string>, currency: Maybe<string>): string {
  if (!amount) return NOTHING;
  const style = currency ? ({ style: "currency", currency } as const) : { minimumFractionDigits: 2 };
  const digits = { maximumFractionDigits: 4 };
  return new Intl.NumberFormat(language(), { ...style, ...digits }).format(amount as Intl.StringNumericLiteral);
}

/** Whole cents as an amount. */
export function cents(amount: Maybe<number>, currency: Maybe<string>): string {
  if (amount === null || amount === undefined) return NOTHING;
  const digits = String(Math.abs(amount)).padStart(3, "0");
  return money(`${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency);
}

export const time = (value: Maybe<string>) => format(value, { dateStyle: "medium", timeStyle: "short" });
export const day = (value: Maybe<string>) => format(value, { dateStyle: "medium" });

/** A field for times has them without a zone, in that of the device. */
export const momentOf = (local: string) => (local ? new Date(local).toISOString() : "");
export function localTime(moment: string): string {
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** How long ago something was: `12 min ago`. */
export function age(value: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(value)) / 60_000));
  const [amount, unit] =
    minutes < 60
      ? ([minutes, "minute"] as const)
      : minutes < 48 * 60
        ? ([Math.round(minutes / 60), "hour"] as const)
        : ([Math.round(minutes / 1440), "day"] as const);
  return new Intl.RelativeTimeFormat(language(), { style: "short", numeric: "always" }).format(-amount, unit);
}

/** The hour that began then. */
export const hour = (value: Maybe<string>) => format(value, { hour: "2-digit", minute: "2-digit" });

function format(value: Maybe<string>, options: Intl.DateTimeFormatOptions): string {
  if (!value) return NOTHING;
  // A day is no moment: it is the same in every time zone.
  const timeZone = value.length === 10 ? { timeZone: "UTC" } : {};
  const text = new Intl.DateTimeFormat(language(), { ...options, ...timeZone }).format(new Date(value));
  // Neither the date nor the time is broken into lines.
  return text.replace(/ (?!\d+:)/g, "\u00a0");
}
