import type { Request, Response } from "express";
import { z } from "zod";
import { clockOf } from "../../src/platform/db/days.js";
import { Listing } from "../../src/platform/db/listing.js";
import { type ExcelLanguage, excelLanguages, excelOf } from "../../src/platform/files/excel.js";
import type { Arrangement } from "../../src/platform/list.js";
import { arrangedRecords } from "./arranged-records.js";
import { csvOf } from "./csv.js";
import type { Route } from "./route.js";
import { StreamedFile } from "./streamed-file.js";

/** What a route that answers a list declares of it. */
export interface ListedBy {
  /** The field of the answer that holds the records. */
  field: string;
  /** The fields of a record. */
  columns: string[];
  record: z.ZodObject;
}

/** A route answers a list if its query can be sorted; undefined for any other. */
export function listOf({ query, answers, path }: Route): ListedBy | undefined {
  if (!(query instanceof z.ZodObject && "sort" in query.shape)) return undefined;
  const { shape } = answers[200] as z.ZodObject;
  for (const [field, array] of Object.entries(shape)) {
    const record = array instanceof z.ZodArray ? array.element : undefined;
    if (record instanceof z.ZodObject) return { field, columns: Object.keys(record.shape), record };
  }
  throw new Error(`${path} has a query with sort, but answers no list of records`);
}

/** For each language of Excel the media type by which its files are asked for: `text/csv;dialect=excel-de`. */
const excelTypes = new Map(excelLanguages.map((language) => [`text/csv;dialect=excel-${language}`, language]));
const offered = ["application/json", "text/csv", ...excelTypes.keys()];

/** The media type that the caller prefers. */
const wantedType = (req: Request) => (/text\/csv/i.test(req.headers.accept ?? "") && req.accepts(offered)) || "";

/** Answers a list as JSON, or sends all of it as CSV to a caller who prefers that; then nothing is returned. */
export async function answerList(
  listed: ListedBy,
  list: unknown,
  asked: Arrangement & { warehouse_id?: number | undefined },
  req: Request,
  res: Response,
): Promise<unknown> {
  res.vary("Accept");
  const { field } = listed;
  const type = wantedType(req);
  const asCsv = type.startsWith("text/csv");
  const send = (batches: Batches) => sendCsv(batches, listed, excelTypes.get(type), asked.warehouse_id, req, res);
  if (list instanceof Listing) return asCsv ? send(list.batches()) : list.answer();
  const whole = list as Record<string, object[]>;
  const records = arrangedRecords(whole[field] as object[], asked);
  return asCsv ? send([records]) : { ...whole, [field]: records };
}

type Batches = AsyncIterable<object[]> | Iterable<object[]>;

/** Sends the records as they are read, for Excel by the clock of the warehouse that was asked for. */
async function sendCsv(
  batches: Batches,
  { columns, record }: ListedBy,
  language: ExcelLanguage | undefined,
  warehouseId: number | undefined,
  req: Request,
  res: Response,
): Promise<undefined> {
  const { today, ...company } = await clockOf(null);
  const { timezone } = language && warehouseId !== undefined ? await clockOf([warehouseId]) : company;
  const texts = language ? excelOf(batches, record, language, timezone) : csvOf(batches, columns);
  return new StreamedFile("text/csv", `${nameOf(req.route.path)}-${today}.csv`, texts).send(res);
}

/** The file's name: `/api/admin/adjustments/list` becomes `adjustments`. */
const nameOf = (path: string) =>
  path
    .split("/")
    .slice(3)
    .filter((word, index) => !word.startsWith(":") && (word !== "list" || index === 0))
    .join("-");
