import { stringify } from "csv-stringify/sync";

/** A CSV file (RFC 4180) of records, piece by piece; the names of the columns stand before the first ones. */
export async function* csvOf(
  batches: AsyncIterable<object[]> | Iterable<object[]>,
  columns: string[],
): AsyncGenerator<string, void> {
  let head = stringify([columns], LINES);
  for await (const records of batches) {
    yield head + stringify(records, { ...LINES, columns, cast });
    head = "";
  }
  if (head) yield head;
}

const LINES = { record_delimiter: "windows" } as const;

const cast = {
  string: harmless,
  boolean: String,
  object: (value: object) => JSON.stringify(value),
};

/** Text that a spreadsheet would take for a formula gets an apostrophe before it; a number is none. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
