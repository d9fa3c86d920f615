import { randomInt } from "node:crypto";
import { runSequencer } from "../../workers/sequencer.js";
import type { Caller } from "./caller.js";
import { countWarehousesApart } from "./connectors.js";
import { db } from "./db.js";
import { senderEnv } from "./deliveries.js";
import { bin, item, stock, warehouse } from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { openService, type TestService } from "./service.js";

/** A service with a warehouse, goods in it and the picker ann, whose processes the Temporal UI shows. */
export interface ShownFloor {
  service: TestService;
  picker: Caller;
  warehouse_id: number;
  goods: { item_id: number; sku: string };
  /** Where its 100 units are. */
  inventory_id: number;
  close(): Promise<void>;
}

/** @param retryDelays What its workers wait before the attempts of a message. */
export async function openShownFloor(retryDelays = senderEnv.DISPATCHER_RETRY_DELAYS_MS): Promise<ShownFloor> {
  const env = { ...senderEnv, DISPATCHER_RETRY_DELAYS_MS: retryDelays };
  const service = await openService({ worker: true, env });
  // Workflow ids carry these ids, and all services share one Temporal server.
  await db.run(
    `select setval(pg_get_serial_sequence('webhook_deliveries', 'delivery_id'), $1),
            setval(pg_get_serial_sequence('notifications', 'notification_id'), $1),
            setval(pg_get_serial_sequence('wave_templates', 'template_id'), $2)`,
    [randomInt(2 ** 40), randomInt(2 ** 30)],
  );
  await countWarehousesApart();
  const sequencer = runSequencer();
  const warehouse_id = await warehouse();
  const goods = await item();
  const inventory_id = await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 100);
  const picker = await service.user({ warehouse_ids: [warehouse_id], username: "ann" });
  const close = async () => {
    await assertInvariants();
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sequencer.stop();
    await service.close();
  };
  return { service, picker, warehouse_id, goods, inventory_id, close };
}

export const codeOf = async (warehouse_id: number): Promise<string> => {
  const code = "select warehouse_code as code from warehouses where warehouse_id = $1";
  return (await db.value<string>(code, [warehouse_id])) as string;
};

/** The id of the workflow that an answer names. */
export const idOf = ({ headers }: { headers: Headers }): string => headers.get("x-service-workflow-id") as string;
