import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { bytes, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { hashing } from "../../platform/hashing.js";
import { BEGINNING, type Position } from "./verify.js";

/** What was found in the files of the audit log: how many rows, and why reading them ended before the last one. */
export interface VerifiedFiles {
  files: number;
  rows: number;
  broken?: string;
}

/**
 * Verifies the rows of the audit log that are in files of the retention folder: each file is as it was written, and
 * its rows follow each other and those of the file before, from the first row of the chain to the last one retired.
 */
export async function verifyFiles(folder: string): Promise<VerifiedFiles> {
  const files = await db.rows(
    { file_name: text, last_no: int, sha256: text, head: bytes },
    `select file_name, last_no, sha256, head from retired_files where table_name = 'audit_log' order by last_no`,
  );
  let reached = BEGINNING;
  for (const { file_name, last_no, sha256, head } of files) {
    const found = await verifyFile(join(folder, file_name), reached).catch((error: Error) => ({
      why: error.message,
      reached,
      sha256,
    }));
    reached = found.reached;
    const why =
      found.why ??
      (found.sha256 === sha256 && reached.seal_no === last_no && reached.row_hash.equals(head)
        ? undefined
        : `it ends at place ${reached.seal_no}, and is not the file that was written`);
    if (why) return { files: files.length, rows: reached.seal_no, broken: `${file_name}: ${why}` };
  }
  return { files: files.length, rows: reached.seal_no };
}

type Columns = Record<string, string | null>;

/** Reads a file whose first row has to follow a position. */
async function verifyFile(path: string, after: Position): Promise<{ reached: Position; sha256: string; why?: string }> {
  const packed = createHash("sha256");
  let reached = after;
  let why: string | undefined;
  await pipeline(createReadStream(path), hashing(packed), createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
    for await (const rows of rowsOf(unpacked))
      for (const row of rows) {
        const row_hash = linked(reached, row);
        if (row_hash && !why) reached = { seal_no: reached.seal_no + 1, row_hash };
        else why ??= `the row with log_id ${row.log_id} does not follow place ${reached.seal_no} of the chain`;
      }
  });
  return { reached, sha256: packed.digest("hex"), ...(why && { why }) };
}

/** A field and what ends it. Of the two texts the first is of a field in quotes: only such an empty one is no null. */
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))([,\n])/y;

/** The rows of CSV that Postgres wrote. The package that reads other CSV takes 90 µs a row where it tells quotes. */
async function* rowsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Columns[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let names: string[] | undefined;
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const rows: Columns[] = [];
    let read = 0;
    for (let fields = fieldsAt(text, 0); fields; fields = fieldsAt(text, read)) {
      read = FIELD.lastIndex;
      if (names) rows.push(Object.fromEntries(names.map((name, place) => [name, fields?.[place] ?? null])));
      else names = fields.map(String);
    }
    text = text.slice(read);
    yield rows;
  }
  if (text !== "") throw new Error("its last row is cut off");
}

/** The fields of the row at a place of a text, after which `FIELD` stands; undefined where its end is not there yet. */
function fieldsAt(text: string, place: number): (string | null)[] | undefined {
  FIELD.lastIndex = place;
  const fields: (string | null)[] = [];
  for (let found = FIELD.exec(text); found; found = FIELD.exec(text)) {
    const [, quoted, plain, end] = found;
    fields.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === "\n") return fields;
  }
  return undefined;
}

/** The hash of a row that follows the position; undefined for any other. As `audit_link` of the database has it. */
function linked({ seal_no, row_hash }: Position, row: Columns): Buffer | undefined {
  const before = row_hash.toString("hex");
  const hash = createHash("sha256")
    .update(before + lineOf(row))
    .digest();
  const follows =
    Number(row.seal_no) === seal_no + 1 &&
    row.prev_hash === `\\x${before}` &&
    row.row_hash === `\\x${hash.toString("hex")}`;
  return follows ? hash : undefined;
}

/** What a seal covers, as `audit_line` of the database has it. */
function lineOf(row: Columns): string {
  const plain = (name: string) => row[name] ?? "null";
  const quoted = (name: string) => JSON.stringify(row[name]);
  const parts = [
    ...[plain("seal_no"), plain("log_id"), quoted("action_type"), quoted("entity_type"), plain("entity_id")],
    ...[quoted("user_id"), quoted("device_id"), plain("warehouse_id"), quoted("details")],
    JSON.stringify(microseconds(row.created_at ?? "")),
  ];
  return `[${parts.join(", ")}]`;
}

/** `2026-05-06 12:00:00.12+00` as `2026-05-06T12:00:00.120000`. */
function microseconds(time: string): string {
  const [date, clock = ""] = time.replace("+00", "").split(" ");
  const [seconds, fraction = ""] = clock.split(".");
  return `${date}T${seconds}.${fraction.padEnd(6, "0")}`;
}
