import { setImmediate as othersRun } from "node:timers/promises";
import { CsvError, type Info, type Parser, parse } from "csv-parse";
import { type Source, SourceError } from "../connector.js";
import type { CsvConfig } from "./config.js";
import { type Part, partsOf } from "./file.js";
import { type Header, headerOf, type Sheet } from "./header.js";

/** A row of a file, with its texts by column; null for an empty one. */
export interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  number: number;
  values: Record<string, string | null>;
  /** Why the row as such cannot be used; null for one that can. */
  fault: string | null;
  /** The byte at which the next row begins. */
  end: number;
}

/** Where a reading begins, or goes on. */
export interface Place {
  state: string;
  header: Header;
  /** The byte, and the number of the last row before it. */
  at: number;
  row: number;
}

/** A file that was opened. */
export interface Opened {
  begin: Place;
  rows: AsyncGenerator<Row>;
}

const LONGEST_ROW = 100_000;

/**
 * Opens a file at a place, or at its beginning. Throws `SourceError` for a malformed header; iterating over the rows
 * throws it for malformed quotes, behind which nothing can be read. `FileChanged` as `partsOf`.
 */
export async function openRows(source: Source<CsvConfig>, sheet: Sheet, place?: Place): Promise<Opened> {
  const url = source.config[sheet.url];
  if (url === undefined) throw new SourceError(`${sheet.url} is not set`);
  const parts = partsOf(source, url, place?.at, place?.state);
  const first = (await parts.next()).value as Part;
  if (place) return { begin: place, rows: rowsFrom(first, parts, place, sheet) };
  const { header, length } = headerOf(first.bytes, sheet);
  const begin = { state: first.state, header, at: length, row: 1 };
  return { begin, rows: rowsFrom({ ...first, bytes: first.bytes.subarray(length) }, parts, begin, sheet) };
}

async function* rowsFrom(first: Part, others: AsyncGenerator<Part>, begin: Place, sheet: Sheet): AsyncGenerator<Row> {
  const { columns, delimiter } = begin.header;
  const options = { relax_column_count: true, skip_empty_lines: true, trim: true, max_record_size: LONGEST_ROW };
  const parser = parse({ ...options, delimiter, info: true });
  // Thrown below instead.
  parser.on("error", () => {});
  try {
    for await (const { record, info } of recordsOf(parser, first, others)) {
      if (record.every((text) => text === "")) continue;
      const number = begin.row + info.records + info.empty_lines;
      yield { number, end: begin.at + info.bytes, ...read(record, columns) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = begin.row + parser.info.records + parser.info.empty_lines + 1;
    throw new SourceError(`${sheet.url}, row ${row}: ${quoteFaults[error.code] ?? error.message}`);
  }
}

interface Parsed {
  record: string[];
  info: Info;
}

/** Parsed at once: more would hold up everything else in this process, and stay in memory until it is read. */
const PIECE = 16 * 1024;

/** Without a stream pipeline, which would fetch the next part before the records of this one are read. */
async function* recordsOf(parser: Parser, first: Part, others: AsyncGenerator<Part>): AsyncGenerator<Parsed> {
  for (let part: Part | undefined = first; part; part = (await others.next()).value)
    for (let at = 0; at < part.bytes.length; at += PIECE) {
      await othersRun();
      parser.write(part.bytes.subarray(at, at + PIECE));
      if (parser.errored) throw parser.errored;
      for (let record: Parsed | null = parser.read(); record !== null; record = parser.read()) yield record;
    }
  parser.end();
  yield* parser as AsyncIterable<Parsed>;
}

const doubled = 'a value with a quote in it has to stand in quotes, and the quote to be doubled: "3"" pipe"';
const quoteFaults: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and never closed",
  CSV_INVALID_CLOSING_QUOTE: doubled,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: doubled,
  INVALID_OPENING_QUOTE: doubled,
  CSV_MAX_RECORD_SIZE: `it is longer than ${LONGEST_ROW} bytes; is a quote not closed?`,
};

function read(record: string[], columns: string[]): Pick<Row, "values" | "fault"> {
  const values = Object.fromEntries(columns.map((column, i) => [column, record[i] || null]));
  return { values, fault: faultOf(record, columns) };
}

function faultOf(record: string[], columns: string[]): string | null {
  // Spreadsheets write empty values behind the last column.
  const count = record.findLastIndex((text) => text !== "") + 1;
  if (record.length < columns.length || count > columns.length)
    return `it has ${record.length} values, and the header has ${columns.length} columns`;
  return record.some((text) => text.includes("\uFFFD")) ? "it is not UTF-8" : null;
}
