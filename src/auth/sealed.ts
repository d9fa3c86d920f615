import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Config } from "../config/config.js";

/**
 * Text that the database may hold and not read: AES-256-GCM. `v1.<key id>.<base64 of nonce, tag and ciphertext>`, bound
 * to what the text belongs to (additional authenticated data), so that it can be read in no other place. Before that it
 * was the base64 alone.
 */

/** SERVICE_ENCRYPTION_KEY seals; it and SERVICE_ENCRYPTION_KEYS_PREVIOUS unseal. */
export type EncryptionKeys = Pick<Config<"api">, "encryptionKey" | "encryptionKeysPrevious">;

/** A sealed text that cannot be read. Its message names the key id and the owner, never a secret. */
export class CannotUnseal extends Error {
  override name = "CannotUnseal";
}

const NONCE = 12;
const TAG = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.(.+)$/;

/** What a key is called where it must not be told. */
export const keyId = (key: string) => createHash("sha256").update(bytesOf(key)).digest("hex").slice(0, 8);

/** How every text begins that is sealed under the current key. */
export const sealedPrefix = ({ encryptionKey }: EncryptionKeys) => `v1.${keyId(encryptionKey)}.`;

/** Seals a text under the current key, for its owner alone. */
export function seal(text: string, owner: string, keys: EncryptionKeys): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", bytesOf(keys.encryptionKey), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  return sealedPrefix(keys) + bytes.toString("base64");
}

/**
 * The text again; throws `CannotUnseal` when it was altered, belongs to another owner, or is sealed under an unknown
 * key.
 */
export function unseal(
  sealed: string,
  owner: string,
  { encryptionKey, encryptionKeysPrevious }: EncryptionKeys,
): string {
  const known = [encryptionKey, ...encryptionKeysPrevious];
  const [, id, bytes = sealed] = SEALED.exec(sealed) ?? [];
  const fitting = id ? known.filter((key) => keyId(key) === id) : known;
  if (fitting.length === 0)
    throw new CannotUnseal(
      `${owner} is sealed under the encryption key ${id}, which is unknown here; ` +
        `known are ${known.map(keyId).join(", ")}`,
    );
  for (const key of fitting) {
    const text = opened(Buffer.from(bytes, "base64"), key, id && owner);
    if (text !== undefined) return text;
  }
  throw new CannotUnseal(
    id
      ? `${owner} is sealed under the encryption key ${id}, but was altered or belongs to something else`
      : `${owner} is sealed in the old format, under none of the known encryption keys ` +
          `${known.map(keyId).join(", ")}, or was altered`,
  );
}

/** The text, or undefined when it does not fit the key and the owner. */
function opened(bytes: Buffer, key: string, owner: string | undefined): string | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    }).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    if (owner !== undefined) decipher.setAAD(Buffer.from(owner));
    const text = decipher.update(bytes.subarray(NONCE + TAG));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

const bytesOf = (key: string) => Buffer.from(key, "base64");
