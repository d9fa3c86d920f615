import type { Columns } from "../../inbound/columns.js";
import { SourceError } from "../connector.js";

/** A kind of file: which columns it may have. Those that are `required` must be there, and have a value in each row. */
export interface Sheet {
  /** The field of the configuration that has its address. */
  url: "items_url" | "orders_url" | "inventory_url";
  columns: Columns;
}

export interface Header {
  columns: string[];
  delimiter: "," | ";";
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the first line, and how many bytes it takes; no name of a column has a separator in it, or needs quotes. */
export function headerOf(bytes: Buffer, { url, columns }: Sheet): { header: Header; length: number } {
  const fault = (text: string) => new SourceError(`${url}, row 1: ${text}`);
  if (bytes.length === 0) throw new SourceError(`${url}: the file is empty`);
  const begin = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const line = /^[^\r\n]*(?:\r\n|\r|\n|$)/.exec(bytes.subarray(begin).toString("utf8"))?.[0] ?? "";
  const delimiter = line.includes(";") ? ";" : ",";
  const names = line
    .trim()
    .replace(/[,;]+$/, "")
    .split(delimiter)
    .map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .trim()
        .toLowerCase(),
    );
  const known = Object.keys(columns);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw fault(`unknown columns ${shownList(unknown)}; the columns are ${known.join(", ")}`);
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  if (twice.length > 0) throw fault(`${shownList(twice)} is there twice`);
  const missing = known.filter((name) => columns[name]?.required && !names.includes(name));
  if (missing.length > 0) throw fault(`${shownList(missing)} is missing`);
  return { header: { columns: names, delimiter }, length: begin + Buffer.byteLength(line) };
}

const shownList = (names: string[]) =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(", ");
