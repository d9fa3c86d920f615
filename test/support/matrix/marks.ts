import { randomInt } from "node:crypto";
import { db } from "../db.js";
import { sharedFields } from "./exceptions.js";
import type { Things } from "./things.js";

/** Where the ids of what is marked begin, and where they end: told by themselves, in whatever field they stand. */
export const FIRST = 770_000_000;
const BEHIND = 780_000_000;
/** No code that fixtures make has such a sign. */
const MARK = "Z_7";

/** Items and people are of no warehouse. */
const ofAllWarehouses = ["items_item_id_seq", "users_user_id_seq"];

const sequences = () =>
  db.rows<{ name: string; last: number }>(
    `select quote_ident(sequencename) as name, coalesce(last_value, 0) as last from pg_sequences
     where schemaname = 'public' and max_value > $1 and sequencename <> all($2)`,
    [BEHIND, ofAllWarehouses],
  );

const count = (from: { name: string; at: number }[]) =>
  db.run("select setval(name, at) from unnest($1::text[], $2::bigint[]) s(name, at)", [
    from.map(({ name }) => name),
    from.map(({ at }) => at),
  ]);

/** Lets ids that somebody set to begin anywhere begin below the marked ones. */
export const withoutMarkedIds = async () =>
  count((await sequences()).map(({ name, last }) => ({ name, at: Math.max(1, last % FIRST) })));

let marked = 0;
/** Runs something whose rows get marked ids; those that come later get ordinary ones. */
export async function withMarkedIds<T>(run: () => Promise<T>): Promise<T> {
  const before = await sequences();
  // All test files share one workflow engine, where some of these ids are names.
  const at = FIRST + marked++ * 1_000_000 + randomInt(1, 900) * 1_000;
  await count(before.map(({ name }) => ({ name, at })));
  const made = await run();
  await count(before.map(({ name, last }) => ({ name, at: last || 1 })));
  return made;
}

/** The tables that number their rows, each with its numbers' column. */
const numbered = () =>
  db.rows<{ t: string; key: string }>(
    `select table_name as t, column_name as key from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' and table_name not in ('audit_log', 'integration_events')
     order by table_name`,
  );

const columnsOf = async (types: string[]) => {
  const columns = await db.rows<{ t: string; c: string }>(
    `select table_name as t, column_name as c from information_schema.columns
     where table_schema = 'public' and data_type = any($1) and domain_name is null`,
    [types],
  );
  return (await numbered()).flatMap(({ t, key }) =>
    columns.filter((column) => column.t === t).map(({ c }) => ({ t, key, c })),
  );
};

/** Other systems, and what they call their records and versions; by these, refused records belong to something. */
const ofTheSender = ["connector_name", "external_id", "external_version", "source_id", "source_system", "resource"];

/** Writes a mark into every text of every row that has a marked id, as far as the table lets it. */
export async function markTexts(): Promise<void> {
  const texts = await columnsOf(["text", "character varying"]);
  for (const [n, { t, c, key }] of texts.entries())
    if (!ofTheSender.includes(c))
      await db
        .run(`update ${t} set ${c} = '${MARK}' || $1 || 'x' || (${key} - $2) where ${key} between $2 and $3`, [
          n.toString(36),
          FIRST,
          BEHIND,
        ])
        // A state, or a word that another table lists.
        .catch(() => {});
  await db.run(
    `update webhook_subscriptions s set display_name = $1 from warehouses w
     where w.warehouse_id between $2 and $3 and subscription_filter->'warehouse_ids' @> to_jsonb(w.warehouse_id)`,
    [`${MARK} webhook`, FIRST, BEHIND],
  );
  await db.run(
    `update channels c set display_name = $1 from warehouses w
     where w.warehouse_id between $2 and $3 and sku_scope->'warehouse_ids' @> to_jsonb(w.warehouse_id)`,
    [`${MARK} channel`, FIRST, BEHIND],
  );
}

/** The UUIDs of what is marked. */
export async function markedUuids({ webhook }: Things): Promise<Set<string>> {
  const found = new Set<string>(webhook.map(String));
  for (const { t, c, key } of await columnsOf(["uuid"]))
    for (const { id } of await db.rows<{ id: string | null }>(
      `select ${c} as id from ${t} where ${key} between $1 and $2`,
      [FIRST, BEHIND],
    ))
      if (id) found.add(id);
  return found;
}

/** All rows of what is marked, table by table. */
export async function markedRows(things: Things): Promise<unknown> {
  const sums = (await numbered()).map(
    ({ t, key }) =>
      `select '${t}' as name, count(*) as rows, md5(string_agg(t::text, ',' order by ${key})) as sum
       from ${t} t where ${key} between $1 and $2`,
  );
  return [
    await db.rows(sums.join(" union all "), [FIRST, BEHIND]),
    await db.rows("select * from webhook_subscriptions where subscription_id = any($1)", [things.webhook]),
    await db.rows("select * from channels where channel_id = any($1)", [things.channel]),
    await db.rows("select * from consumer_groups where consumer_group_id = any($1)", [things.consumerGroup]),
  ];
}

/** What of an answer is marked and was not named by the request itself. */
export function leaks(answer: unknown, sent: unknown, uuids: Set<string>): string[] {
  const named = leaves(sent)
    .map(String)
    .filter((text) => isMarked(text, uuids))
    .sort((a, b) => b.length - a.length);
  return leaves(answer)
    .map(String)
    .filter((leaf) =>
      isMarked(
        named.reduce((text, one) => text.replaceAll(one, ""), leaf),
        uuids,
      ),
    );
}

const isMarked = (text: string, uuids: Set<string>): boolean =>
  text.includes(MARK) ||
  /\b77\d{7}\b/.test(text) ||
  (text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []).some((id) => uuids.has(id));

/** Texts and numbers, names of fields too. */
function leaves(value: unknown): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  if (!value || typeof value !== "object") return [];
  return Object.entries(value)
    .filter(([key]) => !sharedFields.has(key))
    .flatMap(([key, entry]) => [...(Array.isArray(value) ? [] : [key]), ...leaves(entry)]);
}
