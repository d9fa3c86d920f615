import { db } from "../src/db.js";

/** Notes that a token is in use, once a minute. Whoever works on the token is not waited for. */
export async function noteTokenUse(tokenId: number): Promise<void> {
  await db.run(
    `update wms_tokens set last_used_at = now()
     where token_id = (
       select token_id from wms_tokens
       where token_id = $1 and coalesce(last_used_at < now() - interval '1 minute', true)
       for no key update skip locked
     )`,
    [tokenId],
  );
}

/** Takes up to `wanted` of the `perMinute` requests of a kind that a token has in the running minute, and tells how long that goes on. */
export async function takeRequests(
  tokenId: number,
  counted: string,
  wanted: number,
  perMinute: number,
): Promise<{ requests: number; lasts_ms: number }> {
  const share = await db.row<{ requests: number; lasts_ms: number }>(
    `insert into wms_token_minutes as m (token_id, counted, minute, taken) values ($1, $2, date_trunc('minute', now()), $3)
     on conflict (token_id, counted) do update
       set minute = greatest(m.minute, excluded.minute),
           taken = excluded.taken + case when m.minute < excluded.minute then 0 else m.taken end
     returning greatest(0, least($3, $4 - taken + $3)) as requests,
               floor(extract(epoch from minute + interval '1 minute' - clock_timestamp()) * 1000)::int as lasts_ms`,
    [tokenId, counted, wanted, perMinute],
  );
  return share as { requests: number; lasts_ms: number };
}
