import { type SourceAnswer, SourceError } from "../connector.js";
import type { Asked } from "./ask.js";

/** Where sources say what was wrong. */
const fields = ["message", "error_description", "errors", "error"];

/** An answer as a connector gets it. */
export const answerOf = (asked: Asked): SourceAnswer => ({
  ...asked,
  json: () => {
    const parsed = parsedJson(asked.text);
    if (parsed === undefined) throw new SourceError("The answer of the source is not JSON", asked.status);
    return parsed;
  },
});

/**
 * The error that an answer without a status of success stands for; it quotes what the source says of
 * the reason, in full: it is cut once secrets are removed, as half of one would stay.
 */
export function refusalOf({ status, text }: Asked): SourceError {
  const why = status >= 300 && status < 400 ? "redirects are not followed" : reasonIn(text);
  return new SourceError(`The source answered with HTTP status ${status}${why && `: ${why}`}`, status);
}

/** What a JSON answer says under one of the usual names; pages for people are not quoted. */
function reasonIn(text: string): string {
  const parsed = parsedJson(text);
  if (typeof parsed !== "object" || parsed === null) return "";
  const said = fields.map((field) => (parsed as Record<string, unknown>)[field]).find(Boolean);
  if (said === undefined || typeof said === "string") return said ?? "";
  return JSON.stringify(said);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
