import type { Arrangement } from "../../src/platform/list.js";

/** The records of an unpaged list that changed since, in the requested order. */
export function arrangedRecords<T extends object>(records: T[], { sort, updated_since }: Arrangement): T[] {
  const fieldOf = (record: T, field: string) => (record as Record<string, unknown>)[field] ?? null;
  const changed = updated_since
    ? records.filter((record) => instant(String(fieldOf(record, "updated_at"))) >= instant(updated_since))
    : records;
  if (!sort) return changed;
  // Records with equal values keep the order of the list: sorting is stable.
  return changed.toSorted((one, other) => {
    for (const { column, order } of sort) {
      const difference = compare(fieldOf(one, column), fieldOf(other, column));
      if (difference !== 0) return order === "desc" ? -difference : difference;
    }
    return 0;
  });
}

/** As in Postgres, null comes after all values. */
function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return (one as string) < (other as string) ? -1 : 1;
}

/** A time in UTC as text that sorts by time: with all of its six decimals. */
const instant = (time: string) => `${time.slice(0, 19)}.${(/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(6, "0")}`;
