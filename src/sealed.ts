import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Text that the database may hold and not read: AES-256-GCM under SERVICE_ENCRYPTION_KEY. */

const NONCE = 12;
const TAG = 16;

export function seal(text: string, key: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", bytesOf(key), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** The text again; throws when it was altered, or sealed under another key. */
export function unseal(sealed: string, key: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE);
  const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), nonce);
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(bytes.subarray(NONCE + TAG));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

const bytesOf = (key: string) => Buffer.from(key, "base64");
