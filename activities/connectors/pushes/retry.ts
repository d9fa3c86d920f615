import type { EncryptionKeys } from "../../../src/auth/sealed.js";
import { PushNotFailed, PushNotFound, ShipmentVoided } from "../../../src/connectors/problems.js";
import { PUSH } from "../../../src/connectors/pushes/queries.js";
import { FulfillmentPush, type PushesToRetry, type RetriedPushes } from "../../../src/connectors/pushes/shapes.js";
import { connectorOf } from "../../../src/connectors/registry.js";
import { checkConfigured } from "../../../src/connectors/stored-config.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import { bool } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { fulfillmentPushStates, mayBecome } from "../../../src/platform/states.js";
import { command, type Tx } from "../../command.js";
import { lockWarehouse } from "../lock-warehouse.js";

/** Has a failed push tried again: a worker takes it up within a second, or once Temporal is back. */
export async function retryPush(pushId: number, keys: EncryptionKeys, by: Actor): Promise<FulfillmentPush> {
  await checkConnectors("push_id = $2", [pushId], keys, by);
  return command("connectors.retryPush", by, { pushId }, async (tx) => {
    await tx.run("select from fulfillment_pushes where push_id = $1 for update", [pushId]);
    const push = await tx.row(
      { ...FulfillmentPush.shape, voided: bool },
      `select ${PUSH}, f.status = 'VOIDED' as voided
       from fulfillment_pushes p join sales_orders so using (so_id) join item_fulfillments f using (fulfillment_id)
       where push_id = $1 and ($2::int[] is null or p.warehouse_id = any($2))`,
      [pushId, visibleWarehouses(by)],
    );
    if (!push) throw PushNotFound();
    const { kind, status, voided } = push;
    if (!mayBecome(fulfillmentPushStates, status, "pending")) throw PushNotFailed({ status });
    if (kind === "ship" && voided) throw ShipmentVoided();
    auditRetry(tx, push);
    const reset = await tx.row(
      FulfillmentPush,
      `update fulfillment_pushes p
       set status = 'pending', started_at = null, completed_at = null, updated_at = now()
       from sales_orders so where push_id = $1 and so.so_id = p.so_id returning ${PUSH}`,
      [pushId],
    );
    return reset as FulfillmentPush;
  });
}

/** As many as one request has tried again. */
const MOST = 500;

/** Has the failed pushes of a warehouse tried again, the oldest first, without shipments that are void by now. */
export async function retryPushes(
  { warehouse_id, ...filter }: PushesToRetry,
  keys: EncryptionKeys,
  by: Actor,
): Promise<RetriedPushes> {
  const connector = filter.connector ?? null;
  const which = "warehouse_id = $2 and ($3::text is null or connector_name = $3)";
  await checkConnectors(which, [warehouse_id, connector], keys, by);
  return command("connectors.retryPushes", by, { warehouse_id, connector }, async (tx) => {
    await lockWarehouse(tx, warehouse_id, by);
    await tx.run(
      `select from fulfillment_pushes
       where warehouse_id = $1 and ($2::text is null or connector_name = $2) and status = 'failed'
       order by push_id for update`,
      [warehouse_id, connector],
    );
    const pushes = await tx.rows(
      FulfillmentPush,
      `select ${PUSH}
       from fulfillment_pushes p join sales_orders so using (so_id) join item_fulfillments f using (fulfillment_id)
       where p.warehouse_id = $1 and ($2::text is null or connector_name = $2) and p.status = 'failed'
         and not (kind = 'ship' and f.status = 'VOIDED')
       order by push_id limit ${MOST + 1}`,
      [warehouse_id, connector],
    );
    const retried = pushes.slice(0, MOST);
    for (const push of retried) auditRetry(tx, push);
    await tx.run(
      `update fulfillment_pushes set status = 'pending', started_at = null, completed_at = null, updated_at = now()
       where push_id = any($1)`,
      [retried.map(({ push_id }) => push_id)],
    );
    return { warehouse_id, connector, retried: retried.length, more: pushes.length > retried.length };
  });
}

const CheckConnectorsRow = FulfillmentPush.pick({ warehouse_id: true, connector_name: true });

/** Refuses failed pushes whose connector could tell nothing: its configuration is not whole. */
async function checkConnectors(which: string, values: unknown[], keys: EncryptionKeys, by: Actor): Promise<void> {
  const failed = await db.rows(
    CheckConnectorsRow,
    `select distinct connector_name, warehouse_id from fulfillment_pushes
     where status = 'failed' and ($1::int[] is null or warehouse_id = any($1)) and ${which}
     order by connector_name, warehouse_id`,
    [visibleWarehouses(by), ...values],
  );
  for (const { connector_name, warehouse_id } of failed) {
    const connector = connectorOf(connector_name);
    const of = { connector: connector_name, warehouse_id };
    if (connector) await checkConfigured(connector, warehouse_id, "push", keys, of);
  }
}

function auditRetry(tx: Tx, push: FulfillmentPush): void {
  const { so_id, so_number, warehouse_id, push_id, kind, connector_name, last_error } = push;
  tx.audit({
    action: "FULFILLMENT_PUSH_RETRY",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: { so_number, push_id, kind, connector: connector_name, last_error },
  });
}
