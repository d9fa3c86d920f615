import { CannotUnseal, type EncryptionKeys, seal, unseal } from "../auth/sealed.js";
import { isSecretField, isUrlField, SourceMisconfigured } from "../connectors/connector.js";
import { faultsIn } from "../connectors/stored-config.js";
import type { Carrier } from "./carrier.js";
import { CarrierNotConfigured, CarrierSecretsNeeded } from "./problems.js";
import { configOwner } from "./secrets.js";

/** The configuration of an account: what its carrier has to be told, stored as one encrypted text. */

export type StoredConfig = Record<string, string>;

/** Throws where it cannot be decrypted. */
export function openConfig(accountId: number, sealed: string, keys: EncryptionKeys): StoredConfig {
  try {
    return JSON.parse(unseal(sealed, configOwner(accountId), keys)) as StoredConfig;
  } catch (error) {
    if (!(error instanceof CannotUnseal)) throw error;
    throw new SourceMisconfigured("The stored configuration cannot be decrypted");
  }
}

export const sealConfig = (accountId: number, config: StoredConfig, keys: EncryptionKeys): string =>
  seal(JSON.stringify(config), configOwner(accountId), keys);

/** What the carrier is asked with; refuses what it cannot be asked with. */
export function checkedConfig(carrier: Carrier, stored: StoredConfig): Record<string, unknown> {
  const parsed = carrier.config.safeParse(stored);
  if (parsed.success) return parsed.data;
  const faults = faultsIn(parsed.error, stored);
  const all = [...faults.missing, ...faults.invalid].join(", ");
  throw CarrierNotConfigured(
    { why: `Fields of ${carrier.title} that are missing or not valid: ${all}` },
    { ...faults },
  );
}

/**
 * The stored fields with those that are sent. Refuses an address on another server than the stored secrets were stored
 * for, unless they are sent again with it: whoever may change the address need not know the secrets.
 */
export function changedConfig(carrier: Carrier, stored: StoredConfig, sent: StoredConfig): StoredConfig {
  const secrets = Object.keys(stored).filter((name) => isSecretField(carrier, name) && !Object.hasOwn(sent, name));
  const defaults = carrier.config.partial().safeParse({}).data ?? {};
  const before: Record<string, unknown> = { ...defaults, ...stored };
  const moved = Object.keys(sent).find(
    (name) => isUrlField(name) && originOf(sent[name]) !== originOf(before[name] as string | undefined),
  );
  if (moved !== undefined && secrets.length > 0)
    throw CarrierSecretsNeeded({ field: moved, keys: secrets.join(", ") }, { keys: secrets });
  return { ...stored, ...sent };
}

const originOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : `not an address: ${url}`;
