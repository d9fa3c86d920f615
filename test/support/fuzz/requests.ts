import fc from "fast-check";
import type { JsonSchema } from "../../../api/openapi/example.js";
import type { Entry } from "../matrix/id-names.js";
import { json, operations } from "../operations.js";
import { fitting, Known, odd, resolved } from "./values.js";

/** A request as it was drawn; what stands for known things is looked up when it is sent. */
export interface Drawn {
  entry: Entry;
  /** Whose things it names. */
  world: number;
  /** Which of those who may ask, or of those who may not. */
  who: number;
  stranger: boolean;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body: unknown;
  /** Sent as it is, instead of the body. */
  raw: string | undefined;
  /** It begins as a request that surely succeeds, where somebody wrote one. */
  made: boolean;
  /** What is done to that one. */
  ways: Spoiling[];
}

/** One thing that is done to a request that was sound. */
interface Spoiling {
  at: number;
  how: "put" | "drop" | "add" | "repeat";
  value: unknown;
}

type Holder = Record<string | number, unknown>;

/** Every place of a value that can be spoilt. */
function placesOf(value: unknown): { holder: Holder; key: string | number }[] {
  if (!value || typeof value !== "object" || value instanceof Known) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

type Parts = Pick<Drawn, "path" | "query" | "body">;

/** A copy of a request, spoilt. */
export function spoilt<P extends Parts>(request: P, ways: Spoiling[]): P {
  const copy = resolved(request, (known) => known) as P;
  for (const { value, ...way } of ways) spoil(copy, { ...way, value: resolved(value, (known) => known) });
  return copy;
}

function spoil(request: Parts, by: Spoiling): void {
  const places = placesOf(request).filter(({ holder, key }) => holder !== (request as unknown) || key === "body");
  const place = places[by.at % Math.max(1, places.length)];
  if (!place) return;
  const { holder, key } = place;
  const isPath = holder === (request.path as unknown);
  if (by.how === "put" || isPath) holder[key] = by.value;
  else if (by.how === "drop") delete holder[key];
  else if (by.how === "repeat") holder[key] = [holder[key], holder[key]];
  else if (!Array.isArray(holder)) holder[`${key}_`] = by.value;
}

const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  at: fc.noBias(fc.nat(10_000)),
  how: fc.constantFrom("put", "put", "put", "drop", "add", "repeat"),
  value: odd,
});

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-f]{1,3}$/).map((key) => ({ "idempotency-key": key })) },
  fc.constantFrom<Record<string, string>>(
    { "idempotency-key": "k".repeat(256) },
    { "idempotency-key": "schl\u00fcssel" },
    { "x-request-id": "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e" },
    { "x-request-id": "nobody" },
    { "content-type": "text/plain" },
    { "content-type": "application/json; charset=utf-7" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-encoding": "gzip" },
    { accept: "text/html", "accept-language": "*" },
    { "if-none-match": "*" },
    { cookie: "service_auth=x; service_csrf=%" },
    { "x-http-method-override": "DELETE" },
  ),
);

const raws = fc.constantFrom(
  ...["", "{", "[", "null", "0", '"text"', "[]", "[{}]", "{}{}", "\u0000"],
  ...['{"a":1e999}', '{"__proto__":{"a":1}}', '{"warehouse_id":1,"warehouse_id":2}'],
  `${"[".repeat(200)}${"]".repeat(200)}`,
  `{"a":"${"x".repeat(70_000)}"}`,
  `{${Array.from({ length: 300 }, (_, i) => `"k${i}":1`).join()}}`,
);

const record = (schemas: Record<string, JsonSchema>, place: string, required: string[]) =>
  fc.record(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, fitting(schema, place, name)])), {
    requiredKeys: required,
  });

function drawn(entry: Entry): fc.Arbitrary<Drawn> {
  const { operation, route } = entry;
  const parameters = (place: string) => {
    const own = operation.parameters.filter((p) => p.in === place);
    const required = own.filter((p) => p.required || place === "path");
    return record(
      Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      place,
      required.map(({ name }) => name),
    );
  };
  const schema = json(operation.requestBody)?.schema;
  const sound = fc.record({
    path: parameters("path"),
    query: parameters("query"),
    body: schema ? fitting(schema) : route.method === "get" ? fc.constant(undefined) : fc.constantFrom(undefined, {}),
  });
  const nearlySound = fc
    .tuple(sound, fc.array(spoiling, { minLength: 1, maxLength: 3 }))
    .map(([request, ways]) => spoilt(request, ways));
  const senseless = fc.record({
    path: parameters("path"),
    query: fc.dictionary(
      fc.constantFrom(
        ...["page", "per_page", "q", "warehouse_id", "limit", "a[b]", "__proto__"],
        ...operation.parameters.map(({ name }) => name ?? "x"),
      ),
      odd,
      { maxKeys: 4 },
    ),
    body: route.method === "get" ? fc.constant(undefined) : odd,
  });
  return fc
    .record({
      request: fc.oneof(
        { weight: 5, arbitrary: sound },
        { weight: 4, arbitrary: nearlySound },
        { weight: 1, arbitrary: senseless },
      ),
      world: fc.noBias(fc.nat(1_000)),
      who: fc.noBias(fc.nat(1_000)),
      stranger: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
      made: fc.oneof({ weight: 24, arbitrary: fc.constant(false) }, fc.constant(true)),
      ways: fc.array(spoiling, { maxLength: 2 }),
      headers,
      raw: fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, raws),
    })
    .map(({ request, ...rest }) => ({
      ...{ entry, ...request, ...rest },
      raw: route.method === "get" ? undefined : rest.raw,
    }));
}

/** Requests of all operations: half of them sound as far as the document tells, the others nearly or not at all. */
export const requests: fc.Arbitrary<Drawn> = fc.oneof(...operations.map(drawn));
