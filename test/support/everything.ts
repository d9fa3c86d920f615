import { db } from "../../src/db/db.js";

interface TableSum {
  name: string;
  rows: number;
  sum: string | null;
}

/**
 * Everything that the database holds, table by table; without `notes`, columns in which the service notes who was
 * there.
 */
export async function everything(notes: string[] = []): Promise<TableSum[]> {
  const tables = await db.rows<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const row = notes.length > 0 ? "to_jsonb(t) - $1::text[]" : "t";
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, md5(string_agg((${row})::text, ',' order by (${row})::text)) as sum
       from ${name} t`,
  );
  return db.rows<TableSum>(`${sums.join(" union all ")} order by name`, notes.length > 0 ? [notes] : []);
}

/** The tables in which something differs. */
export const differing = (before: TableSum[], after: TableSum[]): string[] =>
  after.filter(({ name, sum }) => before.find((t) => t.name === name)?.sum !== sum).map(({ name }) => name);
