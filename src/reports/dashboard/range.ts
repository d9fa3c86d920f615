import type { DomainError } from "../../platform/problem.js";
import { dayOf } from "../../platform/time.js";
import { RangeTooLarge } from "../problems.js";
import type { DayRange } from "./shapes.js";

const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

/** Makes the error for a field. */
type Refuse = (field: keyof DayRange, fault: string, missing: boolean) => DomainError;

/**
 * The range of the two given days; throws unless both are days, in this order, at most 90 days apart
 * (docs/interface.md, Limits).
 */
export function rangeOf(start: string | undefined, end: string | undefined, refuse: Refuse): DayRange {
  const range = { start: dayIn("start", start), end: dayIn("end", end) };
  if (range.end < range.start) throw refuse("end", "end is before start", false);
  const requested_days = (Date.parse(range.end) - Date.parse(range.start)) / DAY_MS + 1;
  if (requested_days > MAX_DAYS) throw RangeTooLarge({}, { max_range_days: MAX_DAYS, requested_days });
  return range;

  function dayIn(field: keyof DayRange, text: string | undefined): string {
    const day = dayOf(text ?? "");
    if (day) return day;
    throw text === undefined
      ? refuse(field, `${field} is required`, true)
      : refuse(field, `${field} is not a date as YYYY-MM-DD`, false);
  }
}
