import { type EncryptionKeys, seal } from "../../src/auth/sealed.js";
import { type Connector, sourceSystemOf } from "../../src/connectors/connector.js";
import type { DeletedCredentials, NewCredentials, StoredCredentials } from "../../src/connectors/credential-shapes.js";
import { UnknownCredential } from "../../src/connectors/problems.js";
import { credentialOwner } from "../../src/connectors/stored-config.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Config } from "../../src/platform/config/config.js";
import { text } from "../../src/platform/db/columns.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { changedHosts, checkHosts, checkSecrets, storedAddresses } from "./addresses.js";
import { lockWarehouse } from "./lock-warehouse.js";
import { changeShop } from "./shops.js";

/**
 * Encrypts and stores fields of a connector's configuration; those that are not sent stay as they are. Also allows the
 * connector to write records, as a source system of its own.
 */
export function storeCredentials(
  installed: Connector,
  { warehouse_id, credentials, address_of }: NewCredentials,
  sealing: EncryptionKeys & Pick<Config<"api">, "allowInternalConnectors">,
  by: Actor,
): Promise<StoredCredentials> {
  const { name: connector, config } = installed;
  const keys = Object.keys(credentials).sort();
  // Without the values: the input is kept as a hash, which could be guessed from a short one.
  return command("connectors.storeCredentials", by, { connector, warehouse_id, keys }, async (tx) => {
    const unknown = keys.filter((key) => !Object.hasOwn(config.shape, key));
    if (unknown.length > 0) throw UnknownCredential({ connector, keys: unknown.join(", ") });
    if (!sealing.allowInternalConnectors) checkHosts(installed, credentials);
    await lockWarehouse(tx, warehouse_id, by);
    await allowSourceSystem(tx, sourceSystemOf(connector, warehouse_id));
    const before = await storedAddresses(tx, installed, warehouse_id, sealing);
    checkSecrets(before, credentials);
    await changeShop(tx, { connector: installed, warehouse_id, before: before.urls, credentials, address_of });
    tx.later.run(
      `insert into connector_credentials (connector_name, warehouse_id, credential_key, encrypted_value)
       select $1, $2, key, sealed from unnest($3::text[], $4::text[]) as c (key, sealed) order by key
       on conflict (connector_name, warehouse_id, credential_key) do update
       set encrypted_value = excluded.encrypted_value, updated_at = now()`,
      [
        ...[connector, warehouse_id, keys],
        keys.map((key) => seal(credentials[key] as string, credentialOwner(connector, warehouse_id, key), sealing)),
      ],
    );
    forgetFailures(tx, connector, warehouse_id);
    const hosts = changedHosts(before.urls, credentials);
    tx.audit({
      action: "CONNECTOR_CREDENTIALS_STORE",
      ...entry(connector, warehouse_id, keys, { ...hosts, ...(address_of && { address_of }) }),
    });
    return { message: "Credentials stored", connector, warehouse_id, keys };
  });
}

/** Deletes the whole configuration of a connector for a warehouse, if there is one. */
export function deleteCredentials(
  { name: connector }: Connector,
  warehouse_id: number,
  by: Actor,
): Promise<DeletedCredentials> {
  return command("connectors.deleteCredentials", by, { connector, warehouse_id }, async (tx) => {
    await lockWarehouse(tx, warehouse_id, by);
    const deleted = await tx.rows(
      { key: text },
      `delete from connector_credentials where connector_name = $1 and warehouse_id = $2
       returning credential_key as key`,
      [connector, warehouse_id],
    );
    const keys = deleted.map(({ key }) => key).sort();
    forgetFailures(tx, connector, warehouse_id);
    if (keys.length > 0) tx.audit({ action: "CONNECTOR_CREDENTIALS_DELETE", ...entry(connector, warehouse_id, keys) });
    return { message: "Credentials deleted", connector, warehouse_id };
  });
}

/** The records of a connector have a source system; it needs no mapping document and no token. */
async function allowSourceSystem(tx: Tx, source_system: string): Promise<void> {
  const added = await tx.run(
    `insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')
     on conflict do nothing`,
    [source_system],
  );
  if (added > 0)
    tx.audit({ action: "CREATE", entity: "SOURCE_SYSTEM", entityId: 0, details: { source_system, kind: "connector" } });
}

/** Closes the circuit breaker and forgets the rate: both were learned with another address or key. */
function forgetFailures(tx: Tx, connector: string, warehouseId: number): void {
  for (const table of ["connector_circuits", "connector_rates"])
    tx.later.run(`delete from ${table} where connector_name = $1 and warehouse_id = $2`, [connector, warehouseId]);
}

const entry = (
  connector: string,
  warehouse_id: number,
  keys: string[],
  more: Record<string, unknown> = {},
): Omit<AuditEntry, "action"> => ({
  entity: "CONNECTOR",
  entityId: warehouse_id,
  warehouseId: warehouse_id,
  details: { connector, keys, ...more },
});
