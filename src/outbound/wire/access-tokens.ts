import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { ClientTls } from "./client-tls.js";
import { Failure } from "./error-kinds.js";
import { type Answer, failureOf, failureOfStatus, unlessAborted } from "./exchange.js";

/** Whom a partner gives access tokens to: the client credentials grant of OAuth 2.0 (RFC 6749, 4.4). */
export interface OAuthClient {
  token_url: string;
  client_id: string;
  client_secret: string;
  scope: string | null;
  audience: string | null;
}

/** Posts to the token endpoint, by the limits and checks of every attempt. */
export type Ask = (url: string, headers: Record<string, string>, body: Buffer, tls?: ClientTls) => Promise<Answer>;

const Granted = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().optional(),
});

/** One that does not say how long it holds. */
const USUAL_S = 300;
/** A token is not used in the last tenth of its time. */
const USED_FOR = 0.9;
const MOST_KEPT = 1_000;

interface Kept {
  token: Promise<string>;
  /** Of `performance.now()`; while it is fetched, never. */
  until: number;
}

/** The access tokens of partners, each kept as long as it holds, and fetched by one of those who want it. */
export function openAccessTokens(ask: Ask) {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

  async function fetchToken(client: OAuthClient, tls: ClientTls | undefined, of: Kept): Promise<string> {
    const answer = await ask(client.token_url, headersFor(client), bodyFor(client), tls);
    const refused = failureOfStatus(answer.status as number);
    if (refused) throw refused;
    const granted = Granted.safeParse(jsonOf(Buffer.concat(answer.body)));
    if (!granted.success) throw new Failure("unknown", "The answer has no bearer token");
    const { access_token, expires_in = USUAL_S } = granted.data;
    of.until = performance.now() + expires_in * 1_000 * USED_FOR;
    return access_token;
  }

  function wanted(key: string, client: OAuthClient, tls: ClientTls | undefined): Kept {
    const known = kept.get(key);
    if (known && known.until > performance.now()) return known;
    const fresh: Kept = { token: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
    fresh.token = fetchToken(client, tls, fresh);
    // A failure is for those who wait for it now; the next one asks again.
    fresh.token.catch(() => kept.get(key) === fresh && kept.delete(key));
    kept.set(key, fresh);
    return fresh;
  }

  return {
    /** A token that holds. */
    async of(client: OAuthClient, tls: ClientTls | undefined, signal: AbortSignal): Promise<string> {
      try {
        return await unlessAborted(wanted(keyOf(client), client, tls).token, signal);
      } catch (error) {
        const { kind, detail } = failureOf(error);
        throw new Failure(kind, `Token endpoint: ${detail}`);
      }
    },
    /** It was refused: the next one is fetched, unless somebody has fetched one meanwhile. */
    async refused(client: OAuthClient, token: string): Promise<void> {
      const key = keyOf(client);
      const known = kept.get(key);
      if (known && (await known.token.catch(() => token)) === token && kept.get(key) === known) kept.delete(key);
    },
  };
}

const keyOf = (client: OAuthClient) => createHash("sha256").update(JSON.stringify(client)).digest("hex");

const headersFor = ({ client_id, client_secret }: OAuthClient) => ({
  Accept: "application/json",
  Authorization: `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(client_secret)}`).toString("base64")}`,
  "Content-Type": "application/x-www-form-urlencoded",
  "User-Agent": "warehouse-webhooks/1",
});

/** As RFC 6749 wants it (2.3.1): like a value of a form. */
const encoded = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);

function bodyFor({ scope, audience }: OAuthClient): Buffer {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope !== null) form.set("scope", scope);
  if (audience !== null) form.set("audience", audience);
  return Buffer.from(form.toString());
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
