import { db } from "../../src/platform/db/db.js";

/** Sets `last_used_at`, at most once a minute. Skips a token that another transaction has locked. */
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
