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

interface Claims {
  userId: number;
  passwordChangedAt: string | null;
}

/** What a token that was found sound says, and until when it does (milliseconds). */
type Known = Map<string, { claims: Claims; until: number }>;

// A caller sends the same token all day, and what was sound stays so until it expires. Of a secret as text, jsonwebtoken would
// find out each time whether it is a public key, which takes longer than the rest of a request; hence the key.
const MOST_KNOWN = 10_000;
const readers = new Map<string, { key: KeyObject; known: Known }>();
function readerOf(secret: string) {
  const reader = readers.get(secret) ?? {
    key: createSecretKey(Buffer.from(secret)),
    known: new Map(),
  };
  readers.set(secret, reader);
  return reader;
}

/** What a sound token that has not expired says of itself, else undefined. */
export function readToken(token: string, secret: string): Claims | undefined {
  const { key, known } = readerOf(secret);
  const before = known.get(token);
  if (before && before.until > Date.now()) return before.claims;
  try {
    const said = jwt.verify(token, key, { algorithms: ["HS256"] });
    if (typeof said === "string" || !Number.isInteger(said.user_id))
      return undefined;
    const claims = {
      userId: said.user_id,
      passwordChangedAt: said.password_changed_at ?? null,
    };
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(token, { claims, until: (said.exp ?? 0) * 1000 });
    return claims;
  } catch {
    return undefined;
  }
}
