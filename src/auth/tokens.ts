import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import jwt from "jsonwebtoken";

/** A user's JWT lives eight hours (reference 01 §3). */
export const TOKEN_SECONDS = 8 * 60 * 60;

export interface TokenUser {
  user_id: number;
  username: string;
  role: string;
  warehouse_id: number | null;
  warehouse_ids: number[];
  password_changed_at: string | null;
}

/**
 * The user's JWT: HS256, claims of reference 01 §3. Rights are read from the database on every request, not from here.
 * `password_changed_at` says under which password it was issued: `iat` counts whole seconds, and a token of the very
 * second of the change must die too.
 */
export function issueToken(user: TokenUser, secret: string): string {
  const {
    user_id,
    username,
    role,
    warehouse_id,
    warehouse_ids,
    password_changed_at,
  } = user;
  return jwt.sign(
    {
      user_id,
      username,
      role,
      warehouse_id,
      warehouse_ids,
      password_changed_at,
      jti: randomUUID(),
    },
    secret,
    { algorithm: "HS256", expiresIn: TOKEN_SECONDS },
  );
}

// Of a text, jsonwebtoken finds out at each call whether it is a public key, which takes longer than the rest of a request.
const keys = new Map<string, KeyObject>();
function keyOf(secret: string): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret));
  keys.set(secret, key);
  return key;
}

/** What a sound token that has not expired says of itself, else undefined. */
export function readToken(
  token: string,
  secret: string,
): { userId: number; passwordChangedAt: string | null } | undefined {
  try {
    const claims = jwt.verify(token, keyOf(secret), { algorithms: ["HS256"] });
    if (typeof claims === "string" || !Number.isInteger(claims.user_id))
      return undefined;
    return {
      userId: claims.user_id,
      passwordChangedAt: claims.password_changed_at ?? null,
    };
  } catch {
    return undefined;
  }
}
