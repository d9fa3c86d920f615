import { LRUCache } from "lru-cache";
import { noteTokenUse } from "../../activities/auth/token-use.js";
import { usableToken } from "../../src/auth/tokens/queries.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { type Channel, openListener } from "../../src/db/listener.js";

/**
 * The integration tokens in use, by their hash, so that a request with one costs no query. Only valid tokens are
 * cached: for a minute at most, until they expire, or until Postgres notifies that they changed. While the listening
 * connection is lost, none is cached.
 */
const MAX_TTL_MS = 60_000;
const cache = new LRUCache<string, Token>({ max: 10_000 });

let channel: Channel | undefined;
let isListening = false;
/** The number of invalidations: a token that was read before the last one may be out of date. */
let invalidations = 0;

/** Starts to listen for changes of tokens. */
export function openTokenCache(databaseUrl: string): void {
  channel = openListener(databaseUrl, "wms_token_changes", {
    connected: () => {
      isListening = true;
    },
    notified: (id) => invalidateTokens(id === "all" ? undefined : Number(id)),
    lost: () => {
      isListening = false;
      invalidateTokens();
    },
  });
}

export async function closeTokenCache(): Promise<void> {
  await channel?.close();
}

/** Removes a token from the cache; without an id, all of them. */
export function invalidateTokens(id?: number): void {
  invalidations++;
  for (const [hash, { token_id }] of cache.entries()) if (id === undefined || token_id === id) cache.delete(hash);
}

/** Whether the token with this hash is cached, so that it costs no query. */
export const isCached = (hash: string): boolean => cache.has(hash);

/** The token with this hash; undefined when there is no valid one. */
export async function tokenByHash(hash: string): Promise<Token | undefined> {
  const cached = cache.get(hash);
  if (cached) return cached;
  const before = invalidations;
  const usable = await usableToken(hash);
  if (!usable) return undefined;
  const { token, lasts_ms, unnoted } = usable;
  // The cache takes a ttl of 0 for no limit.
  if (isListening && invalidations === before) cache.set(hash, token, { ttl: Math.min(MAX_TTL_MS, lasts_ms) || 1 });
  if (unnoted) await noteTokenUse(token.token_id);
  return token;
}
