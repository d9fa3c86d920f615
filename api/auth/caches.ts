import { noteTokenUse } from "../../activities/auth/tokens.js";
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
    const value = await sessionUser(userId, sessionId);
    return value && { value, keepMs: USER_MS };
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
