import { noteTokenUse } from "../activities/token-use.js";
import { type Channel, openChannel } from "../src/channel.js";
import { usableToken } from "../src/tokens/queries.js";
import type { Token } from "../src/tokens/token.js";

/**
 * The integration tokens that are in use, so that a request with one costs no query. Only tokens that hold are kept: for a
 * minute at most, until they expire, or until Postgres tells that they changed. While this process does not hear Postgres it
 * keeps none.
 */
const KEEP_MS = 60_000;
const MOST = 10_000;

interface Known {
  token: Token;
  until: number;
}

const known = new Map<string, Known>();
let channel: Channel | undefined;
let hears = false;
/** How often something was forgotten: what was read before may be what was to be forgotten. */
let forgotten = 0;

/** Begins to hear of changes. */
export function openTokens(databaseUrl: string): void {
  channel = openChannel(databaseUrl, "wms_token_changes", {
    connected: () => {
      hears = true;
    },
    heard: (id) => forgetTokens(id === "all" ? undefined : Number(id)),
    lost: () => {
      hears = false;
      forgetTokens();
    },
  });
}

export async function closeTokens(): Promise<void> {
  await channel?.close();
}

/** Forgets a token, or all. */
export function forgetTokens(id?: number): void {
  forgotten++;
  for (const [hash, { token }] of known)
    if (id === undefined || token.token_id === id) known.delete(hash);
}

/** The token with this hash; undefined when there is none that holds. */
export async function tokenWith(hash: string): Promise<Token | undefined> {
  const now = performance.now();
  const found = known.get(hash);
  if (found && now < found.until) return found.token;
  known.delete(hash);
  const before = forgotten;
  const usable = await usableToken(hash);
  if (!usable) return undefined;
  const { token, lasts_ms, unnoted } = usable;
  if (hears && forgotten === before) {
    known.set(hash, { token, until: now + Math.min(KEEP_MS, lasts_ms) });
    if (known.size > MOST) known.delete(known.keys().next().value as string);
  }
  if (unnoted) await noteTokenUse(token.token_id);
  return token;
}
