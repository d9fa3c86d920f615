import type { z } from "zod";
import { CannotUnseal, type EncryptionKeys, unseal } from "../auth/sealed.js";
import { type Connector, SourceMisconfigured, type SyncType } from "./connector.js";
import { NotConfigured } from "./problems.js";
import { sealedCredentials } from "./queries.js";

/** The fields at fault. */
export interface ConfigFaults {
  /** Required fields that are not set. */
  missing: string[];
  /** Fields with unusable values, or that the connector does not have. */
  invalid: string[];
}

/** An unusable configuration. The message is for people, and has no values. */
export class ConfigFault extends SourceMisconfigured {
  override name = "ConfigFault";
  constructor(
    message: string,
    readonly faults: ConfigFaults,
  ) {
    super(message);
  }
}

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
    throw new ConfigFault(`The stored ${key} cannot be decrypted`, { missing: [], invalid: [key] });
  }
}

/**
 * The configuration; throws `ConfigFault` where it is incomplete. For a connector that sends no requests, the usable
 * part.
 */
export function checkedConfig(connector: Connector, stored: Record<string, string>): Record<string, unknown> {
  const { name, config, asksNobody } = connector;
  const parsed = config.safeParse(stored);
  if (parsed.success) return parsed.data;
  if (asksNobody) return {};
  const faults = faultsIn(parsed.error, stored);
  if (Object.keys(stored).length === 0)
    throw new ConfigFault(`No credentials of ${name} are stored for this warehouse`, faults);
  const all = [...new Set(fieldsOf(parsed.error))].join(", ");
  throw new ConfigFault(`Credentials of ${name} that are missing or not valid: ${all}`, faults);
}

/** The fields that a schema refused, in their order there. */
const fieldsOf = ({ issues }: z.ZodError): string[] =>
  issues.flatMap(({ path, ...issue }) => (path[0] as string | undefined) ?? keysOf(issue));

/** The fields at fault of what a schema refused. */
export function faultsIn(error: z.ZodError, stored: Record<string, string>): ConfigFaults {
  const [missing, invalid] = [new Set<string>(), new Set<string>()];
  for (const field of fieldsOf(error)) (Object.hasOwn(stored, field) ? invalid : missing).add(field);
  return { missing: [...missing], invalid: [...invalid] };
}

/** The fields that are not in the schema. */
const keysOf = (issue: object): string[] => ("keys" in issue ? (issue.keys as string[]) : []);

/** The same for a sync of a type, which may need fields that others do not. */
export function checkConfigFor(connector: Connector, stored: Record<string, string>, type: SyncType | "push"): void {
  const config = checkedConfig(connector, stored);
  const { name, needs = {} } = connector;
  const isSet = (field: string) => config[field] !== undefined;
  if (type === "push") return;
  if (type === "fulfillment") {
    const any = Object.values(needs).flat();
    if (any.length === 0 || any.some(isSet)) return;
    throw new ConfigFault(`Credentials of ${name} that are missing: one of ${any.join(", ")}`, {
      missing: any,
      invalid: [],
    });
  }
  const missing = (needs[type] ?? []).filter((field) => !isSet(field));
  if (missing.length > 0)
    throw new ConfigFault(`Credentials of ${name} that are missing: ${missing.join(", ")}`, { missing, invalid: [] });
}

/** Refuses an incomplete configuration, before anything begins. */
export async function checkConfigured(
  connector: Connector,
  warehouseId: number,
  type: SyncType | "push",
  keys: EncryptionKeys,
  of: Record<string, unknown> = {},
): Promise<void> {
  try {
    checkConfigFor(connector, await storedConfig(connector.name, warehouseId, keys), type);
  } catch (error) {
    throw error instanceof ConfigFault ? notConfigured(error, of) : error;
  }
}

/** The refusal, with connector and warehouse. */
export const notConfigured = ({ message, faults }: ConfigFault, of: Record<string, unknown>) =>
  NotConfigured({ why: message }, { ...of, ...faults });

/** The owner that a credential is encrypted for. */
export const credentialOwner = (connector: string, warehouseId: number, key: string): string =>
  `connector_credential:${connector}:${warehouseId}:${key}`;
