import { createHash } from "node:crypto";
import { type Source, type SourceAnswer, SourceError } from "../connector.js";
import { type CsvConfig, credentialsOf } from "./config.js";

/** A part of a file. */
export interface FilePart {
  bytes: Buffer;
  /** Identifies the version of the file: its ETag or time of change with its size, else a hash of its content. */
  state: string;
}

/** The file is not the version whose reading was begun. */
export class FileChanged extends Error {}

const FIRST_PART = 64 * 1024;
const LARGEST_PART = 4 * 1024 * 1024;

/**
 * Reads a file from a byte on, part by part, so that no more of it is in memory than is being read. Parts grow, because
 * a reader of many parts probably reads on. A server that does not send parts sends the whole file, each time. Throws
 * `FileChanged` when the file has another state than is expected, or than it had before.
 */
export async function* partsOf(
  source: Source<CsvConfig>,
  url: string,
  from = 0,
  expected?: string,
): AsyncGenerator<FilePart> {
  let state = expected;
  let size = FIRST_PART;
  for (let at = from; ; size = Math.min(size * 2, LARGEST_PART)) {
    const part = await partOf(source, url, at, size);
    if (state !== undefined && part.state !== state) throw new FileChanged();
    state = part.state;
    at += part.bytes.length;
    yield part;
    if (at >= part.total || part.bytes.length === 0) return;
  }
}

async function partOf(
  source: Source<CsvConfig>,
  url: string,
  from: number,
  size: number,
): Promise<FilePart & { total: number }> {
  const ask = (headers: Record<string, string>) =>
    source.request({ url, headers: { ...credentialsOf(source.config), accept: "text/csv, */*", ...headers } });
  const answer = await ask({ range: `bytes=${from}-${from + size - 1}` }).catch(emptyPart);
  if (!answer) return { bytes: Buffer.alloc(0), state: "", total: 0 };
  if (answer.status !== 206) return whole(answer, from);
  const { bytes, headers } = answer;
  const [, begin, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  const state = headers.etag ?? headers["last-modified"];
  // Parts are used only if each says which version of the file it is of.
  if (state === undefined || total === undefined || Number(begin) !== from) return whole(await ask({}), from);
  return { bytes, state: `${state} ${total}`, total: Number(total) };
}

/**
 * The answer of servers to a request for a part of an empty file, or of a part behind the end of a file that shrank.
 */
function emptyPart(error: unknown): undefined {
  if (!(error instanceof SourceError && error.status === 416)) throw error;
}

/**
 * The state of a file that comes as a whole is that of its content: such a file is often generated for each request.
 */
function whole({ bytes }: SourceAnswer, from: number): FilePart & { total: number } {
  const state = createHash("sha256").update(bytes).digest("base64url");
  return { bytes: bytes.subarray(from), state, total: bytes.length };
}
