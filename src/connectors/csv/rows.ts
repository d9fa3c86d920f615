import { FileFault } from "../../platform/files/header.js";
import * as files from "../../platform/files/rows.js";
import type { Columns } from "../../platform/pushed-columns.js";
import { type Source, SourceError, SourceMisconfigured } from "../connector.js";
import type { CsvConfig } from "./config.js";
import { partsOf } from "./file.js";

/**
 * A kind of file with the columns that it may have. Those that are `required` must exist, and have a value in each row.
 */
export interface FileKind {
  /** The field of the configuration that has its address. */
  url: "items_url" | "orders_url" | "inventory_url";
  columns: Columns;
}

export type Row = files.Row;

/** Where reading begins or continues, in a version of the file. */
export interface VersionPosition extends files.Position {
  state: string;
}

/** An opened file. */
export interface Opened {
  begin: VersionPosition;
  rows: AsyncGenerator<Row>;
}

/**
 * Opens a file at a place, or at its beginning. Throws `SourceError` for a malformed header; iterating over the rows
 * throws it for malformed quotes. `FileChanged` as `partsOf`.
 */
export async function openRows(source: Source<CsvConfig>, kind: FileKind, place?: VersionPosition): Promise<Opened> {
  const url = source.config[kind.url];
  if (url === undefined) throw new SourceMisconfigured(`${kind.url} is not set`);
  let state = place?.state;
  async function* open(at: number) {
    for await (const part of partsOf(source, url as string, at, state)) {
      state = part.state;
      yield part.bytes;
    }
  }
  const known = Object.keys(kind.columns);
  const required = known.filter((name) => kind.columns[name]?.required);
  const { begin, rows } = await files.openRows(open, { known, required }, place).catch(naming(kind));
  return { begin: { ...begin, state: state ?? "" }, rows: named(rows, kind) };
}

const naming =
  ({ url }: FileKind) =>
  (error: unknown): never => {
    if (!(error instanceof FileFault)) throw error;
    throw new SourceError(error.message.startsWith("row ") ? `${url}, ${error.message}` : `${url}: ${error.message}`);
  };

async function* named(rows: AsyncGenerator<Row>, kind: FileKind): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    naming(kind)(error);
  }
}
