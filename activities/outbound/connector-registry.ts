import { z } from "zod";
import { CONNECTOR, WITHIN } from "../../src/outbound/connector-registry/queries.js";
import { Connector, type NewConnector } from "../../src/outbound/connector-registry/shapes.js";
import { ConnectorInUse, ConnectorNotFound, DuplicateConnectorId } from "../../src/outbound/problems.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { auditEdit } from "../edit.js";

/** Adds a connector to the registry (docs/interface.md, Consumer groups). */
export function addConnector(input: NewConnector, by: Actor): Promise<Connector> {
  return command("connector-registry.add", by, input, async (tx) => {
    const { connector_id, display_name } = input;
    const added = await tx.row(
      Connector,
      `insert into connectors (connector_id, display_name, created_by) values ($1, $2, $3)
       on conflict do nothing returning ${CONNECTOR}`,
      [connector_id, display_name, by.username],
    );
    if (!added) throw DuplicateConnectorId({}, { connector_id });
    tx.audit({ action: "CONNECTOR_REGISTRY_CREATE", ...entry(added) });
    return added;
  });
}

/** Changes the display name of a connector. */
export function renameConnector(input: NewConnector, by: Actor): Promise<Connector> {
  return command("connector-registry.rename", by, input, async (tx) => {
    const { connector_id, display_name } = input;
    const before = await lockConnector(tx, connector_id, by);
    const after = (await tx.row(
      Connector,
      `update connectors set display_name = $2, updated_at = now() where connector_id = $1 returning ${CONNECTOR}`,
      [connector_id, display_name],
    )) as Connector;
    auditEdit(
      tx,
      { ...entry(after), action: "CONNECTOR_REGISTRY_UPDATE" },
      { display_name: before.display_name },
      { display_name },
    );
    return after;
  });
}

/** Deletes a connector that owns nothing. */
export function removeConnector(connector_id: string, by: Actor): Promise<{ connector_id: string; deleted: true }> {
  return command("connector-registry.remove", by, { connector_id }, async (tx) => {
    const connector = await lockConnector(tx, connector_id, by);
    const owned = (await tx.row(
      Owned,
      `select (select count(*) from consumer_groups where connector_id = $1) as consumer_groups,
                (select count(*) from webhook_subscriptions where connector_id = $1) as webhook_subscriptions,
                (select count(*) from wms_tokens where connector_id = $1) as tokens`,
      [connector_id],
    )) as Owned;
    if (Object.values(owned).some((count) => count > 0)) throw ConnectorInUse({}, { ...owned, detail: IN_USE });
    await tx.run("delete from connectors where connector_id = $1", [connector_id]);
    tx.audit({ action: "CONNECTOR_REGISTRY_DELETE", ...entry(connector) });
    return { connector_id, deleted: true as const };
  });
}

/** How much a connector owns. */
const Owned = z.strictObject({ consumer_groups: int, webhook_subscriptions: int, tokens: int });
type Owned = z.infer<typeof Owned>;
const IN_USE =
  "Delete the consumer groups, webhook subscriptions (revoked ones with purge) and tokens of this connector first";

/** Locks a connector against deletion while something that it will own is made; false when there is none. */
export async function shareLockConnector(tx: Tx, connectorId: string): Promise<boolean> {
  const connector = await tx.row({}, "select from connectors where connector_id = $1 for key share", [connectorId]);
  return connector !== undefined;
}

/** Locks a connector that the user may see. It waits for share locks, so what is counted afterwards is complete. */
async function lockConnector(tx: Tx, connectorId: string, by: Actor): Promise<Connector> {
  const [, connector] = await tx.inOrder([
    tx.run("select from connectors where connector_id = $1 for update", [connectorId]),
    tx.row(Connector, `select ${CONNECTOR} from connectors c where ${WITHIN} and connector_id = $3`, [
      visibleWarehouses(by),
      by.username,
      connectorId,
    ]),
  ]);
  if (!connector) throw ConnectorNotFound();
  return connector;
}

/** The entity of an audit row. Entity ids are numbers; a connector has none, so its id is in the details. */
const entry = ({ connector_id, display_name }: Connector): Omit<AuditEntry, "action"> => ({
  entity: "CONNECTOR_REGISTRY",
  entityId: 0,
  details: { connector_id, display_name },
});
