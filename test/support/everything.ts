import { db } from "./db.js";

interface TableSum {
  name: string;
  rows: number;
  sum: string | null;
}

/** Of each table, the number of its rows and a sum over them. */
async function sums(sumOf: (row: string) => string, params: unknown[] = []): Promise<TableSum[]> {
  const tables = await db.rows<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const each = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows, ${sumOf("t")} as sum from ${name} t`,
  );
  return db.rows<TableSum>(`${each.join(" union all ")} order by name`, params);
}

/** Everything that the database holds, without `notes`: columns in which the service notes who was there. */
export const everything = (notes: string[]): Promise<TableSum[]> =>
  sums(
    (t) => {
      const text = `(to_jsonb(${t}) - $1::text[])::text`;
      return `md5(string_agg(${text}, ',' order by ${text}))`;
    },
    [notes],
  );

/**
 * The versions of all rows: whoever writes a row, even with the values that it had, gives it another `xmin`. Costs a
 * tenth of `everything`.
 */
export const versions = (): Promise<TableSum[]> => sums((t) => `sum(${t}.xmin::text::bigint)::text`);

/** The tables in which something differs. */
export const differing = (before: TableSum[], after: TableSum[]): string[] =>
  after
    .filter(({ name, ...now }) => {
      const then = before.find((table) => table.name === name);
      return then?.sum !== now.sum || then.rows !== now.rows;
    })
    .map(({ name }) => name);
