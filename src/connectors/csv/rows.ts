import type { Columns } from "../../inbound/columns.js";
import { FileFault } from "../../platform/files/header.js";
import * as files from "../../platform/files/rows.js";
import { type Source, SourceError, SourceMisconfigured } from "../connector.js";
import type { CsvConfig } from "./config.js";
import { partsOf } from "./file.js";

/** A kind of file: which columns it may have. Those that are `required` must be there, and have a value in each row. */
export interface Sheet {
  /** The field of the configuration that has its address. */
  url: "items_url" | "orders_url" | "inventory_url";
  columns: Columns;
}

export type Row = files.Row;

/** Where a reading begins, or goes on, in a version of the file. */
export interface Place extends files.Place {
  state: string;
}

/** A file that was opened. */
export interface Opened {
  begin: Place;
  rows: AsyncGenerator<Row>;
}

/**
 * Opens a file at a place, or at its beginning. Throws `SourceError` for a malformed header; iterating over the rows
 * throws it for malformed quotes. `FileChanged` as `partsOf`.
 */
export async function openRows(source: Source<CsvConfig>, sheet: Sheet, place?: Place): Promise<Opened> {
  const url = source.config[sheet.url];
  if (url === undefined) throw new SourceMisconfigured(`${sheet.url} is not set`);
  let state = place?.state;
  async function* open(at: number) {
    for await (const part of partsOf(source, url as string, at, state)) {
      state = part.state;
      yield part.bytes;
    }
  }
  const known = Object.keys(sheet.columns);
  const required = known.filter((name) => sheet.columns[name]?.required);
  const { begin, rows } = await files.openRows(open, { known, required }, place).catch(naming(sheet));
  return { begin: { ...begin, state: state ?? "" }, rows: named(rows, sheet) };
}

const naming =
  ({ url }: Sheet) =>
  (error: unknown): never => {
    if (!(error instanceof FileFault)) throw error;
    throw new SourceError(error.message.startsWith("row ") ? `${url}, ${error.message}` : `${url}: ${error.message}`);
  };

async function* named(rows: AsyncGenerator<Row>, sheet: Sheet): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    naming(sheet)(error);
  }
}
