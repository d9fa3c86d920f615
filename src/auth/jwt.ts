import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import jwt from "jsonwebtoken";
import { DEFAULT_SESSION_HOURS } from "../system/settings/known.js";

export interface TokenUser {
  user_id: number;
  username: string;
  role: string;
  warehouse_id: number | null;
  warehouse_ids: number[];
  password_changed_at: string | null;
}

/** Of which session a token is, and how long it lives. */
interface Terms {
  sessionId?: string;
  seconds?: number;
}

/**
 * The user's JWT: HS256, claims of reference 01 §3. Rights are read from the database on every request, not from here.
 * `password_changed_at` says under which password it was issued: `iat` counts whole seconds, and a token of the very
 * second of the change must die too. `sid` is the login that it comes from, through however many refreshes.
 */
export function issueToken(
  user: TokenUser,
  secret: string,
  { sessionId = randomUUID(), seconds = DEFAULT_SESSION_HOURS * 3600 }: Terms = {},
): string {
  const { user_id, username, role, warehouse_id, warehouse_ids, password_changed_at } = user;
  return jwt.sign(
    {
      user_id,
      username,
      role,
      warehouse_id,
      warehouse_ids,
      password_changed_at,
      sid: sessionId,
      jti: randomUUID(),
    },
    secret,
    { algorithm: "HS256", expiresIn: seconds },
  );
}

export interface Claims {
  userId: number;
  passwordChangedAt: string | null;
  /** A token without `sid` was issued before there were any, and is a session of its own. */
  sessionId: string;
}

// Of a secret as text, jsonwebtoken would find out each time whether it is a public key, which takes longer than the
// rest of a request.
const keys = new Map<string, KeyObject>();
function keyOf(secret: string): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret));
  keys.set(secret, key);
  return key;
}

/** What a sound token that has not expired says of itself, else undefined. */
export function readToken(token: string, secret: string): Claims | undefined {
  try {
    const said = jwt.verify(token, keyOf(secret), { algorithms: ["HS256"] });
    if (typeof said === "string" || !Number.isInteger(said.user_id)) return undefined;
    return {
      userId: said.user_id,
      passwordChangedAt: said.password_changed_at ?? null,
      sessionId: String(said.sid ?? said.jti ?? ""),
    };
  } catch {
    return undefined;
  }
}
