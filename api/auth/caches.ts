import { noteKeyUse } from "../../activities/auth/keys.js";
import { noteSessionUse } from "../../activities/auth/sessions.js";
import { noteTokenUse } from "../../activities/auth/tokens.js";
import { withinScope } from "../../src/auth/keys/key.js";
import { usableKey } from "../../src/auth/keys/queries.js";
import { type SessionUser, sessionUser } from "../../src/auth/queries.js";
import { usableToken } from "../../src/auth/tokens/queries.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { type Listening, openListener } from "../../src/platform/db/listener.js";
import { NotifiedCache } from "../../src/platform/db/notified-cache.js";

/** Users and tokens in memory, so that a request's authentication costs no query. */

/** The longest that a revoked right remains in effect if the connection is lost without notice. */
const USER_MS = 10_000;
const TOKEN_MS = 60_000;

/** Users by their session. */
export const sessions = new NotifiedCache<SessionUser>();
/** The valid integration tokens by their hash. */
export const tokens = new NotifiedCache<Token>();

let listening: Listening | undefined;

/** Starts to listen for changes of users and tokens. */
export function openAuthenticationCaches(databaseUrl: string): void {
  listening = openListener(databaseUrl, { session_changes: sessions, wms_token_changes: tokens });
}

export async function closeAuthenticationCaches(): Promise<void> {
  await listening?.close();
}

/** The user of a session, as the database has it; undefined where there is no such user. */
export const userOfSession = (userId: number, sessionId: string): Promise<SessionUser | undefined> =>
  sessions.get(`${userId} ${sessionId}`, async () => {
    const used = await sessionUser(userId, sessionId);
    if (!used) return undefined;
    const { unnoted, ...value } = used;
    if (unnoted && !value.has_ended) await noteSessionUse(sessionId);
    return { value, keepMs: USER_MS };
  });

const keyOf = (hash: string) => `key ${hash}`;

/** Whether the key with this hash is known to open something, so that no query is needed to find it. */
export const isKnownKey = (hash: string): boolean => sessions.has(keyOf(hash));

/** The user of a personal key, as far as the key goes; undefined when it opens nothing. */
export const userOfKey = (hash: string): Promise<SessionUser | undefined> =>
  sessions.get(keyOf(hash), async () => {
    const usable = await usableKey(hash);
    if (!usable) return undefined;
    const {
      key_id,
      key_name,
      is_read_only,
      is_of_agent,
      granted_pages,
      functions,
      all_warehouses,
      lasts_ms,
      unnoted,
      ...user
    } = usable;
    if (unnoted) await noteKeyUse(key_id);
    const value = {
      ...withinScope(user, { page_keys: granted_pages, functions }, all_warehouses),
      key: { key_id, key_name, is_read_only, is_of_agent, isNarrow: granted_pages !== null },
    };
    return { value, keepMs: Math.min(USER_MS, lasts_ms) };
  });

/** The valid token with this hash; undefined when there is none. */
export const tokenByHash = (hash: string): Promise<Token | undefined> =>
  tokens.get(hash, async () => {
    const usable = await usableToken(hash);
    if (!usable) return undefined;
    const { token, lasts_ms, unnoted } = usable;
    if (unnoted) await noteTokenUse(token.token_id);
    return { value: token, keepMs: Math.min(TOKEN_MS, lasts_ms) };
  });
