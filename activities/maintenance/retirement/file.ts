import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { hashing } from "../../../src/platform/hashing.js";

const PART = /^\w+-\d{4}-\d\d\.part$/;

/** Deletes what runs that were killed have left; nobody else may be writing. */
export async function clearParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (PART.test(name)) await rm(join(folder, name));
}

export interface WrittenFile {
  file_name: string;
  byte_count: number;
  sha256: string;
}

/**
 * Writes a month of rows, and beside the file its checksum, as `sha256sum --check` takes it. Returns once both are on
 * the disk and were read again. The name has a part of the checksum, so no file ever replaces a different one.
 */
export async function writeMonth(
  folder: string,
  table: string,
  month: string,
  rows: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const part = join(folder, `${table}-${month}.part`);
  try {
    const written = createHash("sha256");
    await pipeline(rows, createGzip(), hashing(written), createWriteStream(part, { mode: 0o600, flush: true }), {
      signal,
    });
    const sha256 = written.digest("hex");
    if ((await checksum(part)) !== sha256) throw new Error(`${part} does not hold what was written into it`);
    const file_name = `${table}-${month}-${sha256.slice(0, 12)}.csv.gz`;
    const path = join(folder, file_name);
    await rename(part, path);
    await writeFile(`${path}.sha256`, `${sha256}  ${file_name}\n`, { mode: 0o600, flush: true });
    await sync(folder);
    return { file_name, byte_count: (await stat(path)).size, sha256 };
  } finally {
    await rm(part, { force: true });
  }
}

async function checksum(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** The names of files are on the disk only once their folder is. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
