import { LOCKS_CONNECTION, SENDING_WORKER } from "../../src/outbound/sending.js";
import { db } from "./db.js";

/** How many subscriptions and channels each worker sends for, the fewest first. */
export async function sharesOfWorkers(): Promise<number[]> {
  const rows = await db.rows<{ share: number }>(
    `select (count(*) filter (where objsubid = 1))::int as share
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and application_name = $1 and datname = current_database()
     group by pid having bool_or(objsubid = 2 and classid = ${SENDING_WORKER}) order by 1`,
    [LOCKS_CONNECTION],
  );
  return rows.map(({ share }) => share);
}
