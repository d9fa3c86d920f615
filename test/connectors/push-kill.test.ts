import assert from "node:assert/strict";
import { fulfill } from "../../activities/shipping/shipping.js";
import { readConfig } from "../../src/config/config.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { connect, databaseUnavailable, db, disconnect } from "../../src/db/db.js";
import { item } from "../support/fixtures.js";
import { pushesOf } from "../support/pushes.js";
import { Scanner } from "../support/scanner.js";
import { idOf, ShopifyPair } from "../support/shopify.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";
import { actor, walked } from "../support/walk.js";

const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const PARTS: (Part | "all that Temporal knows")[] = ["Worker", "Temporal", "Postgres", "all that Temporal knows"];
const ORDERS = 4;
const WITHIN_MS = 180_000;
/** So long that a kill finds requests under way. */
const SLOW_MS = 400;

describe("shipments of a shop's orders, as everything is killed while it is told", function () {
  this.timeout(300_000 + ROUNDS * 400_000);
  const env = {
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64"),
    SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
    CONNECTOR_RETRY_DELAY_MS: "500",
  };
  let stack: Stack;
  let pair: ShopifyPair;
  let desk: Scanner;
  before(async () => {
    stack = await openStack(env);
    connect(stack.databaseUrl, 4);
    desk = new Scanner(stack.admin);
    await loadConnectors();
    const config = readConfig(
      {
        ...{ ...env, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress },
        ...{ JWT_SECRET: "x".repeat(32), SERVICE_TOKEN_PEPPER: "0123456789abcdefghijklmnopqrstuvwxyz" },
      },
      "api",
    );
    pair = await ShopifyPair.open({ config, url: stack.admin.url });
    pair.shop.failWhere(({ method }) => (method === "POST" ? { afterMs: SLOW_MS } : undefined));
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await pair?.close();
  });

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

  async function kill(part: (typeof PARTS)[number]) {
    if (part !== "all that Temporal knows") return stack.kill(part);
    const bring = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bring();
  }

  it("are told once, each, and taken back where they are voided", async () => {
    const parts = Array<typeof PARTS>(ROUNDS).fill(PARTS).flat();
    const shipped = await packedOrders(ORDERS * parts.length);
    const voided = await packedOrders(parts.length);
    for (const { so_id, so_number } of voided) await ship(so_id, `1Z-${so_number}`);
    for (const { so_id } of voided) await reached(so_id, "ship pushed");
    for (const [i, part] of parts.entries()) {
      const before = told();
      await desk.post(`/api/admin/sales-orders/${voided[i]?.so_id}/revert-status`, {
        ...{ new_status: "PACKED", release_pick_task_ids: [] },
      });
      for (const { so_id, so_number } of shipped.slice(i * ORDERS, (i + 1) * ORDERS))
        await ship(so_id, `1Z-${so_number}`);
      await until(() => told() > before, WITHIN_MS);
      await kill(part);
    }
    // What a killed worker had begun is begun again when its claim is over.
    for (const { so_id } of shipped) await reached(so_id, "ship pushed");
    for (const { so_id } of voided) await reached(so_id, "ship pushed,void pushed");
    for (const { id, so_number } of shipped) assert.deepEqual(fulfillments(id), [`1Z-${so_number} success`]);
    for (const { id, so_number } of voided) assert.deepEqual(fulfillments(id), [`1Z-${so_number} cancelled`]);
    const left = await db.row("select from fulfillment_pushes where status <> 'pushed'");
    assert.equal(left, undefined);
  });
});
