import assert from "node:assert/strict";
import { exampleOf } from "../../../api/openapi/example.js";
import type { Answer, Caller } from "../caller.js";
import { json } from "../operations.js";
import { nameable } from "./exceptions.js";
import { type Entry, type KindSlot, type Slot, slotsOf } from "./id-names.js";
import type { Things } from "./things.js";

type Values = Record<string, unknown>;

/** A request of an operation, in its parts. */
export interface Asking {
  entry: Entry;
  path: Values;
  query: Values;
  body: unknown;
}

/** A request that somebody wrote by hand, in its parts. */
export function askingOf(entry: Entry, path = entry.route.path, body?: unknown): Asking {
  const names = [...entry.route.path.matchAll(/:(\w+)/g)].map((m) => m[1]);
  const pattern = entry.route.path.replace(/:\w+/g, "([^/]+)");
  const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1) ?? [];
  const pairs = names.map((name, i) => [name, values[i]]);
  return { entry, path: Object.fromEntries(pairs), query: {}, body };
}

/** The request of the document's examples, which names these things; what it may leave out of query and ids it does. */
export function exampleAsking(entry: Entry, things: Things, shared: Values = {}): Asking {
  const { operation } = entry;
  const values = (place: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((p) => p.in === place && (place === "path" || p.required))
        .map(({ name, schema }) => [name, shared[name] ?? exampleOf(schema)]),
    );
  const body = structuredClone(json(operation.requestBody)?.example);
  if (body && typeof body === "object") putShared(body as Values, shared);
  const asking = { entry, path: values("path"), query: values("query"), body };
  for (const slot of slotsOf(entry)) if (mayBeLeftOut(slot)) delete (body as Values)?.[slot.name];
  const inPlace = slotsOf(entry).filter((slot) => stands(asking, slot));
  return inPlace.reduce((so, slot) => withValue(so, slot, things[slot.kind][0]), asking);
}

/** One id would hide another, where a body takes either. */
const mayBeLeftOut = ({ place, keys, required, kind }: KindSlot) =>
  place === "body" && keys.length === 1 && !required && kind !== "warehouse";

function putShared(body: Values, shared: Values): void {
  for (const [name, value] of Object.entries(body)) {
    if (name in shared) body[name] = shared[name];
    else if (value && typeof value === "object") putShared(value as Values, shared);
  }
}

/** Whether the request says anything in this place. */
export const stands = (asking: Asking | undefined, { place, keys }: Slot) =>
  keys.reduce<unknown>((value, key) => (value as Values | undefined | null)?.[key], asking?.[place]) !== undefined;

/** The request with another value in one place. */
export function withValue(asking: Asking, { place, keys, list }: Slot, value: unknown): Asking {
  const copy = structuredClone({ ...asking, entry: undefined });
  copy[place] ??= {};
  let holder = copy[place] as Values;
  for (const [i, key] of keys.slice(0, -1).entries()) {
    holder[key] ??= typeof keys[i + 1] === "number" ? [] : {};
    holder = holder[key] as Values;
  }
  holder[keys.at(-1) as string] = list ? [value].flat() : value;
  return { ...copy, entry: asking.entry };
}

/**
 * The request once for each place where it can name a thing of a warehouse, with the things of that warehouse there.
 */
export const naming = (asking: Asking, things: Things): { asking: Asking; slot: Slot }[] =>
  slotsOf(asking.entry)
    .filter(({ name }) => !nameable.has(`${asking.entry.name} ${name}`))
    .flatMap((slot) => things[slot.kind].map((value) => ({ asking: withValue(asking, slot, value), slot })));

function send(caller: Caller, { entry, path, query, body }: Asking): Promise<Answer> {
  const { route } = entry;
  const place = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
  return caller.call(route.method.toUpperCase(), place + search, route.method === "get" ? undefined : body);
}

/** A way to ask that counts, and says in the end how often. */
export function asker() {
  let calls = 0;
  const count = () => void calls++;
  const ask = (caller: Caller, asking: Asking): Promise<Answer> => {
    count();
    return send(caller, asking);
  };
  /** Closes with the figure; at least so many there must have been. */
  const tell = (of: string, least: number) => {
    console.log(`permission matrix: ${calls} calls (${of})`);
    assert.ok(calls >= least, `${calls} of ${least} calls`);
  };
  return { ask, count, tell };
}

/** An answer in short, for what a failure says. */
export const told = ({ status, body }: Answer) => `${status} ${JSON.stringify(body).slice(0, 300)}`;

/** Where the service notes that a token was there: no change of what the token asked for. */
export const notes = ["last_used_at"];
