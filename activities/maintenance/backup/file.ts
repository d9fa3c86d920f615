import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gzipSync } from "node:zlib";
import { z } from "zod";

// A backup is one gzip file: a line with the format and the checksum of the next line, a line with the manifest, and
// the rows of all tables in turn, in COPY's text format.

const FORMAT = "warehouse-backup 1";
const LINE_FEED = 10;

const Table = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
const Manifest = z.strictObject({
  /** The version of the service that took it. */
  version: z.string(),
  taken_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** The id of the key that secrets are sealed under; null where it was not known. */
  encryption_key: z.string().nullable(),
  tables: z.array(Table),
  /** The last value of each sequence that was used. */
  sequences: z.record(z.string(), z.string()),
});
export type TableRows = z.output<typeof Table>;
export type Manifest = z.output<typeof Manifest>;

/** The file is not a whole backup; the message says what is wrong with it. */
export class BadBackup extends Error {
  override name = "BadBackup";
}

const sha256 = (data: string) => createHash("sha256").update(data).digest("hex");

/**
 * Writes a backup from the rows, and from the manifest, which is known once they are read. The file gets its name when
 * it is complete, and only its owner may read it.
 */
export async function writeBackup(
  path: string,
  rows: AsyncIterable<Uint8Array>,
  manifest: () => Promise<Manifest>,
): Promise<void> {
  const rowsPath = `${path}.rows`;
  const partPath = `${path}.part`;
  try {
    await pipeline(rows, createGzip(), createWriteStream(rowsPath, { mode: 0o600 }));
    const line = JSON.stringify(await manifest());
    const head = gzipSync(`${FORMAT} ${sha256(line)}\n${line}\n`);
    const whole = async function* () {
      yield head;
      yield* createReadStream(rowsPath);
    };
    await pipeline(whole, createWriteStream(partPath, { mode: 0o600, flush: true }));
    await rename(partPath, path);
  } finally {
    await Promise.all([rowsPath, partPath].map((name) => rm(name, { force: true })));
  }
}

/**
 * Reads a backup from its beginning to its end: `load` is called for each table, and has to read its rows. Throws
 * `BadBackup` for a file that is no backup, or is truncated or altered; reading the rows of a table then fails with
 * that error, too.
 */
export async function readBackup(
  path: string,
  load: (table: TableRows, rows: AsyncIterable<Buffer>) => Promise<unknown>,
): Promise<Manifest> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  const unpacking = pipeline(file, unpacked);
  // Handled below, as the error of the stream.
  unpacking.catch(() => {});
  const reader = new Reader(unpacked[Symbol.asyncIterator]());
  try {
    const manifest = parsed(await reader.line(), await reader.line());
    for (const table of manifest.tables) await load(table, checked(table, reader));
    if (!(await reader.ended())) throw new BadBackup("there is more in it than its manifest says");
    return manifest;
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const ofFile = error instanceof BadBackup || code?.startsWith("Z_") || syscall === "open" || syscall === "read";
    throw ofFile ? new BadBackup(`${path} cannot be restored: ${message}`, { cause: error }) : error;
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

/** A whole backup that was read to its end. */
export interface VerifiedBackup {
  path: string;
  manifest: Manifest;
}

/** Reads all of a backup; throws `BadBackup` as `readBackup` does. */
export async function verifyBackup(path: string): Promise<VerifiedBackup> {
  const manifest = await readBackup(path, async (_table, rows) => {
    for await (const _ of rows);
  });
  return { path, manifest };
}

function parsed(first: string, line: string): Manifest {
  if (!first.startsWith("warehouse-backup ")) throw new BadBackup("this is no backup of this service");
  if (!first.startsWith(`${FORMAT} `)) throw new BadBackup(`its format is "${first.slice(0, 40)}", not "${FORMAT}"`);
  if (first !== `${FORMAT} ${sha256(line)}`) throw new BadBackup("its manifest was altered");
  return Manifest.parse(JSON.parse(line));
}

async function* checked({ name, rows, bytes, sha256 }: TableRows, reader: Reader): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let lines = 0;
  for await (const chunk of reader.bytes(bytes)) {
    hash.update(chunk);
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    yield chunk;
  }
  if (hash.digest("hex") !== sha256 || lines !== rows) throw new BadBackup(`the rows of ${name} were altered`);
}

/** Takes lines and lengths from a stream of bytes. */
class Reader {
  #rest: Buffer = Buffer.alloc(0);
  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /** The rest of the last chunk, else the next chunk; empty at the end. */
  async #next(): Promise<Buffer> {
    if (this.#rest.length === 0) this.#rest = (await this.chunks.next()).value ?? Buffer.alloc(0);
    return this.#rest;
  }

  async line(): Promise<string> {
    const parts: Buffer[] = [];
    for (;;) {
      const chunk = await this.#next();
      if (chunk.length === 0) throw new BadBackup("this is no backup of this service");
      const end = chunk.indexOf(LINE_FEED);
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      this.#rest = end < 0 ? Buffer.alloc(0) : chunk.subarray(end + 1);
      if (end >= 0) return Buffer.concat(parts).toString();
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const chunk = await this.#next();
      if (chunk.length === 0) throw new BadBackup("it is cut off");
      const taken = chunk.subarray(0, left);
      this.#rest = chunk.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  async ended(): Promise<boolean> {
    return (await this.#next()).length === 0;
  }
}
