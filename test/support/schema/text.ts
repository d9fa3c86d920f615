import assert from "node:assert/strict";
import type pg from "pg";
import { type Catalog, readCatalog } from "./catalog.js";
import { parts } from "./parts.js";

const WIDTH = 120;

const HEAD = `-- The schema that the migrations make, written by npm run schema. A test compares it with a database.

-- Functions may name tables that come further down.
set check_function_bodies = off;

create extension if not exists pg_trgm;
`;

/**
 * The schema of a database as statements that make it, in the order of the files, the same for the same schema. A
 * function is where the first table is whose triggers or indexes call it; one that none calls has a place of its own.
 */
export async function schemaText(client: pg.Client): Promise<string> {
  const catalog = await readCatalog(client);
  const unplaced = new Set([
    ...catalog.columns.map(({ table }) => table),
    ...catalog.functions.filter(({ called_by }) => called_by.length === 0).map(({ name }) => name),
  ]);
  const placed = parts
    .map(({ title, names }) => ({ title, names: names.filter((name) => unplaced.delete(name)) }))
    .filter(({ names }) => names.length > 0);
  assert.deepEqual([...unplaced], [], "are made by no `create` at the beginning of a line of a migration");
  const order = placed.flatMap(({ names }) => names);
  const made = new Set<string>();
  const texts = placed.map(
    ({ title, names }) =>
      `-- ${title}\n\n${names
        .map((name) => ofName(catalog, name, order, made).join("\n"))
        .filter(Boolean)
        .join("\n\n")}`,
  );
  return `${HEAD}\n${texts.join("\n\n\n")}\n`;
}

/** A table with all that belongs to it, or functions of one name. */
function ofName(catalog: Catalog, name: string, order: string[], made: Set<string>): string[] {
  const columns = catalog.columns.filter(({ table }) => table === name);
  if (columns.length === 0)
    return catalog.functions.filter((one) => one.name === name).flatMap((one) => functionText(catalog, one));
  const domains = catalog.domains.filter((domain) => columns.some(({ type }) => type === domain.name));
  const called = catalog.functions.filter((one) => one.called_by.includes(name) && isFirst(made, one.signature));
  const functions = (indexed: boolean) =>
    called.filter(({ indexed_by }) => indexed_by.length > 0 === indexed).flatMap((one) => functionText(catalog, one));
  return [
    ...domains.filter((domain) => isFirst(made, domain.name)).flatMap((domain) => domainText(catalog, domain)),
    ...functions(true),
    ...tableText(catalog, name, order),
    ...functions(false),
    ...triggersText(catalog, name),
    ...laterKeys(catalog, name, order),
  ];
}

/** Whether a thing has not been made yet; from now on it has. */
function isFirst(made: Set<string>, thing: string): boolean {
  if (made.has(thing)) return false;
  made.add(thing);
  return true;
}

function tableText(catalog: Catalog, table: string, order: string[]): string[] {
  const columns = catalog.columns.filter((column) => column.table === table);
  const constraints = catalog.constraints
    .filter((constraint) => constraint.table === table)
    .filter(({ refers_to }) => !refers_to || order.indexOf(refers_to) <= order.indexOf(table));
  const widest = (texts: string[]) => Math.max(...texts.map((text) => text.length)) + 1;
  const [names, types] = [widest(columns.map(({ name }) => name)), widest(columns.map(({ type }) => short(type)))];
  const lines = columns.map(({ name, type, required, value }) => {
    const own = constraints.filter((one) => isInline(one) && one.columns[0] === name);
    const words = [
      ...(required && !own.some(({ kind }) => kind === "p") && !value?.endsWith("as identity") ? ["not null"] : []),
      ...(value ? [tidy(catalog, table, value)] : []),
      ...own.map((one) =>
        constraintText(catalog, one).replace(/^(primary key|unique) \(\w+\)$|^foreign key \(\w+\) /, "$1"),
      ),
    ];
    return `${name.padEnd(names)}${short(type).padEnd(types)}${words.join(" ")}`.trimEnd();
  });
  const rest = constraints
    .filter((one) => !isInline(one))
    .map((one) => `${isNamed(one) ? "" : `constraint ${one.name} `}${constraintText(catalog, one)}`);
  const options = catalog.options.find((one) => one.table === table);
  return [
    `create table ${table} (`,
    [...lines, ...rest].map((line) => `  ${broken(line).replaceAll("\n", "\n  ")}`).join(",\n"),
    broken(`)${options ? ` with (${options.options})` : ""};`),
    ...commentsOn(catalog, `table ${table}`),
    ...columns.flatMap(({ name }) => commentsOn(catalog, `column ${table}.${name}`)),
    ...constraints.flatMap(({ name }) => commentsOn(catalog, `constraint ${name} on ${table}`)),
    ...catalog.indexes
      .filter((index) => index.table === table)
      .flatMap(({ name, definition }) => [
        broken(`${tidy(catalog, table, definition).replace("using btree ", "")};`),
        ...commentsOn(catalog, `index ${name}`),
      ]),
  ];
}

/** Whether a constraint stands at its column. */
const isInline = (one: Catalog["constraints"][number]) => isNamed(one) && one.columns.length === 1;

/** Whether Postgres gives a constraint this name by itself. */
function isNamed({ table, name, kind, columns, definition }: Catalog["constraints"][number]): boolean {
  if (definition.includes("INCLUDE") || (kind === "c" && columns.length > 1)) return false;
  const end = { p: "pkey", u: "key", c: "check", f: "fkey", x: "excl" }[kind];
  return name === [table, ...(kind === "p" ? [] : columns), end].join("_");
}

function constraintText(catalog: Catalog, { table, definition, refers_to }: Catalog["constraints"][number]): string {
  const key = catalog.constraints.find((one) => one.table === refers_to && one.kind === "p")?.columns.join(", ");
  return tidy(catalog, table, definition).replace(`references ${refers_to}(${key})`, `references ${refers_to}`);
}

/** Foreign keys of earlier tables to this one. */
const laterKeys = (catalog: Catalog, name: string, order: string[]) =>
  catalog.constraints
    .filter(({ table, refers_to }) => refers_to === name && order.indexOf(table) < order.indexOf(name))
    .map((one) => broken(`alter table ${one.table} add constraint ${one.name} ${constraintText(catalog, one)};`));

const triggersText = (catalog: Catalog, table: string) =>
  catalog.triggers
    .filter((trigger) => trigger.table === table)
    .flatMap(({ name, definition, disabled }) => [
      ...tidy(catalog, table, definition)
        .split(/ (?=for each|when \(|execute)/)
        .map((part, at, { length }) => broken(`${at ? "  " : ""}${part}${at === length - 1 ? ";" : ""}`)),
      ...(disabled ? [`alter table ${table} disable trigger ${name};`] : []),
      ...commentsOn(catalog, `trigger ${name} on ${table}`),
    ]);

function domainText(catalog: Catalog, { name, type, checks }: Catalog["domains"][number]): string[] {
  const lines = [
    `create domain ${name} as ${short(type)}`,
    ...checks.map((check) => broken(tidy(catalog, "", check)).replaceAll("\n", "\n  ")),
  ];
  return [`${lines.join("\n  ")};`, ...commentsOn(catalog, `domain ${name}`)];
}

function functionText(catalog: Catalog, { signature, definition }: Catalog["functions"][number]): string[] {
  const [, head = definition, body] = /^(.*?)AS \$function\$(.*)\$function\$\s*$/s.exec(definition) ?? [];
  const kind = definition.startsWith("create aggregate") ? "aggregate" : "function";
  const opened = small(head.replace("CREATE OR REPLACE FUNCTION public.", "create function "))
    .replace(/\n/g, " ")
    .replace(/ +/g, " ")
    .trim();
  return [
    body === undefined ? broken(`${opened};`) : `${broken(`${opened} as $$`)}\n${outdented(body)}\n$$;`,
    ...commentsOn(catalog, `${kind} ${signature}`),
  ];
}

/** A body without empty lines around it, its first line at the edge. */
function outdented(body: string): string {
  const lines = body.replace(/^\s*\n|\s+$/g, "").split("\n");
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => /^ */.exec(line)?.[0].length ?? 0));
  return lines.map((line) => line.slice(indent).trimEnd()).join("\n");
}

function commentsOn(catalog: Catalog, thing: string): string[] {
  const text = catalog.comments.find(({ on }) => on === thing)?.text.replace(/\s+/g, " ");
  if (text === undefined) return [];
  const whole = `comment on ${thing} is '${text.replaceAll("'", "''")}';`;
  if (whole.length <= WIDTH) return [whole];
  const lines = [""];
  for (const word of text.replaceAll("'", "''").split(" ")) {
    const line = `${lines.at(-1)}${word} `;
    if (line.length > WIDTH - 4) lines.push(`${word} `);
    else lines[lines.length - 1] = line;
  }
  const parts = lines.map((line, at) => `  '${at === lines.length - 1 ? line.slice(0, -1) : line}'`);
  return [`comment on ${thing} is\n${parts.join("\n")};`];
}

/** In small letters but for what is quoted, without the schema's name, types by their short names. */
const small = (text: string) =>
  text.replace(/'(?:[^']|'')*'|[^']+/g, (part) =>
    part.startsWith("'") ? part : short(part.toLowerCase().replaceAll("public.", "")),
  );

const short = (text: string) =>
  text
    .replaceAll("character varying", "varchar")
    .replaceAll("timestamp with time zone", "timestamptz")
    .replace(/^numeric\((\d+),(\d+)\)$/, "numeric($1, $2)");

/** As it was written: without the casts that Postgres adds, and `in (…)` for what it makes of that. */
function tidy(catalog: Catalog, table: string, text: string): string {
  const words = catalog.columns.filter(
    ({ table: of, type }) =>
      of === table && (type.startsWith("character") || catalog.domains.some((d) => d.name === type)),
  );
  const name = `(?:value|${["(?:new|old)\\.\\w+", ...words.map((column) => column.name)].join("|")})`;
  return small(text)
    .replace(/\('([^']*)'::varchar\)::text/g, "'$1'")
    .replace(/('(?:[^']|'')*')(?:::(?:varchar|text|integer))+(?:\[\])?(?!\w)/g, "$1")
    .replace(/\b(\d+)::numeric\b/g, "$1")
    .replace(new RegExp(`\\((${name})\\)::text`, "g"), "$1")
    .replace(new RegExp(`\\b(${name})::text`, "g"), "$1")
    .replace(
      / (=|<>) (?:any|all) \((?:array\[([^\]]*)\](?:::\w+\[\])?|\(array\[([^\]]*)\](?:::\w+\[\])?\)(?:::text\[\])?)\)/g,
      (_, sign, list, inner) => `${sign === "=" ? "" : " not"} in (${list ?? inner})`,
    )
    .replace(/array\[([^\]]*)\]::text\[\]/g, "array[$1]");
}

/** A long definition goes on in other lines. */
function broken(text: string): string {
  const [edge = ""] = /^ */.exec(text) ?? [];
  const lines = [""];
  for (const part of text.trim().length > WIDTH - 3
    ? text.trim().split(/ (?=where|references|check|with \()/)
    : [text.trim()]) {
    if (lines.at(-1)) lines.push("  ");
    for (const word of part.match(/(?:'(?:[^']|'')*'|\S)+ */g) ?? []) {
      if (`${edge}${lines.at(-1)}${word}`.trimEnd().length > WIDTH - 3) lines.push("  ");
      lines[lines.length - 1] += word;
    }
  }
  return lines.map((line) => `${edge}${line}`.trimEnd()).join("\n");
}
