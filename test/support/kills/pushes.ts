import assert from "node:assert/strict";
import { fulfill } from "../../../activities/shipping/shipping.js";
import { loadConnectors } from "../../../src/connectors/registry.js";
import { readConfig } from "../../../src/platform/config/config.js";
import { databaseUnavailable } from "../../../src/platform/db/db.js";
import { db } from "../db.js";
import { item } from "../fixtures.js";
import { pushesOf } from "../pushes.js";
import { Scanner } from "../scanner.js";
import { idOf, ShopifyPair } from "../shopify.js";
import type { Stack } from "../stack.js";
import { until } from "../until.js";
import { actor, walked } from "../walk.js";

const ORDERS = 4;
const WITHIN_MS = 180_000;
/** So long that a kill finds requests under way. */
const SLOW_MS = 400;

/** Shipments of a shop's orders of which it is told, in so many rounds; one shipment is voided in each. */
export async function shipmentsOf(stack: Stack, rounds: number, env: Record<string, string>) {
  const desk = new Scanner(stack.admin);
  await loadConnectors();
  const config = readConfig(
    {
      ...{ ...env, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress },
      ...{ JWT_SECRET: "x".repeat(32), SERVICE_TOKEN_PEPPER: "0123456789abcdefghijklmnopqrstuvwxyz" },
    },
    "api",
  );
  const pair = await ShopifyPair.open({ config, url: stack.admin.url });
  pair.shop.failWhere(({ method }) => (method === "POST" ? { afterMs: SLOW_MS } : undefined));

  /** Orders of the shop, picked and packed here. */
  async function packedOrders(count: number) {
    const goods = await item();
    const lines = [{ item: goods, quantity: 1 }];
    const ids = Array.from({ length: count }, () =>
      idOf(pair.shop.addOrder([{ variant_id: 1, sku: goods.sku, quantity: 1 }])),
    );
    await pair.sync("orders");
    const orders: { id: number; so_id: number; so_number: string }[] = [];
    for (const id of ids) {
      const { so_id, so_number } = (await pair.order(id)) ?? assert.fail(`order ${id} did not come`);
      await walked(stack.admin, pair.warehouse_id, { so_id }, lines);
      await stack.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: goods.sku, quantity: 1 });
      await stack.admin.ok("POST", "/api/packing/complete", { so_id });
      orders.push({ id, so_id, so_number });
    }
    return orders;
  }

  /** Once, whatever dies meanwhile. */
  async function ship(so_id: number, tracking_number: string) {
    const by = actor(stack.admin);
    await until(
      () =>
        fulfill({ so_id, tracking_number, carrier: "UPS" }, by).then(
          () => true,
          (error) => {
            assert.ok(databaseUnavailable(error), error);
            return false;
          },
        ),
      WITHIN_MS,
    );
  }

  const fulfillments = (id: number) =>
    (pair.shop.order(id).fulfillments as { status: string; tracking_number: string }[]).map(
      ({ status, tracking_number }) => `${tracking_number} ${status}`,
    );
  const told = () => pair.shop.asked.filter(({ method }) => method === "POST").length;
  const reached = (so_id: number, wanted: string) =>
    until(async () => {
      const pushes = await pushesOf(so_id).catch(() => []);
      return pushes.map(({ kind, status }) => `${kind} ${status}`).join() === wanted;
    }, WITHIN_MS);

  const shipped = await packedOrders(ORDERS * rounds);
  const voided = await packedOrders(rounds);
  for (const { so_id, so_number } of voided) await ship(so_id, `1Z-${so_number}`);
  for (const { so_id } of voided) await reached(so_id, "ship pushed");

  return {
    /** Ships some orders and voids a shipment, until the shop is asked. */
    async more(round: number): Promise<void> {
      const before = told();
      await desk.post(`/api/admin/sales-orders/${voided[round]?.so_id}/revert-status`, {
        ...{ new_status: "PACKED", release_pick_task_ids: [] },
      });
      for (const { so_id, so_number } of shipped.slice(round * ORDERS, (round + 1) * ORDERS))
        await ship(so_id, `1Z-${so_number}`);
      await until(() => told() > before, WITHIN_MS);
    },
    /** Each is told once, and taken back where it is voided. */
    async assertTold(): Promise<void> {
      // What a killed worker had begun is begun again when its claim is over.
      for (const { so_id } of shipped) await reached(so_id, "ship pushed");
      for (const { so_id } of voided) await reached(so_id, "ship pushed,void pushed");
      for (const { id, so_number } of shipped) assert.deepEqual(fulfillments(id), [`1Z-${so_number} success`]);
      for (const { id, so_number } of voided) assert.deepEqual(fulfillments(id), [`1Z-${so_number} cancelled`]);
      assert.equal(await db.row("select from fulfillment_pushes where status <> 'pushed'"), undefined);
    },
    close: () => pair.close(),
  };
}
