/** A fault of a whole file, or of its first row. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

/** The first row of a file. */
export interface Header {
  columns: string[];
  delimiter: Delimiter;
}
const DELIMITERS = ["\t", ";", ","] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The columns that a kind of file may have. */
export interface ColumnNames {
  known: string[];
  required: string[];
  /** Other names that a column may have. */
  otherNames?: Record<string, string>;
}

/**
 * Reads the first line, and how many bytes it takes; no name of a column has a separator in it, or needs quotes. A line
 * `sep=;` before it tells spreadsheets the separator; they do not show it, so it is no row.
 */
export function headerOf(bytes: Buffer, names: ColumnNames): { header: Header; length: number } {
  if (bytes.length === 0) throw new FileFault("the file is empty");
  if (bytes.subarray(0, 4).equals(WORKBOOK))
    throw new FileFault("this is a workbook, or another packed file, and no CSV file: save the sheet as CSV");
  const lineAt = (at: number) => /^[^\r\n]*(?:\r\n|\r|\n|$)/.exec(bytes.subarray(at).toString("latin1"))?.[0] ?? "";
  const first = lineAt(0);
  const said = /^"?sep=([;,\t])"?\s*$/i.exec(first)?.[1] as Delimiter | undefined;
  const line = said ? lineAt(first.length) : first;
  if (line.length > LONGEST_ROW) throw new FileFault(`row 1: it is longer than ${LONGEST_ROW} bytes`);
  const delimiter = said ?? DELIMITERS.find((mark) => line.includes(mark)) ?? ",";
  const columns = columnsIn(Buffer.from(line, "latin1").toString("utf8"), delimiter);
  const wrong = faultOf(columns, names);
  if (wrong) throw new FileFault(`row 1: ${wrong}`);
  return {
    header: { columns: columns.map((name) => names.otherNames?.[name] ?? name), delimiter },
    length: line.length + (said ? first.length : 0),
  };
}

/** In bytes: reading a longer one would keep others waiting, and no sheet has one. */
export const LONGEST_ROW = 100_000;

/** How .xlsx, .ods and .numbers begin. */
const WORKBOOK = Buffer.from("PK\u0003\u0004");

function columnsIn(line: string, delimiter: Delimiter): string[] {
  const names = line.split(delimiter).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim()
      .toLowerCase(),
  );
  // Spreadsheets write empty values behind the last column.
  return names.slice(0, Math.max(names.findLastIndex((name) => name !== "") + 1, 1));
}

function faultOf(columns: string[], { known, required, otherNames = {} }: ColumnNames): string | undefined {
  const isKnown = (name: string) => known.includes(name) || Object.hasOwn(otherNames, name);
  const unknown = columns.filter((name) => !isKnown(name));
  if (unknown.length > 0) return `unknown columns ${shownList(unknown)}; the columns are ${known.join(", ")}`;
  const meant = columns.map((name) => (known.includes(name) ? name : (otherNames[name] as string)));
  const twice = meant.filter((name, i) => meant.indexOf(name) < i);
  if (twice.length > 0) return `${shownList(twice)} is there twice`;
  const missing = required.filter((name) => !meant.includes(name));
  return missing.length > 0 ? `${shownList(missing)} is missing` : undefined;
}

const shownList = (names: string[]) =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(", ");
