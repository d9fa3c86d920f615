import { type SourceAnswer, SourceAway, SourceError } from "../connector.js";
import type { Asked } from "./ask.js";
import { excessOf, type JsonLimits, parsedJson, SMALL_LIMITS } from "./json.js";

/** Where sources say what was wrong. */
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
 * The error that an answer without a status of success stands for; it quotes what the source says of the reason: it is
 * cut once secrets are removed, as half of one would stay.
 */
export function refusalOf({ status, bytes }: Asked): SourceError {
  const why = status >= 300 && status < 400 ? "redirects are not followed" : reasonIn(bytes);
  const message = `The source answered with HTTP status ${status}${why && `: ${why}`}`;
  return status === 429 || status >= 500 ? new SourceAway(message, status) : new SourceError(message, status);
}

/** What a JSON answer says under one of the usual names; pages for people, and what is too much, are not quoted. */
function reasonIn(bytes: Buffer): string {
  const parsed = excessOf(bytes, SMALL_LIMITS) === undefined && parsedJson(bytes, SMALL_LIMITS);
  if (typeof parsed !== "object" || parsed === null) return "";
  const said = fields.map((field) => (parsed as Record<string, unknown>)[field]).find(Boolean);
  if (said === undefined || typeof said === "string") return said ?? "";
  return JSON.stringify(said);
}
