import { type SourceAnswer, SourceAway, SourceError, SourceMisconfigured } from "../connector.js";
import type { Asked } from "./ask.js";
import { excessOf, type JsonLimits, parsedJson, SMALL_LIMITS } from "./json.js";
import { askedWait } from "./waits.js";

/** Fields in which sources say what was wrong. */
const fields = ["message", "error_description", "errors", "error"];

/** An answer as a connector gets it. */
export const answerOf = ({ status, headers, bytes }: Asked, limits: JsonLimits): SourceAnswer => ({
  ...{ status, headers, bytes },
  get text() {
    return new TextDecoder().decode(bytes);
  },
  json: () => {
    const parsed = parsedJson(bytes, limits, status);
    if (parsed === undefined) throw new SourceError("The answer of the source is not JSON", status);
    return parsed;
  },
});

/**
 * The error for an answer without a status of success. It quotes the reason that the source gives, with secrets removed
 * before it is cut, as half of a secret would stay.
 */
export function refusalOf({ status, headers, bytes }: Asked): SourceError {
  const said = reasonIn(bytes);
  const why = status >= 300 && status < 400 ? "redirects are not followed" : said;
  const message = `The source answered with HTTP status ${status}${why && `: ${why}`}`;
  if (status === 429 || status >= 500) return new SourceAway(message, status, askedWait(headers["retry-after"]));
  // A firewall in front of the source answers 403 with a page for people, and may let a later request pass.
  const isKey = status === 401 || (status === 403 && said !== "");
  return new (isKey ? SourceMisconfigured : SourceError)(message, status);
}

/** The text in a JSON answer under one of the usual names; HTML pages and long texts are not quoted. */
function reasonIn(bytes: Buffer): string {
  const parsed = excessOf(bytes, SMALL_LIMITS) === undefined && parsedJson(bytes, SMALL_LIMITS);
  if (typeof parsed !== "object" || parsed === null) return "";
  const said = fields.map((field) => (parsed as Record<string, unknown>)[field]).find(Boolean);
  if (said === undefined || typeof said === "string") return said ?? "";
  return JSON.stringify(said);
}
