import { newKey } from "../../src/auth/keys/key.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";

interface Fields {
  key_name?: string;
  page_keys?: string[] | null;
  functions?: string[] | null;
  is_read_only?: boolean;
  expires_at?: string;
  /** The program whose token it is; none where a person made the key. */
  agent_name?: string;
}

/** Calls with a personal key of this user. */
export async function keyCaller(
  { config, anyone }: { config: { tokenPepper: string }; anyone: Caller },
  { userId }: Pick<Caller, "userId">,
  {
    key_name = "a key",
    page_keys = null,
    functions = null,
    is_read_only = false,
    expires_at = "9999-01-01T00:00:00Z",
    agent_name,
  }: Fields = {},
): Promise<Caller> {
  const key = newKey();
  await db.run(
    `with agent as (
       insert into oauth_clients (client_id, client_name, redirect_uris)
       select gen_random_uuid()::text, $8::text, array['https://agent.test/'] where $8::text is not null
       returning client_id
     )
     insert into personal_keys (user_id, key_name, key_hash, page_keys, functions, is_read_only, expires_at, client_id)
     values ($1, $2, $3, $4, $5, $6, $7, (select client_id from agent))`,
    [
      ...[userId, key_name, tokenHash(key, config.tokenPepper), page_keys, functions, is_read_only, expires_at],
      agent_name,
    ],
  );
  return anyone.with({ authorization: `Bearer ${key}` });
}
