import { storable } from "../../platform/values.js";
import { SourceError } from "../connector.js";

/** Limits on the size and content of a source's JSON: a short text can take very much memory. */
export interface JsonLimits {
  bytes: number;
  /** Values and keys. */
  values: number;
}

const MB = 1024 * 1024;
/** The largest pages of shops: 250 orders of many lines. */
export const PAGE_LIMITS: JsonLimits = { bytes: 16 * MB, values: 1_000_000 };
/** For requests that a person waits for, in the process that serves everybody. */
export const SMALL_LIMITS: JsonLimits = { bytes: 2 * MB, values: 100_000 };
const DEEPEST = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** An opening bracket or brace, and a closing one. */
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Escapes of NUL and of halves of surrogate pairs, which Postgres can store in no text. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON of a source, without characters that Postgres cannot store; undefined for a text that is not JSON. Throws
 * `SourceError` for too much, before it is parsed.
 */
export function parsedJson(bytes: Buffer, limits: JsonLimits, status: number | null = null): unknown {
  const fault = excessOf(bytes, limits);
  if (fault) throw new SourceError(`The answer of the source ${fault}`, status);
  try {
    const text = new TextDecoder().decode(bytes);
    return JSON.parse(text, UNSTORABLE.test(text) ? storable : undefined);
  } catch {
    return undefined;
  }
}

/** The limit that the text exceeds. Bytes of UTF-8 beyond ASCII are never those of JSON's syntax. */
export function excessOf(bytes: Buffer, limits: JsonLimits): string | undefined {
  if (bytes.length > limits.bytes) return `has more than ${limits.bytes / MB} MB of JSON`;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case COMMA:
      case COLON:
        values++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
    if (depth > DEEPEST) return `is nested more than ${DEEPEST} deep`;
    if (values > limits.values) return `has more than ${limits.values} values`;
  }
  return undefined;
}

/** The end of the text that begins at a quote. */
function endOfText(bytes: Buffer, begin: number): number {
  for (let end = bytes.indexOf(QUOTE, begin + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
