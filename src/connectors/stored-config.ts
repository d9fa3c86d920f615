import { CannotUnseal, type EncryptionKeys, unseal } from "../auth/sealed.js";
import { type Connector, SourceError } from "./connector.js";
import { sealedCredentials } from "./queries.js";
import { credentialOwner } from "./secrets.js";

/** The stored configuration of a connector for a warehouse, in plain text. */
export async function storedConfig(
  connector: string,
  warehouseId: number,
  keys: EncryptionKeys,
): Promise<Record<string, string>> {
  const rows = await sealedCredentials(connector, warehouseId);
  return Object.fromEntries(
    rows.map(({ key, sealed }) => [key, unsealed(sealed, key, credentialOwner(connector, warehouseId, key), keys)]),
  );
}

function unsealed(sealed: string, key: string, owner: string, keys: EncryptionKeys): string {
  try {
    return unseal(sealed, owner, keys);
  } catch (error) {
    if (!(error instanceof CannotUnseal)) throw error;
    throw new SourceError(`The stored ${key} cannot be decrypted`);
  }
}

/** The configuration, undefined where none is stored. An error names the fields at fault, and never their values. */
export function checkedConfig(
  { name, config }: Connector,
  stored: Record<string, string>,
): Record<string, unknown> | undefined {
  const parsed = config.safeParse(stored);
  if (parsed.success) return parsed.data;
  if (Object.keys(stored).length === 0) return undefined;
  const fields = new Set(parsed.error.issues.flatMap(({ path, ...issue }) => path[0] ?? keysOf(issue)));
  throw new SourceError(`Credentials of ${name} that are missing or not valid: ${[...fields].join(", ")}`);
}

/** The fields that the connector does not know. */
const keysOf = (issue: object): string[] => ("keys" in issue ? (issue.keys as string[]) : []);
