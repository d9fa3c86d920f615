import { setImmediate as othersRun } from "node:timers/promises";
import { CsvError, type Info, type Parser, parse } from "csv-parse";
import { asUtf8, Detector, type Encoding, fromWindows, isWide, markOf } from "./encoding.js";
import { withoutWrap } from "./formulas.js";
import { type ColumnNames, FileFault, type Header, headerOf, LONGEST_ROW } from "./header.js";

/** The one reader of CSV files: those that people import at the desk, and those that connectors fetch. */

/** A row of a file, with its texts by column; null for an empty one. */
export interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  number: number;
  values: Record<string, string | null>;
  /** Why the row as such cannot be used; null for one that can. */
  fault: string | null;
  /** Where the next row begins. */
  next: Position;
}

/** Where reading begins or continues. */
export interface Position {
  header: Header;
  /** Null while all that was read is ASCII. */
  encoding: Encoding | null;
  /** The byte; of a file in UTF-16 that of its text in UTF-8. */
  at: number;
  /** The number of the last row before it. */
  row: number;
}

/** The bytes of a file, from one of them on. */
export type Open = (at: number) => AsyncGenerator<Buffer>;

/**
 * Opens a file at a position, or at its beginning. Throws `FileFault` for a malformed header; iterating over the rows
 * throws it for malformed quotes, after which nothing can be read.
 */
export async function openRows(
  open: Open,
  names: ColumnNames,
  place?: Position,
): Promise<{ begin: Position; rows: AsyncGenerator<Row> }> {
  if (place) return { begin: place, rows: rowsFrom(open, place, bytesFrom(open, place)) };
  const parts = open(0);
  const first = (await parts.next()).value ?? Buffer.alloc(0);
  const { encoding, length: mark } = markOf(first);
  const begun = chained(first, parts);
  const bytes = isWide(encoding) ? asUtf8(encoding, begun) : begun;
  const head = (await bytes.next()).value ?? Buffer.alloc(0);
  const skipped = isWide(encoding) ? 0 : mark;
  const { header, length } = headerOf(head.subarray(skipped), names);
  const begin = { header, encoding, at: skipped + length, row: 1 };
  return { begin, rows: rowsFrom(open, begin, chained(head.subarray(begin.at), bytes)) };
}

async function* chained(first: Buffer, others: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* others;
}

async function* bytesFrom(open: Open, { encoding, at }: Position): AsyncGenerator<Buffer> {
  if (!isWide(encoding)) return yield* open(at);
  let left = at;
  for await (const part of asUtf8(encoding, open(0))) {
    yield part.subarray(left);
    left = Math.max(left - part.length, 0);
  }
}

/** Continues after the last row where the bytes turn out not to be UTF-8. */
async function* rowsFrom(open: Open, begin: Position, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Row> {
  let place = begin;
  try {
    for await (const row of parsed(place, bytes)) {
      place = row.next;
      yield row;
    }
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    const other = { ...place, encoding: "windows-1252" } as const;
    yield* parsed(other, open(other.at));
  }
}

class NotUtf8 extends Error {}

async function* parsed(begin: Position, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Row> {
  const { columns, delimiter } = begin.header;
  const isWindows = begin.encoding === "windows-1252";
  const options = { relax_column_count: true, skip_empty_lines: true, trim: true, max_record_size: LONGEST_ROW };
  const parser = parse({ ...options, delimiter, info: true, encoding: isWindows ? "latin1" : "utf8" });
  // Handled below, as the error of the iteration.
  parser.on("error", () => {});
  const known = { encoding: begin.encoding };
  try {
    for await (const { record, info } of recordsOf(parser, bytes, known)) {
      if (record.every((text) => text === "")) continue;
      const texts = (isWindows ? record.map(fromWindows) : record).map(withoutWrap);
      const number = begin.row + info.records + info.empty_lines;
      const next = { header: begin.header, encoding: known.encoding, at: begin.at + info.bytes, row: number };
      const values = Object.fromEntries(columns.map((column, i) => [column, texts[i] || null]));
      yield { number, values, fault: faultOf(texts, columns), next };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = begin.row + parser.info.records + parser.info.empty_lines + 1;
    throw new FileFault(`row ${row}: ${quoteFaults[error.code] ?? error.message}`);
  }
}

interface Parsed {
  record: string[];
  info: Info;
}

/**
 * The bytes that are parsed at once: more would block everything else in this process, and stay in memory until it is
 * read.
 */
const PIECE = 4 * 1024;

/** Without a stream pipeline, which would fetch the next part before the records of this one are read. */
async function* recordsOf(
  parser: Parser,
  parts: AsyncGenerator<Buffer>,
  known: { encoding: Encoding | null },
): AsyncGenerator<Parsed> {
  const detector = new Detector();
  for await (const part of parts)
    for (let at = 0; at < part.length; at += PIECE) {
      await othersRun();
      const piece = part.subarray(at, at + PIECE);
      known.encoding ??= told(detector.tell(piece));
      parser.write(piece);
      if (parser.errored) throw parser.errored;
      for (let record: Parsed | null = parser.read(); record !== null; record = parser.read()) yield record;
    }
  if (known.encoding === null && detector.isUnfinished) throw new NotUtf8();
  parser.end();
  yield* parser as AsyncIterable<Parsed>;
}

function told(encoding: "utf-8" | "windows-1252" | null): Encoding | null {
  if (encoding === "windows-1252") throw new NotUtf8();
  return encoding;
}

const doubled = 'a value with a quote in it has to stand in quotes, and the quote to be doubled: "3"" pipe"';
const quoteFaults: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and never closed",
  CSV_INVALID_CLOSING_QUOTE: doubled,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: doubled,
  INVALID_OPENING_QUOTE: doubled,
  CSV_MAX_RECORD_SIZE: `it is longer than ${LONGEST_ROW} bytes; is a quote not closed?`,
};

function faultOf(texts: string[], columns: string[]): string | null {
  // Spreadsheets write empty values behind the last column.
  const count = texts.findLastIndex((text) => text !== "") + 1;
  if (texts.length < columns.length || count > columns.length)
    return `it has ${texts.length} values, and the header has ${columns.length} columns`;
  return texts.some((text) => text.includes("\uFFFD")) ? "it is not UTF-8, or has characters that were lost" : null;
}
