import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";

/**
 * Reserves up to `wanted` of the `perMinute` requests that a key has left in the current minute, and returns for how
 * long that minute lasts.
 */
export async function takeRequests(
  key: string,
  wanted: number,
  perMinute: number,
): Promise<{ requests: number; lasts_ms: number }> {
  const reserved = await db.row(
    { requests: int, lasts_ms: int },
    `insert into request_counts as c (key, minute, taken) values ($1, date_trunc('minute', now()), $2)
     on conflict (key) do update
       set minute = greatest(c.minute, excluded.minute),
           taken = excluded.taken + case when c.minute < excluded.minute then 0 else c.taken end
     returning greatest(0, least($2, $3 - taken + $2)) as requests,
               floor(extract(epoch from minute + interval '1 minute' - clock_timestamp()) * 1000)::int as lasts_ms`,
    [key, wanted, perMinute],
  );
  return reserved as { requests: number; lasts_ms: number };
}
