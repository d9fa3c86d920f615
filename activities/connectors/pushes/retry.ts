import { type Actor, scopeOf } from "../../../src/actor.js";
import { PushNotFailed, PushNotFound, ShipmentVoided } from "../../../src/connectors/pushes/problems.js";
import { PUSH } from "../../../src/connectors/pushes/queries.js";
import type { FulfillmentPush } from "../../../src/connectors/pushes/shapes.js";
import { fulfillmentPushStates, mayBecome } from "../../../src/states.js";
import { command } from "../../command.js";

/** Has a failed push tried again: a worker takes it up within a second, or once Temporal is back. */
export function retryPush(pushId: number, by: Actor): Promise<FulfillmentPush> {
  return command("connectors.retryPush", by, { pushId }, async (tx) => {
    await tx.run("select from fulfillment_pushes where push_id = $1 for update", [pushId]);
    const push = await tx.row<FulfillmentPush & { voided: boolean }>(
      `select ${PUSH}, f.status = 'VOIDED' as voided
       from fulfillment_pushes p join sales_orders so using (so_id) join item_fulfillments f using (fulfillment_id)
       where push_id = $1 and ($2::int[] is null or p.warehouse_id = any($2))`,
      [pushId, scopeOf(by)],
    );
    if (!push) throw PushNotFound();
    const { kind, status, so_number, voided } = push;
    if (!mayBecome(fulfillmentPushStates, status, "pending")) throw PushNotFailed({ status });
    if (kind === "ship" && voided) throw ShipmentVoided();
    tx.audit({
      action: "FULFILLMENT_PUSH_RETRY",
      entity: "SO",
      entityId: push.so_id,
      warehouseId: push.warehouse_id,
      details: { so_number, push_id: pushId, kind, connector: push.connector_name, last_error: push.last_error },
    });
    const reset = await tx.row<FulfillmentPush>(
      `update fulfillment_pushes p
       set status = 'pending', started_at = null, completed_at = null, updated_at = now()
       from sales_orders so where push_id = $1 and so.so_id = p.so_id returning ${PUSH}`,
      [pushId],
    );
    return reset as FulfillmentPush;
  });
}
