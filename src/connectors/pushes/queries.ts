import { int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import type { OfWarehouse } from "../../platform/temporal/priorities.js";
import { FulfillmentPush, type PushQuery, pushList } from "./shapes.js";

/** SQL: whether `p` is the oldest pending push of its source's order; pushes of one order are made one at a time. */
export const NEXT_OF_ORDER = `p.status = 'pending' and not exists (
  select from fulfillment_pushes e
  where e.source_order_id = p.source_order_id and e.connector_name = p.connector_name
    and e.warehouse_id = p.warehouse_id and e.status = 'pending' and e.push_id < p.push_id)`;

const columns = [
  ...["push_id", "kind", "connector_name", "p.warehouse_id", "p.so_id", "so_number", "fulfillment_id"],
  ...["source_order_id", "tracking_numbers", "p.carrier", "service_level", "p.shipped_at", "p.status", "attempts"],
  ...["p.external_id", "last_error", "p.created_at", "p.updated_at", "completed_at"],
  codeOf("p.warehouse_id"),
];

/** The columns of a push `p` and its order that people see. */
export const PUSH = columns.join(", ");

/** A page of pushes, the newest first. */
export function pushes({ warehouse_id, connector, status, ...page }: PushQuery, warehouseIds: number[] | null) {
  const query = builder("fulfillment_pushes as p")
    .join("sales_orders as so", "so.so_id", "p.so_id")
    .select(builder.raw(PUSH))
    .orderBy("push_id", "desc");
  if (warehouseIds) query.whereIn("p.warehouse_id", warehouseIds);
  if (warehouse_id !== undefined) query.where("p.warehouse_id", warehouse_id);
  if (connector !== undefined) query.where("connector_name", connector);
  if (status !== undefined) query.where("p.status", status);
  return listPage(FulfillmentPush, "pushes", query, page, pushList);
}

/** The pushes that a worker took up and that are under way, or should be. */
export const pendingPushes = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    `select push_id as id, warehouse_id from fulfillment_pushes p
     where ${NEXT_OF_ORDER} and started_at is not null order by push_id`,
  );
