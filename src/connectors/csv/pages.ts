import { type Page, type Source, SourceError, type SyncFrom } from "../connector.js";
import type { CsvConfig } from "./config.js";
import { Faults, fitRow } from "./faults.js";
import { restarting } from "./restart.js";
import { openRows, type Place, type Row, type Sheet } from "./rows.js";

/** Rows on a page. */
const PAGE = 250;
/** Most duplicate rows that a file may have: their numbers are carried from page to page. */
const MOST_REPEATED = 100;

/** Where a page begins; without a place the file is looked through first. */
interface Position {
  restarts: number;
  begun?: { place: Place; repeated: number[]; failure: string | null };
}
/** Behind the last page of a file with faults. */
interface Failed {
  failed: string;
}

/** A kind of file each of whose rows is a record. */
export interface RowSheet<T> extends Sheet {
  /** What no two rows may have in common. */
  keyOf(values: Record<string, unknown>): string;
  recordOf(values: Record<string, unknown>, row: Row): T;
}

/**
 * A page of a file whose rows are records. The first one looks through the whole file, for what is wrong with it: only
 * then is it known which rows name the same thing. The pages then begin at a byte, so the file is read twice in all.
 */
export async function pageOfRows<T>(
  source: Source<CsvConfig>,
  sheet: RowSheet<T>,
  { cursor }: SyncFrom,
): Promise<Page<T>> {
  const position: Position | Failed = cursor === null ? { restarts: 0 } : JSON.parse(cursor);
  if ("failed" in position) throw new SourceError(position.failed);
  const begin = (restarts: number): Position => ({ restarts });
  return restarting(sheet.url, position, begin, async ({ restarts, begun }) => {
    const { place, repeated, failure } = begun ?? (await lookThrough(source, sheet));
    const faults = new Faults(sheet.url);
    const records: T[] = [];
    let next: Position | Failed | null = failure === null ? null : { failed: failure };
    if (!place) return { records, next: null };
    let last = place;
    let count = 0;
    for await (const row of (await openRows(source, sheet, place)).rows) {
      if (count++ === PAGE) {
        next = { restarts, begun: { place: last, repeated, failure } };
        break;
      }
      last = { ...row.next, state: place.state };
      const values = fitRow(row, sheet.columns, faults);
      if (values && !repeated.includes(row.number)) records.push(sheet.recordOf(values, row));
    }
    return { records, next: next && JSON.stringify(next) };
  });
}

/** A file without rows has no place to begin at. */
async function lookThrough<T>(source: Source<CsvConfig>, sheet: RowSheet<T>) {
  const { begin, rows } = await openRows(source, sheet);
  const faults = new Faults(sheet.url);
  const rowOf = new Map<string, number>();
  const repeated: number[] = [];
  let place: Place | null = null;
  for await (const row of rows) {
    place = begin;
    const values = fitRow(row, sheet.columns, faults);
    if (!values) continue;
    const earlier = rowOf.get(sheet.keyOf(values));
    if (earlier === undefined) rowOf.set(sheet.keyOf(values), row.number);
    else {
      repeated.push(row.number);
      faults.add(row.number, `it is about the same as row ${earlier}`);
    }
    if (repeated.length > MOST_REPEATED) throw new SourceError(`${faults.message}; nothing was read`);
  }
  return { place, repeated, failure: faults.message };
}
