import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { z } from "zod";
import { clockOf } from "../../src/platform/db/days.js";
import { Listing } from "../../src/platform/db/listing.js";
import type { Arrangement } from "../../src/platform/list.js";
import { arrangedRecords } from "./arranged-records.js";
import { csvOf } from "./csv.js";
import type { Route } from "./route.js";

/** The longest that a reader may take nothing of a file before the connection is closed. */
const STALLED_MS = 60_000;

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

/**
 * Sends the records as they are read, no faster than the caller takes them. Once it has begun, any failure closes the
 * connection, so that a part of a list is never taken for all of it.
 */
async function sendCsv(
  batches: AsyncIterable<object[]> | Iterable<object[]>,
  columns: string[],
  req: Request,
  res: Response,
): Promise<undefined> {
  const { today } = await clockOf(null);
  const texts = csvOf(batches, columns);
  // A failure before the first byte is answered like any other.
  const first = await texts.next();
  res.setHeader("Content-Type", "text/csv; charset=utf-8");
  res.setHeader("Content-Disposition", `attachment; filename="${nameOf(req.route.path)}-${today}.csv"`);
  res.setTimeout(STALLED_MS, () => res.destroy());
  const all = async function* () {
    yield first.value as string;
    yield* texts;
  };
  await pipeline(Readable.from(all(), { highWaterMark: 1 }), res).catch((error: NodeJS.ErrnoException) => {
    // The caller left; the access log says so.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** The file's name: `/api/admin/adjustments/list` becomes `adjustments`. */
const nameOf = (path: string) =>
  path
    .split("/")
    .slice(3)
    .filter((word, index) => !word.startsWith(":") && (word !== "list" || index === 0))
    .join("-");
