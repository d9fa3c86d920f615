import type { KnownClient } from "../../../src/auth/oauth/client-metadata.js";
import type { Granted } from "../../../src/auth/oauth/scope.js";
import type { Actor } from "../../../src/platform/actor.js";
import { command } from "../../command.js";
import { roomForKey } from "../key-room.js";
import type { Secret } from "../tokens.js";

export interface NewCode extends Granted {
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  resource: string;
}

/** How long a program has to take what it was given. */
const SECONDS = 60;
/** How long a used code is known. */
const KEPT_HOURS = 24;

/**
 * Gives a program a code, by which it is let in for the caller. What comes of it is audited when it is used.
 * @param client What a program says of itself that has not registered.
 */
export function giveCode(
  code: NewCode,
  client: KnownClient | null,
  secret: Secret,
  by: Actor,
): Promise<{ sealed: string }> {
  return command("oauth.giveCode", by, { ...code, ...secret }, async (tx) => {
    const room = await roomForKey(tx, by.userId);
    if ("refusal" in room) throw room.refusal;
    if (client)
      await tx.run(
        `insert into oauth_clients (client_id, client_name, redirect_uris)
         values (:client_id, :client_name, :redirect_uris)
         on conflict (client_id) do update
           set client_name = excluded.client_name, redirect_uris = excluded.redirect_uris, registered_at = now()`,
        { ...client },
      );
    await tx.run("delete from oauth_codes where expires_at < now() - make_interval(hours => $1)", [KEPT_HOURS]);
    await tx.run(
      `insert into oauth_codes (code_hash, client_id, user_id, redirect_uri, code_challenge, resource, page_keys,
                                functions, is_read_only, expires_at)
       values (:hash, :client_id, :userId, :redirect_uri, :code_challenge, :resource, :page_keys, :functions,
               :is_read_only, now() + make_interval(secs => :seconds))`,
      { ...code, hash: secret.hash, userId: by.userId, seconds: SECONDS },
    );
    return { sealed: secret.sealed };
  });
}
