import assert from "node:assert/strict";
import pg from "pg";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { migrations } from "../../migrations/index.js";
import { pushWorkflowId } from "../../src/connectors/pushes/push.js";
import { syncWorkflowId } from "../../src/connectors/sync.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import { openShop, type Shop, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import { assertInvariants } from "../support/invariants.js";
import { loadListShop, newItem } from "../support/list-shop.js";
import { pluck } from "../support/pluck.js";
import { loadTestConnectors } from "../support/push-rows.js";
import { fillAs030 } from "../support/release-030.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { openApproval, pickTransfer } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";

/** Finds the one id that a statement gives. */
async function idOf(sql: string): Promise<number> {
  const found = await db.row<{ id: number }>(sql);
  assert.ok(found, sql);
  return Number(found.id);
}

describe("what was open in a database of 0.3.0", function () {
  this.timeout(120_000);
  let service: TestService;
  let sink: Sink;
  let shop: Shop;
  const items = Array.from({ length: 7 }, (_, n) => newItem(`${n}`));

  before(async () => {
    sink = await openSink();
    shop = await openShop(({ method, path }) => {
      const { pathname, searchParams } = new URL(path, "http://shop");
      const from = Number(searchParams.get("cursor") ?? 0);
      const page = { items: items.slice(from, from + 3), next: from + 3 < items.length ? `${from + 3}` : null };
      if (pathname === "/items") return { body: { ...page, newest: null } };
      return { body: method === "GET" ? [] : { id: "told" } };
    });
    service = await openService({
      worker: true,
      env: { ...senderEnv, SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_RETRY_DELAY_MS: "50" },
      makeDatabase: upgraded,
    });
    await loadListShop();
    await loadTestConnectors();
    const connectors = await db.rows<{ connector_name: string; warehouse_id: number }>(
      "select distinct connector_name, warehouse_id from connector_credentials",
    );
    for (const { connector_name, warehouse_id } of connectors)
      await storeConfig(connector_name, warehouse_id, { base_url: shop.url }, service.config);
  });
  after(async () => {
    await service?.close();
    await sink?.stop();
    await shop?.close();
  });

  /** The database that 0.3.0 left, whose partners are on this machine now, brought to the newest schema. */
  async function upgraded(name: string): Promise<void> {
    await onServer(`create database ${name}`);
    await fillAs030(databaseUrl(name));
    const client = new pg.Client(databaseUrl(name));
    await client.connect();
    await client.query("update webhook_subscriptions set delivery_url = $1", [sink.url]);
    await client.query("update webhook_deliveries set scheduled_at = now() where status = 'pending'");
    await client.end();
    await migrate(databaseUrl(name), migrations);
  }

  const handle = (id: string) => temporalClient().workflow.getHandle(id);
  const endOf = async (id: string) => ((await handle(id).result()) as { ended: string }).ended;
  /** Until there is a process of this id, which its rows say is missing. */
  const started = (id: string) =>
    until(async () => {
      await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
      return handle(id)
        .describe()
        .then(
          () => true,
          () => false,
        );
    }, 30_000);

  it("are waves: the rest is picked", async () => {
    const batch_id = await idOf("select batch_id as id from pick_batches where kind = 'SO' and status <> 'COMPLETED'");
    await started(waveWorkflowId(batch_id));
    const { pick_task_id, sku, quantity_to_pick } = await service.admin.ok(
      "GET",
      `/api/picking/batch/${batch_id}/next`,
    );
    await service.admin.ok("POST", "/api/picking/confirm", {
      ...{ pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick },
    });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.equal(await endOf(waveWorkflowId(batch_id)), "completed");
    const order = await db.row("select status from sales_orders where so_number = 'SO-PICKED'");
    assert.deepEqual(order, { status: "PICKED" });
  });

  it("are counts: one is made, and one decided about", async () => {
    const path = "/api/inventory/cycle-count";
    const count_id = await idOf("select count_id as id from cycle_counts where status in ('PENDING', 'IN_PROGRESS')");
    await started(countWorkflowId(count_id));
    const { lines } = await service.admin.ok("GET", `${path}/${count_id}`);
    const counted = { count_line_id: lines[0].count_line_id, counted_quantity: 5 };
    await service.admin.ok("POST", `${path}/submit`, { count_id, lines: [counted] });
    assert.equal(await endOf(countWorkflowId(count_id)), "no variance");
    const differing = await idOf("select count_id as id from cycle_counts where status = 'VARIANCE'");
    const adjustment_id = await idOf("select adjustment_id as id from inventory_adjustments where status = 'PENDING'");
    await service.admin.ok("POST", "/api/admin/adjustments/review", {
      decisions: [{ adjustment_id, action: "approve" }],
    });
    assert.equal(await endOf(countWorkflowId(differing)), "approved");
  });

  it("are transfer orders: one is picked and approved, one approved", async () => {
    const approver = await service.user({ role: "ADMIN" });
    const approve = async (to_id: number) =>
      approver.ok("POST", `${TRANSFERS}/${to_id}/approvals/${await openApproval(to_id)}/approve`);
    const waiting = await idOf("select to_id as id from transfer_orders where status = 'AWAITING_APPROVAL'");
    const toPick = await idOf("select to_id as id from transfer_orders where status = 'OPEN'");
    for (const to_id of [waiting, toPick]) await started(transferWorkflowId(to_id));
    await approve(waiting);
    const batch_id = await pickTransfer(service.admin, toPick);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await approve(toPick);
    assert.deepEqual(await Promise.all([waiting, toPick].map((to_id) => endOf(transferWorkflowId(to_id)))), [
      "closed",
      "closed",
    ]);
  });

  it("are returns: the rest comes", async () => {
    const [row] = await db.rows<{ so_id: number; item_id: number; warehouse_id: number; bin_id: number }>(
      `select so_id, r.item_id, r.warehouse_id, r.bin_id from sales_orders join item_receipts r using (so_id)
       where order_type = 'return' and status = 'PARTIALLY_RECEIVED'`,
    );
    assert.ok(row);
    const { so_id, ...where } = row;
    await started(returnWorkflowId(so_id));
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/receive-return`, { ...where, quantity: 2 });
    assert.equal(await endOf(returnWorkflowId(so_id)), "received");
  });

  it("are syncs: the other pages are read", async () => {
    const warehouse_id = await idOf("select warehouse_id as id from sync_runs");
    const id = syncWorkflowId({ connector: "list-shop", warehouse_id, sync_type: "items" });
    await started(id);
    assert.equal(await endOf(id), "completed");
    const read = await db.rows<{ external_id: string }>(
      "select external_id from inbound_items where source_system = $1 order by 1",
      [`list-shop-${warehouse_id}`],
    );
    assert.deepEqual(
      pluck(read, "external_id"),
      items.map((item) => item.id),
    );
  });

  it("are deliveries: the event that was refused comes, and those behind it in order", async () => {
    await until(async () => {
      await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
      return sink.received.length >= 5;
    }, 60_000);
    assert.deepEqual(pluck(sink.received.slice(0, 5), "event_id"), [1, 2, 3, 4, 5]);
  });

  it("are pushes: the shop is told of the shipment", async () => {
    const push_id = await idOf("select push_id as id from fulfillment_pushes");
    await until(async () => {
      await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
      const push = await db.row<{ status: string }>("select status from fulfillment_pushes where push_id = $1", [
        push_id,
      ]);
      return push?.status === "pushed";
    }, 60_000);
    assert.ok(await handle(pushWorkflowId(push_id)).describe());
  });

  it("leaves sums that agree", () => assertInvariants());
});
