import { bodyLimitOf } from "../../api/http/route.js";
import type { JsonSchema } from "../../api/openapi/example.js";
import {
  BODY_LIMITS,
  bodyOf,
  type Changes,
  call,
  type Entry,
  type HostileCall,
  jsonWith,
  leaves,
  type Parameter,
  parametersIn,
} from "./hostile-call.js";
import * as odd from "./hostile-values.js";
import { validator } from "./json-schema.js";

/** Hostile values, in each field of path, query and body that a route has. */

const isOf = ({ type }: JsonSchema, ...types: string[]) => [type].flat().some((name) => types.includes(name as string));
const isTime = ({ format }: JsonSchema) => format === "date-time";

/** Each integer and each number of path, query and body. */
export function numbers(entry: Entry): HostileCall[] {
  const text = ({ name, schema }: Parameter, place: "path" | "query") => {
    const fits = validator(schema);
    return odd.integerTexts.map((value) => {
      const legal = /^\d+$/.test(value) && Boolean(fits(Number(value)));
      const what = `${name}=${value}`;
      return call(entry, what, { [place]: { [name]: value } }, { legal });
    });
  };
  const inText = (["path", "query"] as const).flatMap((place) =>
    parametersIn(entry, place)
      .filter(({ schema }) => isOf(schema, "integer"))
      .flatMap((parameter) => text(parameter, place)),
  );
  const lists = parametersIn(entry, "query").flatMap(({ name }) => [
    call(entry, `${name} twice`, { more: `${name}=1&${name}=2` }),
    call(entry, `${name} as a list`, { more: `${name}[]=1` }, { legal: true }),
  ]);
  const { schema, example, allows } = bodyOf(entry);
  const inBody = leaves(schema)
    .filter((leaf) => isOf(leaf.schema, "integer", "number"))
    .flatMap(({ at, schema }) =>
      odd.jsonNumbers.map((number) => {
        const body = jsonWith(example, at, number);
        const what = `${at.join(".")}: ${number.slice(0, 30)}`;
        // An integer may come as text of digits.
        const meant = isOf(schema, "integer") ? number.replace(/^"(\d+)"$/, "$1") : number;
        return call(entry, what, { body }, { legal: allows(jsonWith(example, at, meant)) });
      }),
    );
  return [...inText, ...lists, ...inBody];
}

/** Each time of query and body. */
export function times(entry: Entry): HostileCall[] {
  const of = (put: (time: string) => Changes, name: string) => [
    ...odd.wrongTimes.map((time) => call(entry, `${name}: ${time}`, put(time))),
    ...odd.rareTimes.map((time) => call(entry, `${name}: ${time}`, put(time), { legal: true })),
  ];
  const inQuery = parametersIn(entry, "query")
    .filter(({ schema }) => leaves(schema).some((leaf) => isTime(leaf.schema)))
    .flatMap(({ name }) => of((time) => ({ query: { [name]: time } }), name));
  const { schema, example } = bodyOf(entry);
  const inBody = leaves(schema)
    .filter((leaf) => isTime(leaf.schema))
    .flatMap(({ at }) => of((time) => ({ body: jsonWith(example, at, JSON.stringify(time)) }), at.join(".")));
  return [...inQuery, ...inBody];
}

/** Each text of path, query and body. */
export function texts(entry: Entry): HostileCall[] {
  const legal = { legal: true };
  const { kb } = bodyLimitOf(entry.route, BODY_LIMITS);
  const long = "x".repeat(Math.min(kb * 1024 - 4_096, 60_000));
  const isText = ({ schema }: Parameter) => isOf(schema, "string") || schema.anyOf;
  const inPath = parametersIn(entry, "path").flatMap(({ name }) => [
    call(entry, `${name} with NUL`, { path: { [name]: "a\0b" } }),
    call(entry, `${name} broken`, { path: { [name]: "a\ud800b" } }),
    ...[...odd.oddTexts, "x".repeat(6_000)].map((text) =>
      call(entry, `${name}: ${text}`, { path: { [name]: text } }, legal),
    ),
  ]);
  const inQuery = parametersIn(entry, "query")
    .filter(isText)
    .flatMap(({ name }) => [
      call(entry, `${name} with NUL`, { query: { [name]: "a\0b" } }),
      ...[...odd.oddTexts, "a\ud800b", "x".repeat(6_000)].map((text) =>
        call(entry, `${name}: ${text}`, { query: { [name]: text } }, legal),
      ),
    ]);
  const { schema, example, allows } = bodyOf(entry);
  const checksNul = { legal: entry.route.checksNul === true };
  const inBody = leaves(schema)
    .filter(
      // What the document says nothing of may be text, too.
      ({ at, schema }) => at.length > 0 && (isOf(schema, "string") || !schema.type),
    )
    .flatMap(({ at }) => {
      const name = at.join(".");
      const put = (text: string) => jsonWith(example, at, JSON.stringify(text));
      return [
        ...odd.unfitTexts.map((text) => call(entry, `${name} unfit`, { body: put(text) }, checksNul)),
        ...[...odd.oddTexts, long].map((text) =>
          call(entry, `${name}: ${text}`, { body: put(text) }, { legal: allows(put(text)) }),
        ),
        call(
          entry,
          `${name} a name with NUL`,
          { body: jsonWith(example, [...at.slice(0, -1), "a\0b"], "1") },
          checksNul,
        ),
      ];
    });
  return [...inPath, ...inQuery, ...inBody];
}
