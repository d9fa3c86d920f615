import type { Request, Response } from "express";
import { z } from "zod";
import { clockOf } from "../../src/platform/db/days.js";
import { Listing } from "../../src/platform/db/listing.js";
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
}

/** A route answers a list if its query can be sorted; undefined for any other. */
export function listOf({ query, answers, path }: Route): ListedBy | undefined {
  if (!(query instanceof z.ZodObject && "sort" in query.shape)) return undefined;
  const { shape } = answers[200] as z.ZodObject;
  for (const [field, array] of Object.entries(shape)) {
    const record = array instanceof z.ZodArray ? array.element : undefined;
    if (record instanceof z.ZodObject) return { field, columns: Object.keys(record.shape) };
  }
  throw new Error(`${path} has a query with sort, but answers no list of records`);
}

/** Answers a list as JSON, or sends all of it as CSV to a caller who prefers that; then nothing is returned. */
export async function answerList(
  { field, columns }: ListedBy,
  list: unknown,
  asked: Arrangement,
  req: Request,
  res: Response,
): Promise<unknown> {
  res.vary("Accept");
  const asCsv =
    /text\/csv/i.test(req.headers.accept ?? "") && req.accepts(["application/json", "text/csv"]) === "text/csv";
  if (list instanceof Listing) {
    if (!asCsv) return list.answer();
    return sendCsv(list.batches(), columns, req, res);
  }
  const whole = list as Record<string, object[]>;
  const records = arrangedRecords(whole[field] as object[], asked);
  if (!asCsv) return { ...whole, [field]: records };
  return sendCsv([records], columns, req, res);
}

/** Sends the records as they are read. */
async function sendCsv(
  batches: AsyncIterable<object[]> | Iterable<object[]>,
  columns: string[],
  req: Request,
  res: Response,
): Promise<undefined> {
  const { today } = await clockOf(null);
  return new StreamedFile("text/csv", `${nameOf(req.route.path)}-${today}.csv`, csvOf(batches, columns)).send(res);
}

/** The file's name: `/api/admin/adjustments/list` becomes `adjustments`. */
const nameOf = (path: string) =>
  path
    .split("/")
    .slice(3)
    .filter((word, index) => !word.startsWith(":") && (word !== "list" || index === 0))
    .join("-");
