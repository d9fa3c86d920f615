import { db } from "../src/platform/db/db.js";

/** Which time of which rows, by their key, and how seldom it is written. */
export interface NotedTime {
  table: string;
  key: string;
  column: string;
  every: string;
}

/** Sets a time of a row to now, unless that was done a moment ago. Skips a row that another transaction has locked. */
export async function noteTime({ table, key, column, every }: NotedTime, id: number | string): Promise<void> {
  await db.run(
    `update ${table} set ${column} = now()
     where ${key} = (
       select ${key} from ${table} where ${key} = $1 and coalesce(${column} < now() - interval '${every}', true)
       for no key update skip locked
     )`,
    [id],
  );
}
