import { temporalClient } from "../../api/http/workflow-updates.js";
import { pushWorkflowId } from "../../src/connectors/pushes/push.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { startPush } from "../../workers/reconcile.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { item, shippedOrder } from "./fixtures.js";
import type { TestService } from "./service.js";

/** Beside the connectors that there are: `test-shop` (test/support/pushes.ts) and `one-way-shop`, which just agrees. */
export const loadTestConnectors = () => loadConnectors(new URL("./push-connectors/", import.meta.url));

/** A push that failed, as the database has it, of an order that was shipped. */
export async function failedPush(warehouse_id: number, connector = "example"): Promise<number> {
  const { item_id } = await item();
  const { so_id } = await shippedOrder(warehouse_id, [{ item_id, quantity: 1 }]);
  const made = await db.row<{ push_id: number }>(
    `with f as (
       insert into item_fulfillments (so_id, warehouse_id, tracking_number, carrier, pre_ship_status)
       values ($1, $2, '1Z999', 'UPS', 'PACKED') returning *
     )
     insert into fulfillment_pushes (kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id,
       tracking_numbers, carrier, shipped_at, status, attempts, last_error, completed_at)
     select 'ship', $3, warehouse_id, so_id, fulfillment_id, '7', array[tracking_number], carrier, shipped_at,
            'failed', 3, 'The source answered with HTTP status 500', now()
     from f returning push_id`,
    [so_id, warehouse_id, connector],
  );
  return made?.push_id as number;
}

/**
 * A push that a person had tried again, with its workflow started; to a connector that is not there it fails.
 * @param columns What is set in its row beforehand.
 */
export async function retriedPush(service: TestService, warehouse_id: number, connector: string, columns?: string) {
  const push_id = await failedPush(warehouse_id, connector);
  const set = (columns: string) => db.run(`update fulfillment_pushes set ${columns} where push_id = $1`, [push_id]);
  await service.admin.ok("POST", `/api/admin/connector-pushes/${push_id}/retry`);
  if (columns) await set(columns);
  await startPush(temporalClient(), service.config.temporalTaskQueue, { id: push_id, warehouse_id });
  return { push_id, id: pushWorkflowId(push_id), set };
}

/** How what is done to pushes is asked twice. */
export const pushChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/connector-pushes/:push_id/retry": async ({ by, warehouse_id }) => ({
    ...{ by, path: `/api/admin/connector-pushes/${await failedPush(warehouse_id)}/retry` },
    ...{ body: {}, other: { again: true } },
  }),
  "post /api/admin/connector-pushes/retry": async ({ by, warehouse_id }) => {
    await failedPush(warehouse_id, "retried");
    const path = "/api/admin/connector-pushes/retry";
    return { by, path, body: { warehouse_id, connector: "retried" }, other: { warehouse_id } };
  },
};
