import type { Knex } from "knex";
import { int } from "./columns.js";
import { anyOf, builder, containing, runBuilt } from "./list.js";

/**
 * Searches for two letters. An index of trigrams does not find two letters, but it finds them with each letter that may
 * stand behind them, as long as these are not too many: those of Latin-1. Rows with other characters are few where
 * people write so, and have an index of their own.
 */
const BEHIND = "[ -ÿ]";
const OTHERS = "[^ -ÿ]";

/** A table that two letters are looked for in. */
export interface ShortSearch {
  table: string;
  key: string;
  /** SQL of the texts, each of which an index of trigrams has. */
  texts: string[];
  /** SQL of all of them in one, as the index of rows with other characters has it. */
  together: string;
}

/** So many of the newest rows are looked at, and if so many of them are found, many are. */
const SAMPLE = 2_000;
const MANY = 40;

const Found = { found: int };

/** A condition, and the words that it names. */
interface Few {
  sql: string;
  words: Record<string, string>;
}

/**
 * The condition that `column`, the row's key, is among those that are found; none where an index does not help: because
 * `q` is no two letters or digits, or as so many rows have them that a page is full after a few.
 */
export async function fewWith(q: string, column: string, search: ShortSearch): Promise<Few | undefined> {
  if (!/^[a-z0-9]{2}$/i.test(q)) return undefined;
  const { table, key, texts, together } = search;
  const words = { like: containing(q), behind: q + BEHIND, ends: `%${q}` };
  const isFound = texts.map((text) => `${text} ilike :like`).join(" or ");
  const newest = `select * from ${table} order by ${key} desc limit ${SAMPLE}`;
  const hits = `select from (${newest}) newest where ${isFound} limit ${MANY}`;
  const [sample] = await runBuilt(
    Found,
    builder.select(builder.raw(`count(*)::int as found from (${hits}) hits`, words as never)),
    true,
  );
  if (sample && sample.found >= MANY) return undefined;
  const byIndex = texts.map((text) => `${text} ~* :behind or ${text} ilike :ends`).join(" or ");
  // Two statements: of an "or" the planner would think that nearly all rows have other characters. With "is true" it
  // does not read all of an index for what the index does not find.
  const keys = [byIndex, `${together} ~ '${OTHERS}'`].map(
    (which) => `select ${key} from ${table} where (${which}) and (${isFound}) is true`,
  );
  return { sql: `${column} = any(array(${keys.join(" union all ")}))`, words };
}

/** For the `where` of a query: that `q` is in one of the texts, or is the external id. */
export async function textIn(q: string, column: string, search: ShortSearch, externalId: string) {
  const few = await fewWith(q, column, search);
  return few ? whereFew(few) : anyOf(q, search.texts, externalId);
}

/** As a function: whoever awaits what a query is made of runs it. */
export const whereFew =
  ({ sql, words }: Few) =>
  (query: Knex.QueryBuilder) => {
    query.whereRaw(sql, words as never);
  };
