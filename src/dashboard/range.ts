import { dayOf } from "../days.js";
import type { DomainError } from "../problem.js";
import { RangeTooLarge } from "./problems.js";

/** Days of the company, the first and the last one, both counting whole. */
export interface Range {
  start: string;
  end: string;
}

const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

/** Makes the refusal of a field. */
type Refuse = (
  field: keyof Range,
  fault: string,
  missing: boolean,
) => DomainError;

/** The range from one day to another, or a refusal: both must be days, in this order, and at most 90 (spec 8). */
export function rangeOf(
  start: string | undefined,
  end: string | undefined,
  refuse: Refuse,
): Range {
  const range = { start: dayIn("start", start), end: dayIn("end", end) };
  if (range.end < range.start)
    throw refuse("end", "end is before start", false);
  const requested_days =
    (Date.parse(range.end) - Date.parse(range.start)) / DAY_MS + 1;
  if (requested_days > MAX_DAYS)
    throw RangeTooLarge({}, { max_range_days: MAX_DAYS, requested_days });
  return range;

  function dayIn(field: keyof Range, text: string | undefined): string {
    const day = dayOf(text ?? "");
    if (day) return day;
    throw text === undefined
      ? refuse(field, `${field} is required`, true)
      : refuse(field, `${field} is not a date as YYYY-MM-DD`, false);
  }
}
