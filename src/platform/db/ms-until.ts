/** SQL: whole milliseconds until a time: none where it has passed, and never more than an `int` holds. */
export const msUntil = (time: string) =>
  `least(2147483647, greatest(0, ceil(extract(epoch from ${time} - now()) * 1000)))::int`;
