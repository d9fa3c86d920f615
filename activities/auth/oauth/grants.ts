import { randomUUID } from "node:crypto";
import { isWithin, scopeOf } from "../../../src/auth/oauth/scope.js";
import { arrayOf, bool, int, text } from "../../../src/platform/db/columns.js";
import { isSame } from "../../../src/platform/is-same.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command, type Tx } from "../../command.js";
import { roomForKey } from "../key-room.js";

/** Programs that a person has let in: each is a personal key of that person, whose token is changed again and again. */

/** How long an access token opens anything. */
const TOKEN_S = 3600;
/** How long a used refresh token is known. */
const KEPT_DAYS = 30;

/** The hashes of a new pair of tokens. */
interface Pair {
  token_hash: string;
  refresh_hash: string;
}

export interface CodeShown {
  code_hash: string;
  client_id: string;
  redirect_uri: string;
  /** Of the verifier that came with the code. */
  code_challenge: string;
  resource: string | undefined;
}

export interface RefreshShown {
  refresh_hash: string;
  client_id: string;
  scope: string | undefined;
}

/** What a program is told, or why it is not: a refusal too may change something, so it is no error. */
export type Answer = { expires_in: number; scope: string } | Refused;
export interface Refused {
  refused: string;
  /** Whose key ended with it, if one did. */
  username?: string;
}

const by = () => ({ ...systemActor(randomUUID()), username: "system:oauth" });

const Code = {
  client_id: text,
  user_id: int,
  redirect_uri: text,
  code_challenge: text,
  resource: text,
  page_keys: arrayOf(text).nullable(),
  functions: arrayOf(text).nullable(),
  is_read_only: bool,
  is_over: bool,
  is_used: bool,
  key_id: int.nullable(),
};

/** Lets a program in, once for each code; what was let in by a code that is shown again is let in no more. */
export function useCode(shown: CodeShown, pair: Pair): Promise<Answer> {
  return command("oauth.useCode", by(), { ...shown, ...pair }, async (tx) => {
    const { code_hash } = shown;
    const code = await tx.row(
      Code,
      `select client_id, user_id, redirect_uri, code_challenge, resource, page_keys, functions, is_read_only,
              expires_at <= now() as is_over, is_used, key_id
       from oauth_codes where code_hash = $1 for update`,
      [code_hash],
    );
    if (!code) return { refused: "unknown_code" };
    if (code.is_used) {
      const username = code.key_id === null ? undefined : await end(tx, code.key_id, "code_replayed");
      return { refused: "code_replayed", ...(username && { username }) };
    }
    const fault = faultOf(shown, code);
    if (fault) {
      await tx.run("delete from oauth_codes where code_hash = $1", [code_hash]);
      return { refused: fault };
    }
    const room = await roomForKey(tx, code.user_id);
    if ("refusal" in room) return { refused: room.refusal.kind };
    const key = await letIn(tx, code_hash, pair, room.days);
    if (!key) return { refused: "user_gone" };
    await keepRefreshToken(tx, pair, key.key_id);
    const { client_id, page_keys, functions, is_read_only } = code;
    const details = { key_name: key.key_name, client_id, page_keys, functions, is_read_only, by_oauth: true };
    tx.audit({ action: "KEY_MAKE", user: key.username, entity: "PERSONAL_KEY", entityId: key.key_id, details });
    return { expires_in: TOKEN_S, scope: scopeOf(code) };
  });
}

interface KnownCode {
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  resource: string;
  is_over: boolean;
}

/** What is wrong with the request of a code, if anything is. */
function faultOf(shown: CodeShown, code: KnownCode): string | undefined {
  if (code.client_id !== shown.client_id) return "code_of_another";
  if (code.is_over) return "code_over";
  if (code.redirect_uri !== shown.redirect_uri) return "wrong_redirect";
  if (shown.resource !== undefined && code.resource !== shown.resource) return "wrong_resource";
  const isVerified = isSame(Buffer.from(code.code_challenge), Buffer.from(shown.code_challenge));
  return isVerified ? undefined : "wrong_verifier";
}

const LetIn = { key_id: int, key_name: text, username: text };

/** Makes the key of a program; undefined where its user may do nothing any more. */
const letIn = (tx: Tx, code_hash: string, { token_hash }: Pair, days: number) =>
  tx.row(
    LetIn,
    `with k as (
       insert into personal_keys (user_id, key_name, key_hash, page_keys, functions, is_read_only, expires_at,
                                  client_id, token_ends_at)
       select user_id, client_name, :token_hash, page_keys, functions, is_read_only,
              now() + make_interval(days => :days), client_id, now() + make_interval(secs => :seconds)
       from oauth_codes c join oauth_clients using (client_id) join users u using (user_id)
       where code_hash = :code_hash and is_active
       returning key_id, key_name, user_id
     ), used as (
       update oauth_codes set is_used = true, key_id = k.key_id from k where code_hash = :code_hash
     )
     select key_id, key_name, username from k join users using (user_id)`,
    { code_hash, token_hash, days, seconds: TOKEN_S },
  );

const KeyId = { key_id: int };
const Key = { client_id: text.nullable(), functions: arrayOf(text).nullable(), is_read_only: bool, is_over: bool };
const Shown = { is_used: bool };

/**
 * Gives a program a new pair of tokens, once for each refresh token: where one is shown again, two have it, and neither
 * is let in any more.
 */
export function useRefreshToken({ refresh_hash, client_id, scope }: RefreshShown, pair: Pair): Promise<Answer> {
  return command("oauth.useRefreshToken", by(), { shown: refresh_hash, client_id, ...pair }, async (tx) => {
    const found = await tx.row(KeyId, "select key_id from oauth_refresh_tokens where token_hash = $1", [refresh_hash]);
    // The key first, as whoever revokes it locks it first.
    const key = found && (await lockKey(tx, found.key_id));
    const shown =
      key && (await tx.row(Shown, "select is_used from oauth_refresh_tokens where token_hash = $1", [refresh_hash]));
    if (!found || !key || !shown) return { refused: "unknown_refresh_token" };
    if (key.client_id !== client_id) return { refused: "refresh_token_of_another" };
    const { key_id } = found;
    if (shown.is_used) {
      const username = await end(tx, key_id, "refresh_token_reused");
      return { refused: "refresh_token_reused", ...(username && { username }) };
    }
    if (key.is_over) return { refused: "key_over" };
    if (scope !== undefined && !isWithin(scope, key)) return { refused: "scope_beyond" };
    const renewed = await tx.run(
      `update personal_keys k set key_hash = :token_hash, token_ends_at = now() + make_interval(secs => :seconds)
       where key_id = :key_id and exists (select from users u where u.user_id = k.user_id and is_active)`,
      { token_hash: pair.token_hash, seconds: TOKEN_S, key_id },
    );
    if (renewed === 0) return { refused: "user_gone" };
    await tx.run("update oauth_refresh_tokens set is_used = true where token_hash = $1", [refresh_hash]);
    await keepRefreshToken(tx, pair, key_id);
    await tx.run(
      `delete from oauth_refresh_tokens
       where key_id = $1 and is_used and made_at < now() - make_interval(days => $2)`,
      [key_id, KEPT_DAYS],
    );
    return { expires_in: TOKEN_S, scope: scopeOf(key) };
  });
}

const keepRefreshToken = (tx: Tx, { refresh_hash }: Pair, key_id: number) =>
  tx.run("insert into oauth_refresh_tokens (token_hash, key_id) values ($1, $2)", [refresh_hash, key_id]);

const lockKey = (tx: Tx, key_id: number) =>
  tx.row(
    Key,
    `select client_id, functions, is_read_only, expires_at <= now() as is_over
     from personal_keys where key_id = $1 for update`,
    [key_id],
  );

/** Ends what a program was let in by, at its own wish: by its access token or its refresh token. Whether it did. */
export function giveBack(token_hash: string, client_id: string): Promise<boolean> {
  return command("oauth.giveBack", by(), { token_hash, client_id }, async (tx) => {
    const found = await tx.row(
      KeyId,
      `select key_id from personal_keys
       where client_id = $2
         and (key_hash = $1 or key_id = (select key_id from oauth_refresh_tokens where token_hash = $1))`,
      [token_hash, client_id],
    );
    return found !== undefined && (await end(tx, found.key_id, "given_back")) !== undefined;
  });
}

const Ended = { key_name: text, username: text };

/** Ends a key with all its tokens; returns whose it was. */
async function end(tx: Tx, key_id: number, why: string): Promise<string | undefined> {
  const ended = await tx.row(
    Ended,
    `delete from personal_keys k using users u where key_id = $1 and k.user_id = u.user_id
     returning key_name, username`,
    [key_id],
  );
  if (!ended) return undefined;
  const details = { ...ended, why };
  tx.audit({ action: "KEY_REVOKE", entity: "PERSONAL_KEY", entityId: key_id, details });
  return ended.username;
}
