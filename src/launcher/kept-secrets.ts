import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keyId } from "../auth/sealed.js";
import type { Config } from "../platform/config/config.js";

type Installation = Pick<Config, "dataDir" | "encryptionKey" | "tokenPepper">;

const fileOf = ({ dataDir }: Installation) => join(dataDir, "encryption-key");

/** The id of the encryption key of an installation; null when it has none, or this process does not know it. */
export async function encryptionKeyId(installation: Installation): Promise<string | null> {
  const kept = await readFile(fileOf(installation), "utf8").catch(() => "");
  const key = installation.encryptionKey ?? kept.trim();
  return key === "" ? null : keyId(key);
}

/** Where the encryption key of an installation is stored: a variable, or a file in its data folder. */
export const encryptionKeyPlace = (installation: Installation) =>
  installation.encryptionKey ? "SERVICE_ENCRYPTION_KEY" : fileOf(installation);

/** The secrets that a backup does not contain, and what happens without them. */
export function notInBackup(installation: Installation, ownDatabase: boolean): string {
  const place = (given: string | undefined, variable: string, file: string) =>
    given || ownDatabase ? variable : join(installation.dataDir, file);
  const key = place(installation.encryptionKey, "SERVICE_ENCRYPTION_KEY", "encryption-key");
  const pepper = place(installation.tokenPepper, "SERVICE_TOKEN_PEPPER", "token-pepper");
  return (
    `Not in it: ${key}, without which nobody can read the stored credentials, and ${pepper}, without which every ` +
    "integration token is dead. Keep both, apart from the backup."
  );
}
