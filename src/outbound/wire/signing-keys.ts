import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/*
 * Keys of the asymmetric scheme `v1a` of Standard Webhooks: ed25519, written in base64. Whoever has the public key can
 * check what was signed, and sign nothing.
 */

const SECRET_PREFIX = "whsk_";
const PUBLIC_PREFIX = "whpk_";
/** What stands before the 32 bytes of an ed25519 key in its DER form (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export interface SigningKey {
  /** The 32 bytes of the seed and the 32 of the public key, as libsodium has them. */
  secret_key: string;
  public_key: string;
}

/** A new pair of keys; the secret one is never shown. */
export function newSigningKey(): SigningKey {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, known] = [Buffer.from(d as string, "base64url"), Buffer.from(x as string, "base64url")];
  return {
    secret_key: `${SECRET_PREFIX}${Buffer.concat([seed, known]).toString("base64")}`,
    public_key: `${PUBLIC_PREFIX}${known.toString("base64")}`,
  };
}

/** The signature of these bytes. */
export function signedWith(secretKey: string, bytes: Buffer): Buffer {
  const seed = Buffer.from(secretKey.slice(SECRET_PREFIX.length), "base64").subarray(0, 32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  return sign(null, bytes, key);
}
