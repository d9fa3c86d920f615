import { type Page, type Source, SourceError, type SyncFrom } from "../connector.js";
import type { CsvConfig } from "./config.js";
import { Faults, fitRow } from "./faults.js";
import { restarting } from "./restart.js";
import { type FileKind, openRows, type Row, type VersionPosition } from "./rows.js";

/** Rows on a page. */
const PAGE = 250;
/** Most duplicate rows that a file may have: their numbers are carried from page to page. */
const MOST_REPEATED = 100;

/** The beginning of a page; without a place the file is checked first. */
interface Position {
  restarts: number;
  begun?: { place: VersionPosition; repeated: number[]; failure: string | null };
}
/** After the last page of a file with faults. */
interface Failed {
  failed: string;
}

/** A kind of file each of whose rows is a record. */
export interface RowFileKind<T> extends FileKind {
  /** The key that no two rows may have in common. */
  keyOf(values: Record<string, unknown>): string;
  recordOf(values: Record<string, unknown>, row: Row): T;
}

/**
 * A page of a file whose rows are records. Before the first page the whole file is checked, because duplicates are
 * known only then. The pages then begin at a byte, so the file is read twice in total.
 */
export async function pageOfRows<T>(
  source: Source<CsvConfig>,
  kind: RowFileKind<T>,
  { cursor }: SyncFrom,
): Promise<Page<T>> {
  const position: Position | Failed = cursor === null ? { restarts: 0 } : JSON.parse(cursor);
  if ("failed" in position) throw new SourceError(position.failed);
  const begin = (restarts: number): Position => ({ restarts });
  return restarting(kind.url, position, begin, async ({ restarts, begun }) => {
    const { place, repeated, failure } = begun ?? (await lookThrough(source, kind));
    const faults = new Faults(kind.url);
    const records: T[] = [];
    let next: Position | Failed | null = failure === null ? null : { failed: failure };
    if (!place) return { records, next: null };
    let last = place;
    let count = 0;
    for await (const row of (await openRows(source, kind, place)).rows) {
      if (count++ === PAGE) {
        next = { restarts, begun: { place: last, repeated, failure } };
        break;
      }
      last = { ...row.next, state: place.state };
      const values = fitRow(row, kind.columns, faults);
      if (values && !repeated.includes(row.number)) records.push(kind.recordOf(values, row));
    }
    return { records, next: next && JSON.stringify(next) };
  });
}

/** A file without rows has no place to begin at. */
async function lookThrough<T>(source: Source<CsvConfig>, kind: RowFileKind<T>) {
  const { begin, rows } = await openRows(source, kind);
  const faults = new Faults(kind.url);
  const rowOf = new Map<string, number>();
  const repeated: number[] = [];
  let place: VersionPosition | null = null;
  for await (const row of rows) {
    place = begin;
    const values = fitRow(row, kind.columns, faults);
    if (!values) continue;
    const earlier = rowOf.get(kind.keyOf(values));
    if (earlier === undefined) rowOf.set(kind.keyOf(values), row.number);
    else {
      repeated.push(row.number);
      faults.add(row.number, `it is about the same as row ${earlier}`);
    }
    if (repeated.length > MOST_REPEATED) throw new SourceError(`${faults.message}; nothing was read`);
  }
  return { place, repeated, failure: faults.message };
}
