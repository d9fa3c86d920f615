import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import jwt from "jsonwebtoken";
import { LRUCache } from "lru-cache";
import type { SessionUser } from "./queries.js";

/** How long a login lasts, in hours (docs/interface.md, Signing in). */
export const DEFAULT_SESSION_HOURS = 8;

export type TokenUser = Pick<
  SessionUser,
  "user_id" | "username" | "role" | "warehouse_id" | "warehouse_ids" | "password_changed_at"
> &
  Partial<Pick<SessionUser, "epoch">>;

/**
 * The session of a token, a new one by default, its lifetime, the badge or the sign-in at the provider that it was
 * begun with, and when a second factor was last shown in it, in seconds since 1970.
 */
interface Options {
  sessionId?: string;
  seconds?: number;
  badgeId?: string | undefined;
  factorAt?: number | undefined;
  /** In seconds since 1970. */
  ssoAt?: number | undefined;
  /** When the password was last shown, or the provider asked for it, in seconds since 1970. */
  provedAt?: number | undefined;
}

/**
 * Signs the user's JWT: HS256, claims of docs/interface.md, Signing in. Rights are not in it: they are read from the
 * database on every request. `password_changed_at` identifies the password that the token was issued under: `iat` has
 * whole seconds, so it could not distinguish tokens that were issued in the second of the change. `sid` identifies the
 * login; refreshed tokens keep it, `badge`, with which they end, and `factor`; `sso` is when the user signed in at the
 * provider, after which a session is not refreshed for ever; `proof` is when the password was shown, here or there.
 * `epoch` is that of the database: after a restore, the user with that id may be another person.
 */
export function signSessionToken(
  user: TokenUser,
  secret: string,
  {
    sessionId = randomUUID(),
    seconds = DEFAULT_SESSION_HOURS * 3600,
    badgeId,
    ssoAt,
    factorAt,
    provedAt,
  }: Options = {},
): string {
  const { user_id, username, role, warehouse_id, warehouse_ids, password_changed_at, epoch } = user;
  return jwt.sign(
    {
      user_id,
      username,
      role,
      warehouse_id,
      warehouse_ids,
      password_changed_at,
      epoch,
      sid: sessionId,
      badge: badgeId,
      factor: factorAt,
      sso: ssoAt,
      proof: provedAt,
      jti: randomUUID(),
    },
    secret,
    { algorithm: "HS256", expiresIn: seconds },
  );
}

export interface Claims {
  userId: number;
  passwordChangedAt: string | null;
  /** Old tokens have no `sid`; each of them counts as a session of its own. */
  sessionId: string;
  /** Of a session that was begun with a badge. */
  badgeId?: string | undefined;
  /** When a second factor was last shown in the session, in seconds since 1970. */
  factorAt?: number | undefined;
  /** Of a session that was begun at the identity provider: when, in seconds since 1970. */
  ssoAt?: number | undefined;
  /** When the password was last shown in the session, here or at the provider, in seconds since 1970. */
  provedAt?: number | undefined;
  /** Older tokens have none, and are of the epoch in which they were issued. */
  epoch?: string | undefined;
  /** In seconds since 1970. */
  issuedAt: number;
}

// Given a secret as text, jsonwebtoken tries each time to parse it as a public key, which takes longer than the rest of
// a request.
const keys = new Map<string, KeyObject>();
function keyOf(secret: string): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret));
  keys.set(secret, key);
  return key;
}

/** What the session of a partner names: its link, and when that was made. */
interface PartnerClaims {
  linkId: number;
  madeAt: string;
}

/** Signs the session of a partner. It has no `user_id`, so it is nobody's where a user is wanted. */
export const signPartnerSession = ({ linkId, madeAt }: PartnerClaims, secret: string, seconds: number): string =>
  jwt.sign({ partner_link_id: linkId, made_at: madeAt }, secret, { algorithm: "HS256", expiresIn: seconds });

/** The link of a partner's session; undefined when it is invalid, has expired, or is the session of a user. */
export function readPartnerSession(token: string, secret: string): PartnerClaims | undefined {
  try {
    const payload = jwt.verify(token, keyOf(secret), { algorithms: ["HS256"] });
    if (typeof payload === "string" || !Number.isInteger(payload.partner_link_id)) return undefined;
    return { linkId: payload.partner_link_id, madeAt: String(payload.made_at) };
  } catch {
    return undefined;
  }
}

/**
 * The claims of verified tokens, until they expire, by secret and token: verifying takes 7 % of the processor time of a
 * short request. Whether the user and the session are still valid is read from the database each time.
 */
const verified = new LRUCache<string, Claims>({ max: 10_000, ttlResolution: 0 });

/** The claims of a token; undefined when it is invalid or has expired. */
export function readToken(token: string, secret: string): Claims | undefined {
  const key = `${secret} ${token}`;
  const before = verified.get(key);
  if (before) return before;
  try {
    const payload = jwt.verify(token, keyOf(secret), { algorithms: ["HS256"] });
    if (typeof payload === "string" || !Number.isInteger(payload.user_id)) return undefined;
    const claims = {
      userId: payload.user_id,
      passwordChangedAt: payload.password_changed_at ?? null,
      sessionId: String(payload.sid ?? payload.jti ?? ""),
      badgeId: payload.badge,
      factorAt: payload.factor,
      ssoAt: payload.sso,
      provedAt: payload.proof,
      epoch: payload.epoch,
      issuedAt: payload.iat ?? 0,
    };
    const lasts = (payload.exp ?? 0) * 1000 - Date.now();
    if (lasts > 0) verified.set(key, claims, { ttl: lasts });
    return claims;
  } catch {
    return undefined;
  }
}
