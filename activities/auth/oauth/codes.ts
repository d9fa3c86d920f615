import type { Granted } from "../../../src/auth/oauth/scope.js";
import { KeysOff, TooManyKeys } from "../../../src/auth/problems.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { personalKeyDays } from "../../../src/system/settings/queries.js";
import { command } from "../../command.js";
import { MOST_OF_A_USER } from "../keys.js";
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

const Keys = { keys: int };

/** Gives a program a code, by which it is let in for the caller. What comes of it is audited when it is used. */
export function giveCode(code: NewCode, secret: Secret, by: Actor): Promise<{ sealed: string }> {
  return command("oauth.giveCode", by, { ...code, ...secret }, async (tx) => {
    if ((await personalKeyDays(tx)) === 0) throw KeysOff();
    const kept = await tx.row(Keys, "select count(*)::int as keys from personal_keys where user_id = $1", [by.userId]);
    if ((kept?.keys ?? 0) >= MOST_OF_A_USER) throw TooManyKeys({ most: MOST_OF_A_USER });
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
