import { stringify } from "csv-stringify/sync";
import { guarded } from "../../src/platform/files/formulas.js";

/** A CSV file (RFC 4180) of records, in pieces; the column names come before the first records. */
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

const cast = { string: guarded, boolean: String, object: (value: object) => JSON.stringify(value) };
