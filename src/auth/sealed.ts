import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Config } from "../platform/config/config.js";

/**
 * Secrets are encrypted in the database ("sealed") with AES-256-GCM: `v1.<key id>.<base64 of nonce, tag and
 * ciphertext>`. The owner, such as a subscription, is additional authenticated data, so a sealed text that is copied to
 * another owner cannot be decrypted. An older format was the base64 alone, without an owner.
 */

/** SERVICE_ENCRYPTION_KEY encrypts; it and SERVICE_ENCRYPTION_KEYS_PREVIOUS decrypt. */
export type EncryptionKeys = Pick<Config<"api">, "encryptionKey" | "encryptionKeysPrevious">;

/** A sealed text that cannot be read. Its message names the key id and the owner, never a secret. */
export class CannotUnseal extends Error {
  override name = "CannotUnseal";
}

const NONCE = 12;
const TAG = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.(.+)$/;

/** A public id of a key, for messages and sealed texts. */
export const keyId = (key: string) => createHash("sha256").update(bytesOf(key)).digest("hex").slice(0, 8);

/** The prefix of texts that are sealed under the current key. */
export const sealedPrefix = ({ encryptionKey }: EncryptionKeys) => `v1.${keyId(encryptionKey)}.`;

/** Encrypts a text under the current key, for its owner. */
export function seal(text: string, owner: string, keys: EncryptionKeys): string {
  return sealedPrefix(keys) + encrypted(Buffer.from(text), keys.encryptionKey, owner).toString("base64");
}

/** Nonce, tag and ciphertext of these bytes, for this owner. */
export function encrypted(bytes: Uint8Array, key: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", bytesOf(key), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts a sealed text; throws `CannotUnseal` when it was altered, has another owner, or is sealed under an unknown
 * key.
 */
export function unseal(
  sealed: string,
  owner: string,
  { encryptionKey, encryptionKeysPrevious }: EncryptionKeys,
): string {
  const known = [encryptionKey, ...encryptionKeysPrevious];
  const [, id, bytes = sealed] = SEALED.exec(sealed) ?? [];
  const candidates = id ? known.filter((key) => keyId(key) === id) : known;
  if (candidates.length === 0)
    throw new CannotUnseal(
      `${owner} is sealed under the encryption key ${id}, which is unknown here; ` +
        `known are ${known.map(keyId).join(", ")}`,
    );
  for (const key of candidates) {
    const text = decrypted(Buffer.from(bytes, "base64"), key, id && owner);
    if (text !== undefined) return text.toString("utf8");
  }
  throw new CannotUnseal(
    id
      ? `${owner} is sealed under the encryption key ${id}, but was altered or belongs to something else`
      : `${owner} is sealed in the old format, under none of the known encryption keys ` +
          `${known.map(keyId).join(", ")}, or was altered`,
  );
}

/** What was encrypted; undefined when it was not under this key for this owner. */
export function decrypted(bytes: Uint8Array, key: string, owner: string | undefined): Buffer | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    }).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    if (owner !== undefined) decipher.setAAD(Buffer.from(owner));
    const text = decipher.update(bytes.subarray(NONCE + TAG));
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}

const bytesOf = (key: string) => Buffer.from(key, "base64");
