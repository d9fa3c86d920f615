import { stringify } from "csv-stringify/sync";
import type { z } from "zod";
import { guarded } from "./formulas.js";

/** CSV files that a double click opens in Excel as a table: docs/lists.md. */

/** How Excel of a language reads a file: which separator, decimal sign and words it takes for its own. */
const languages = {
  de: { delimiter: ";", point: ",", truth: ["FALSCH", "WAHR"] },
  en: { delimiter: ",", point: ".", truth: ["FALSE", "TRUE"] },
} as const;
export type ExcelLanguage = keyof typeof languages;
export const excelLanguages = Object.keys(languages) as ExcelLanguage[];

/** What tells Excel that a file is UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";

type Kind = "time" | "day" | "other";

/** What the values of a field are, beyond their JSON. */
function kindOf(schema: z.core.$ZodType): Kind {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return kindOf(def.innerType);
  if (def.type !== "string") return "other";
  const { format } = def as { format?: string };
  return format === "datetime" ? "time" : format === "date" ? "day" : "other";
}

/**
 * Such a file of records, in pieces. Times are by the clock of `timezone`, which the head of their columns names, since
 * a cell of a sheet has no zone.
 */
export async function* excelOf(
  batches: AsyncIterable<object[]> | Iterable<object[]>,
  record: z.ZodObject,
  language: ExcelLanguage,
  timezone: string,
): AsyncGenerator<string, void> {
  const { delimiter, point, truth } = languages[language];
  const columns = Object.entries(record.shape).map(([name, schema]) => ({ name, kind: kindOf(schema) }));
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" });
  const cell = (value: unknown, kind: Kind): string => {
    if (value === null || value === undefined) return "";
    if (typeof value === "boolean") return truth[Number(value)] as string;
    if (typeof value === "number") return String(value).replace(".", point);
    if (typeof value === "object") return JSON.stringify(value);
    const text = String(value);
    if (kind === "time") return clock.format(new Date(text));
    return kind === "day" ? text : asText(text);
  };
  const lines = (rows: string[][]) => stringify(rows, { delimiter, record_delimiter: "windows" });
  yield BYTE_ORDER_MARK + lines([columns.map(({ name, kind }) => (kind === "time" ? `${name} (${timezone})` : name))]);
  for await (const records of batches)
    yield lines(
      records.map((one) => columns.map(({ name, kind }) => cell((one as Record<string, unknown>)[name], kind))),
    );
}

const MONTH = "(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\\p{L}*";
/** Codes that Excel takes for numbers, times or days, and shows as something else. */
const MISTAKEN = [
  /^0\d+$|^\d{12,}$/,
  /^(?=.*\d)(?!\d+$)[\d\s.,:/+\-eE%$€£()]+$/,
  new RegExp(`^(?:\\d{1,4}[-./ ]?)?${MONTH}[-./ ]*\\d{1,4}$|^\\d{1,4}[-./ ]*${MONTH}$`, "iu"),
];

/** A text as it is: a code that would be changed is written as a formula that is nothing but this text. */
const asText = (text: string): string =>
  MISTAKEN.some((pattern) => pattern.test(text)) ? `="${text}"` : guarded(text);
