import { KEY } from "../../src/auth/keys/queries.js";
import { type NewKey, PersonalKey } from "../../src/auth/keys/shapes.js";
import { KeyLastsTooLong, KeyNotFound } from "../../src/auth/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { unique } from "../../src/platform/values.js";
import { command } from "../command.js";
import { noteTime } from "../note-time.js";
import { roomForKey } from "./key-room.js";
import type { Secret } from "./tokens.js";

const Life = { is_too_long: bool };

/** Makes a key for the caller, which ends at the latest after `personal_key_days`. */
export function makeKey(input: NewKey, secret: Secret, by: Actor) {
  return command("keys.make", by, { ...input, ...secret }, async (tx) => {
    const room = await roomForKey(tx, by.userId);
    if ("refusal" in room) throw room.refusal;
    const { days } = room;
    const life = await tx.row(
      Life,
      "select coalesce($1::timestamptz > now() + make_interval(days => $2), false) as is_too_long",
      [input.expires_at, days],
    );
    if (life?.is_too_long) throw KeyLastsTooLong({ days });
    const { key_name, page_keys, functions, is_read_only } = input;
    const made = (await tx.row(
      PersonalKey,
      `with k as (
         insert into personal_keys (user_id, key_name, key_hash, page_keys, functions, is_read_only, expires_at)
         values (:userId, :key_name, :hash, :page_keys, :functions, :is_read_only,
                 coalesce(:expires_at, now() + make_interval(days => :days)))
         returning *
       )
       select ${KEY} from k join users u using (user_id)`,
      {
        ...{ userId: by.userId, key_name, hash: secret.hash, is_read_only, expires_at: input.expires_at, days },
        page_keys: page_keys && unique(page_keys),
        functions: functions && unique(functions),
      },
    )) as PersonalKey;
    const { key_id, expires_at } = made;
    const details = { key_name, page_keys: made.page_keys, functions: made.functions, is_read_only, expires_at };
    tx.audit({ action: "KEY_MAKE", entity: "PERSONAL_KEY", entityId: key_id, details });
    return { ...made, sealed: secret.sealed };
  });
}

const Revoked = { key_name: text, username: text };

/**
 * Revokes a key: it opens nothing any more.
 * @param owner The user whose key it must be; null for an ADMIN, who revokes those of all.
 */
export function revokeKey(key_id: number, owner: number | null, by: Actor): Promise<{ message: string }> {
  return command("keys.revoke", by, { key_id, owner }, async (tx) => {
    const revoked = await tx.row(
      Revoked,
      `delete from personal_keys k using users u
       where key_id = $1 and k.user_id = u.user_id and ($2::int is null or u.user_id = $2)
       returning key_name, username`,
      [key_id, owner],
    );
    if (!revoked) throw KeyNotFound();
    tx.audit({ action: "KEY_REVOKE", entity: "PERSONAL_KEY", entityId: key_id, details: revoked });
    return { message: `Key ${revoked.key_name} revoked` };
  });
}

/** Sets `last_used_at`, at most once a minute. */
export const noteKeyUse = (keyId: number): Promise<void> =>
  noteTime({ table: "personal_keys", key: "key_id", column: "last_used_at", every: "1 minute" }, keyId);
