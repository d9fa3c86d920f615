import { CannotUnseal, type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import { type Connector, isSecretField, isUrlField } from "../../src/connectors/connector.js";
import { HostNotAllowed, SecretsNeeded } from "../../src/connectors/problems.js";
import { credentialOwner } from "../../src/connectors/stored-config.js";
import { canonicalHost } from "../../src/outbound/wire/connections.js";
import { text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/** Checks the addresses of a connector, so that its secrets are sent only to the servers that they were stored for. */

/** What is stored of a connector: its addresses by field, "" for one that cannot be read, and its secret fields. */
export interface StoredAddresses {
  urls: Record<string, string>;
  secrets: string[];
}

/** Reads what is stored; until the end of the command nobody else changes it. */
export async function storedAddresses(
  tx: Tx,
  connector: Connector,
  warehouseId: number,
  keys: EncryptionKeys,
): Promise<StoredAddresses> {
  const { name } = connector;
  const [, rows] = await tx.inOrder([
    tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
      JSON.stringify(["credentials", name, warehouseId]),
    ]),
    tx.rows(
      { key: text, sealed: text },
      `select credential_key as key, encrypted_value as sealed from connector_credentials
       where connector_name = $1 and warehouse_id = $2 order by credential_key`,
      [name, warehouseId],
    ),
  ]);
  const urls = rows
    .filter(({ key }) => isUrlField(key))
    .map(({ key, sealed }) => [key, unsealed(sealed, credentialOwner(name, warehouseId, key), keys)]);
  return {
    urls: Object.fromEntries(urls),
    secrets: rows.map(({ key }) => key).filter((key) => isSecretField(connector, key)),
  };
}

function unsealed(sealed: string, owner: string, keys: EncryptionKeys): string {
  try {
    return unseal(sealed, owner, keys);
  } catch (error) {
    if (!(error instanceof CannotUnseal)) throw error;
    return "";
  }
}

/** Refuses addresses that are not those of the connector's sources. */
export function checkHosts({ hosts }: Connector, credentials: Record<string, string>): void {
  if (hosts === undefined) return;
  for (const [field, value] of Object.entries(credentials))
    if (isUrlField(field) && URL.canParse(value) && !isAmong(hosts, value)) throw HostNotAllowed({ field, hosts });
}

/** Whether a URL leads to one of the hosts that end so, at the usual port. */
export function isAmong(hosts: string, url: string): boolean {
  const { hostname, port, protocol } = new URL(url);
  const host = canonicalHost(hostname);
  return protocol === "https:" && port === "" && host.endsWith(hosts) && host.length > hosts.length;
}

/**
 * Refuses an address on another server than the stored secrets were stored for, unless the secrets are sent again with
 * it: whoever may change the address need not know the secrets.
 */
export function checkSecrets({ urls, secrets }: StoredAddresses, credentials: Record<string, string>): void {
  const missing = secrets.filter((key) => !Object.hasOwn(credentials, key));
  if (missing.length === 0) return;
  const known = Object.values(urls).map(originOf);
  for (const [field, value] of Object.entries(credentials))
    if (isUrlField(field) && !known.includes(originOf(value)))
      throw SecretsNeeded({ field, keys: missing.join(", ") }, { keys: missing });
}

const originOf = (url: string): string =>
  URL.canParse(url) ? `${new URL(url).protocol}//${hostOf(url)}` : `not an address: ${url}`;

/** The host with its port, where that is not the usual one. */
export function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, port } = new URL(url);
  return canonicalHost(hostname) + (port && `:${port}`);
}

/** For the audit trail: the old and the new addresses, where they differ. */
export function changedHosts(urls: Record<string, string>, credentials: Record<string, string>) {
  const changes = Object.entries(credentials)
    .filter(([field]) => isUrlField(field))
    .map(([field, value]) => [field, { before: hostOf(urls[field] ?? ""), after: hostOf(value) }] as const)
    .filter(([, { before, after }]) => before !== after);
  return changes.length > 0 ? { hosts: Object.fromEntries(changes) } : {};
}
