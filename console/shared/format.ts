import { locale } from "./language.js";

type Maybe<T> = T | null | undefined;

/** The time zone by whose clock times are shown; that of the browser as long as none is known. */
let clock: string | undefined;
/** Whether times have the name of their zone behind them. */
let isNamed = false;

export const setClock = (zone: string | undefined) => {
  clock = zone;
};

/** What `show` says, by another clock: with its zone behind each time. */
export function byClock<T>(zone: string | undefined, show: () => T): T {
  if (zone === undefined || zone === clock) return show();
  const page = clock;
  [clock, isNamed] = [zone, true];
  try {
    return show();
  } finally {
    [clock, isNamed] = [page, false];
  }
}

/** What stands where there is nothing. */
export const NOTHING = "–";

export const number = (value: Maybe<number | string>) =>
  value === null || value === undefined || value === ""
    ? NOTHING
    : new Intl.NumberFormat(locale()).format(Number(value));

/** A part of one. */
export const percent = (value: Maybe<number>) =>
  value === null || value === undefined
    ? NOTHING
    : new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 }).format(value);

/** An amount as the service says it, such as `19.9`, in a currency if one is known; the text is never made a float. */
export function money(amount: Maybe<string>, currency: Maybe<string>): string {
  if (!amount) return NOTHING;
  const style = currency ? ({ style: "currency", currency } as const) : { minimumFractionDigits: 2 };
  const digits = { maximumFractionDigits: 4 };
  return new Intl.NumberFormat(locale(), { ...style, ...digits }).format(amount as Intl.StringNumericLiteral);
}

/** Whole cents as an amount. */
export function cents(amount: Maybe<number>, currency: Maybe<string>): string {
  if (amount === null || amount === undefined) return NOTHING;
  const digits = String(Math.abs(amount)).padStart(3, "0");
  return money(`${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency);
}

export const time = (value: Maybe<string>) => format(value, { dateStyle: "medium", timeStyle: "short" });
export const timeWithSeconds = (value: Maybe<string>) => format(value, { dateStyle: "medium", timeStyle: "medium" });
export const timeOfDay = (value: Maybe<string>) => format(value, { timeStyle: "short" });
export const day = (value: Maybe<string>) => format(value, { dateStyle: "medium" });

/** A field for times has them without a zone: they are those of the clock. */
export function momentOf(local: string): string {
  if (!local) return "";
  const wall = Date.parse(`${local}Z`);
  // Close to a change of the clock the first guess may lie behind it.
  return new Date(wall - aheadAt(wall - aheadAt(wall))).toISOString();
}
export function localTime(moment: string): string {
  const at = Date.parse(moment);
  return new Date(at + aheadAt(at)).toISOString().slice(0, 16);
}

/** How far the clock is ahead of UTC at a moment. */
function aheadAt(moment: number): number {
  const numeric = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const ofClock = { timeZone: clock, hourCycle: "h23", hour: "numeric", minute: "numeric", second: "numeric" } as const;
  const parts = new Intl.DateTimeFormat("en", { ...numeric, ...ofClock }).formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return wall - Math.floor(moment / 1000) * 1000;
}

/** The day so many days before today, as `2026-05-06`. */
export function dayAgo(days: number): string {
  const now = Date.now();
  return new Date(now + aheadAt(now) - days * 86_400_000).toISOString().slice(0, 10);
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
  return new Intl.RelativeTimeFormat(locale(), { style: "short", numeric: "always" }).format(-amount, unit);
}

/** The hour that began then, by the clock that a report is by. */
export const hour = (value: Maybe<string>, timeZone: string) =>
  format(value, { hour: "2-digit", minute: "2-digit", timeZone });

function format(value: Maybe<string>, options: Intl.DateTimeFormatOptions): string {
  if (!value) return NOTHING;
  // A day is no moment: it is the same in every time zone.
  const isDay = value.length === 10;
  const date = new Date(value);
  const timeZone = isDay ? "UTC" : (options.timeZone ?? clock);
  const shown = new Intl.DateTimeFormat(locale(), { ...options, timeZone }).format(date);
  const text = isNamed && !isDay ? `${shown} ${nameOf(timeZone, date)}` : shown;
  // Neither the date nor the time is broken into lines.
  return text.replace(/ (?!\d+:)/g, "\u00a0");
}

/** What a time zone is called then, such as `GMT-5`. */
const nameOf = (timeZone: string | undefined, date: Date) =>
  new Intl.DateTimeFormat(locale(), { timeZone, timeZoneName: "short" })
    .formatToParts(date)
    .find(({ type }) => type === "timeZoneName")?.value;

/** What a customer wants of the units of a line, without what the shop's programs noted of it. */
export const wishes = (properties: { name: string; value: string }[]): string =>
  properties
    .filter(({ name }) => !name.startsWith("_"))
    .map(({ name, value }) => (value ? `${name}: ${value}` : name))
    .join(" · ");
