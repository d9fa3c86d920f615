import type { JsonSchema } from "../../../api/openapi/example.js";
import { validator } from "../json-schema.js";
import type { Entry } from "../matrix/id-names.js";

function fits(schema: JsonSchema, value: unknown): string | undefined {
  const check = validator(schema);
  return check(value) ? undefined : JSON.stringify(check.errors);
}

export interface Heard {
  status: number;
  mediaType: string;
  text: string;
}

/** What the document does not declare of an answer: its status, media type, or shape; undefined if all is declared. */
export function misfit({ operation }: Entry, { status, mediaType, text }: Heard): string | undefined {
  const response = operation.responses[status];
  if (!response) return `status ${status} is not declared`;
  if (!response.content) return text ? "a body where there is none" : undefined;
  const media = response.content[mediaType];
  if (!media) return `media type ${mediaType} is not declared`;
  let value: unknown = text;
  if (mediaType.includes("json"))
    try {
      value = JSON.parse(text);
    } catch {
      return "no JSON";
    }
  return fits(media.schema, value);
}
