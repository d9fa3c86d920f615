import { z } from "zod";
import { problem } from "../problem.js";
import { type ColumnNames, FileFault } from "./header.js";
import { openRows, type Position } from "./rows.js";

/** A CSV file within a request: of an import from the desk. */

/** For 5,000 rows of 600 bytes. */
const LARGEST = 4 * 1024 * 1024;

export const FileField = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
  .max(LARGEST)
  .meta({
    description:
      "A CSV file in base64, in place of the records: separated by commas, semicolons or tabs, in UTF-8, " +
      "Windows-1252 or UTF-16. Rows are numbered as a spreadsheet does: the header is row 1.",
    examples: [Buffer.from("sku;item_name\nSKU-1;Blue mug\n").toString("base64")],
  });

export const RowNumber = z.int().describe("From 1; of a file as a spreadsheet counts, the header being row 1.");

const SHOWN_ROWS = 10;

const Values = z
  .record(
    z.string(),
    z
      .string()
      .meta({ examples: ["Blue mug"] })
      .nullable(),
  )
  .describe("The texts of the row by column; null where there is none.");

export const FileSeen = z
  .strictObject({
    encoding: z.enum(["ascii", "utf-8", "utf-16le", "utf-16be", "windows-1252"]).describe("How its texts are written."),
    separator: z.enum([",", ";", "tab"]).describe("What stands between values."),
    columns: z.array(z.string().meta({ examples: ["item_name"] })).describe("The columns, as they are understood."),
    first_rows: z
      .array(z.strictObject({ row: RowNumber, values: Values }))
      .describe("The first rows, as they are understood."),
  })
  .meta({ id: "FileSeen", description: "How a CSV file was read." });
export type FileSeen = z.infer<typeof FileSeen>;

export const FileUnreadable = problem("file_unreadable", 400, "{why}");

/** A record and its position: in a list from 1, in a file as a spreadsheet counts. */
export interface Given {
  row: number;
  record: unknown;
  /** Why the row as such cannot be used. */
  fault?: string | null;
}

/** The records of a file, at most `most` and one more, so that a larger file is noticed. */
export async function recordsOf(
  file: string,
  names: ColumnNames,
  most: number,
): Promise<{ given: Given[]; seen: FileSeen }> {
  const bytes = Buffer.from(file, "base64");
  const given: Given[] = [];
  try {
    const { begin, rows } = await openRows(async function* (at) {
      yield bytes.subarray(at);
    }, names);
    let last: Position = begin;
    for await (const { number, values, fault, next } of rows) {
      given.push({ row: number, record: values, fault });
      last = next;
      if (given.length > most) break;
    }
    return { given, seen: seenOf(last, given) };
  } catch (error) {
    if (error instanceof FileFault) throw FileUnreadable({ why: error.message });
    throw error;
  }
}

const seenOf = ({ header, encoding }: Position, given: Given[]): FileSeen => ({
  encoding: encoding ?? "ascii",
  separator: header.delimiter === "\t" ? "tab" : header.delimiter,
  columns: header.columns,
  first_rows: given
    .slice(0, SHOWN_ROWS)
    .map(({ row, record }) => ({ row, values: record as Record<string, string | null> })),
});
