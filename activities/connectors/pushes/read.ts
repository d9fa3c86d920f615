import { PushNotFound } from "../../../src/connectors/pushes/problems.js";
import type { PushTold } from "../../../src/connectors/pushes/push.js";
import type { FulfillmentPush } from "../../../src/connectors/pushes/shapes.js";
import { db } from "../../../src/db/db.js";
import type { FulfillmentPushStatus } from "../../../src/states.js";
import { attributesMissingHere } from "../../../src/temporal/missing-attributes.js";

/** A push, and what has to be known to make it. */
export interface Push extends FulfillmentPush {
  /** Whether its shipment is void by now. */
  is_void: boolean;
  /** Of a void: how the push of its shipment stands, and the id that the source gave it. */
  shipment_status: FulfillmentPushStatus | null;
  pushed_as: string | null;
  /** The newest version of the order, as the source sent it; null once its retention ended. */
  source_payload: Record<string, unknown> | null;
}

export async function readPush(pushId: number): Promise<Push> {
  const push = await db.row<Push>(
    `select p.*, so.so_number, f.status = 'VOIDED' as is_void, s.status as shipment_status, s.external_id as pushed_as,
            i.source_payload
     from fulfillment_pushes p join sales_orders so using (so_id) join item_fulfillments f using (fulfillment_id)
       left join fulfillment_pushes s on p.kind = 'void' and s.fulfillment_id = p.fulfillment_id and s.kind = 'ship'
       left join inbound_sales_orders i on i.source_system = p.connector_name || '-' || p.warehouse_id
         and i.external_id = p.source_order_id and i.status = 'applied'
     where p.push_id = $1`,
    [pushId],
  );
  if (!push) throw PushNotFound();
  return push;
}

/** What the workflow of a push shows. */
export async function describePush(pushId: number): Promise<PushTold> {
  const told = await db.row<Omit<PushTold, "missing_attributes">>(
    `select kind, connector_name as connector, so_number, p.warehouse_id, warehouse_code
     from fulfillment_pushes p join sales_orders so using (so_id)
       join warehouses w on w.warehouse_id = p.warehouse_id
     where push_id = $1`,
    [pushId],
  );
  if (!told) throw PushNotFound();
  return { ...told, missing_attributes: attributesMissingHere() };
}
