import type { OutgoingHttpHeaders } from "node:http";
import { exampleOf, type JsonSchema } from "../../api/openapi/example.js";
import { validator } from "./json-schema.js";
import { json, type operations } from "./operations.js";
import type { Message } from "./send.js";

/** A call that is sound but for one thing, made from what the OpenAPI document says of its route. */

export type Entry = (typeof operations)[number];

export interface HostileCall extends Message {
  entry: Entry;
  what: string;
  /** The one status that is right; without it every refusal is. */
  status?: number | undefined;
  /** Success is right too. */
  legal?: boolean;
}

/** What inbound routes read in the test's service. */
export const BODY_LIMITS = { inboundMaxBodyKb: 16, stationMaxBodyKb: 64, posMaxBodyKb: 64 };

/** A place in a schema, from the outside in; a list's first entry stands for all. */
interface Leaf {
  at: (string | 0)[];
  schema: JsonSchema;
}

export function leaves(schema: JsonSchema, at: Leaf["at"] = []): Leaf[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice) => leaves(choice, at));
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, field]) => leaves(field, [...at, name]));
  if (schema.items) return leaves(schema.items, [...at, 0]);
  return [{ at, schema }];
}

/** The JSON of a value that has other JSON in one of its places. */
export function jsonWith(value: unknown, [key, ...rest]: Leaf["at"], put: string): string {
  if (key === undefined) return put;
  const inner = (value as Record<string | 0, unknown> | null)?.[key];
  const changed = jsonWith(inner, rest, put);
  if (key === 0) return `[${changed}]`;
  const fields = Object.entries(value ?? {})
    .filter(([name]) => name !== key)
    .map(([name, other]) => `${JSON.stringify(name)}:${JSON.stringify(other)}`);
  return `{${[...fields, `${JSON.stringify(key)}:${changed}`].join()}}`;
}

/** The document's example of a body, with an address in the place of a name that name servers would be asked for. */
function exampleIn({ requestBody }: Entry["operation"]): unknown {
  const example = JSON.stringify(json(requestBody)?.example);
  return example && JSON.parse(example.replaceAll("partner.example.com", "93.184.216.34"));
}

/** A body's schema and example, and whether the document allows a text as body. */
export function bodyOf({ operation }: Entry) {
  const { schema = {} } = json(operation.requestBody) ?? {};
  const fits = validator(schema);
  const allows = (text: string) => Boolean(fits(JSON.parse(text) ?? {}));
  return { schema, example: exampleIn(operation), allows };
}

/** Percent-encoded as UTF-8; of a half character the bytes that it would have. */
const encoded = (text: string) =>
  [...text].map((char) => (/\p{Cs}/u.test(char) ? "%ED%A0%80" : encodeURIComponent(char))).join("");

export const parametersIn = ({ operation }: Entry, place: "path" | "query") =>
  operation.parameters.filter((parameter) => parameter.in === place);
export type Parameter = ReturnType<typeof parametersIn>[number];

export interface Changes {
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** Behind the query, as it is. */
  more?: string;
  body?: string | Buffer;
  headers?: OutgoingHttpHeaders;
}

/** A call that would be sound but for its changes. */
export function call(
  entry: Entry,
  what: string,
  { path = {}, query = {}, more = "", body, headers }: Changes,
  expected: Pick<HostileCall, "status" | "legal"> = {},
): HostileCall {
  const { route } = entry;
  const soundPath = parametersIn(entry, "path").map(({ name, schema }) => [
    name,
    path[name] ?? String(exampleOf(schema)),
  ]);
  const inPath = Object.fromEntries(soundPath) as Record<string, string>;
  const search = parametersIn(entry, "query")
    .filter(({ name, required }) => required || name in query)
    .map(({ name, schema }) => {
      const text = query[name] ?? String(exampleOf(schema));
      return `${name}=${encoded(text)}`;
    });
  const example = exampleIn(entry.operation);
  const filledPath = route.path.replace(/:(\w+)/g, (_, name: string) => encoded(inPath[name] as string));
  return {
    entry,
    what,
    method: route.method.toUpperCase(),
    path: `${filledPath}?${[...search, more].join("&")}`,
    body: body ?? (example === undefined ? undefined : JSON.stringify(example)),
    headers: { "content-type": "application/json", ...headers },
    ...expected,
  };
}
