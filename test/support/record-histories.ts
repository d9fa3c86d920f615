import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import proto from "@temporalio/proto";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { connectorQueue } from "../../src/connectors/task-queue.js";
import { version } from "../../src/platform/config/config.js";
import { transaction } from "../../src/platform/db/db.js";
import { maintenanceQueue } from "../../src/platform/temporal/maintenance.js";
import { startMissing } from "../../workers/reconcile.js";
import { runSequencer } from "../../workers/sequencer.js";
import { APPROVALS, agentOf } from "./agents.js";
import { breaking } from "./breaking.js";
import type { Caller } from "./caller.js";
import { CARRIERS, COLLECTIONS, shipByRows } from "./carrier-requests.js";
import {
  accountWith,
  LABELS,
  type LocalCarrier,
  labelIn,
  labelOf,
  openCarrier,
  PARCELS,
  parcelTo,
} from "./carriers.js";
import { db } from "./db.js";
import { emit, got, rowsOf, senderEnv, subscribe } from "./deliveries.js";
import { bin, item, salesOrder, shippedOrder, stock, warehouse } from "./fixtures.js";
import { ListShop, loadListShop } from "./list-shop.js";
import { destination, messagesTo, openBackorder } from "./notifications.js";
import { openRawPrinter, PRINTER_ENV } from "./printers.js";
import { PRINT_JOBS, PRINTERS, printerBody } from "./printing-requests.js";
import { loadTestConnectors, retriedPush } from "./push-rows.js";
import { faced } from "./replenishments.js";
import { LONG_HISTORY } from "./servers.js";
import { openService, type TestService } from "./service.js";
import { openSink, type Sink } from "./sink.js";
import { newTransfer, openApproval, pickTransfer, type TwoHouses, twoHouses } from "./transfer-walks.js";
import { TRANSFERS } from "./transfers.js";
import { until } from "./until.js";
import { actor } from "./walk.js";
import { runBySchedule, runOf } from "./wave-runs.js";
import { connector } from "./webhooks.js";
import { detailsOf } from "./workflow-environment.js";

/** Without what tells of the machine it was recorded on. */
function anonymous<T>(recorded: T): T {
  if (recorded === null || typeof recorded !== "object" || recorded instanceof Uint8Array) return recorded;
  const told = recorded as Record<string, unknown>;
  for (const [key, value] of Object.entries(told)) {
    const ofThisMachine = key === "stackTrace" || (typeof value === "string" && /^\d+@/.test(value));
    told[key] = ofThisMachine ? "" : anonymous(value);
  }
  return recorded;
}

/** Those of earlier releases stay as they are. */
const FOLDER = `test/histories/${version}`;

/**
 * `npm run record:histories`: runs each kind of process to each of its ends and keeps what the engine wrote, for
 * test/system/histories.test.ts. `-- -g <name>` records only those.
 */
describe("recording histories", () => {
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  let goods: { item_id: number; sku: string };
  let houses: TwoHouses;
  let approver: Caller;
  const sinks: Sink[] = [];
  let sequencer: { stop: () => Promise<void> };
  before(async () => {
    // The last attempt comes late enough for one to be cancelled that waits.
    const env = {
      ...senderEnv,
      DISPATCHER_RETRY_DELAYS_MS: "100,100,100,100,100,100,2000",
      CONNECTOR_RETRY_DELAY_MS: "1000",
      SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
      CONNECTOR_BACKOFF_MS: "1",
      ...PRINTER_ENV,
    };
    service = await openService({ worker: true, env });
    // What a short pick leaves on the books is promised again at once: all waves here are of the same goods.
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "false" } });
    await loadTestConnectors();
    await loadListShop();
    sequencer = runSequencer();
    warehouse_id = await warehouse();
    goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 100);
    picker = await service.user({ warehouse_ids: [warehouse_id] });
    houses = await twoHouses();
    approver = await service.user({ role: "ADMIN" });
  });
  after(async () => {
    await sequencer.stop();
    await service.close();
    for (const sink of sinks) await sink.stop();
  });

  const post = (path: string, body: object) => picker.ok("POST", `/api/picking/${path}`, body);
  async function start(quantity = 5) {
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity }]);
    return picker.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
  }
  async function keep(end: string, workflowId: string, runId?: string) {
    const handle = temporalClient().workflow.getHandle(workflowId, runId, { followRuns: false });
    // Refused, dead-lettered, cancelled and continued workflows have no result.
    await handle.result().catch(() => {});
    const history = proto.temporal.api.history.v1.History.encode(anonymous(await handle.fetchHistory())).finish();
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}/${end}.history`, history);
  }
  const idOf = (answer: { headers: Headers }) => answer.headers.get("x-service-workflow-id") as string;

  /** Counts of two bins, of which the first was submitted with so many units. */
  async function counted(units: number) {
    const bin_ids = [await bin(warehouse_id), await bin(warehouse_id)];
    await stock(warehouse_id, bin_ids[0] as number, goods.item_id, 5);
    const path = "/api/inventory/cycle-count";
    const { counts } = await picker.ok("POST", `${path}/create`, { warehouse_id, bin_ids });
    const { count_id } = counts[0];
    const { lines } = await picker.ok("GET", `${path}/${count_id}`);
    await picker.ok("POST", `${path}/submit`, {
      count_id,
      lines: [{ count_line_id: lines[0].count_line_id, counted_quantity: units }],
    });
    return `cycle-count-${count_id}`;
  }
  async function decided(decision: "approve" | "reject") {
    const id = await counted(3);
    await temporalClient()
      .workflow.getHandle(id)
      .executeUpdate(decision, { args: [actor(service.admin)] });
    return id;
  }

  it("pick-wave-completed", async () => {
    const wave = await start();
    const { batch_id, first_pick } = wave.body;
    await post("confirm", { pick_task_id: first_pick.pick_task_id, scanned_barcode: goods.sku, quantity_picked: 5 });
    await post("complete-batch", { batch_id });
    await keep("pick-wave-completed", idOf(wave));
  });

  it("pick-wave-cancelled", async () => {
    const wave = await start();
    await post("short", { pick_task_id: wave.body.first_pick.pick_task_id, quantity_available: 2 });
    await post("cancel-batch", { batch_id: wave.body.batch_id });
    await keep("pick-wave-cancelled", idOf(wave));
  });

  it("pick-wave-superseded", async () => {
    const wave = await start();
    const later = await start();
    await keep("pick-wave-superseded", idOf(wave));
    await post("cancel-batch", { batch_id: later.body.batch_id });
  });

  it("pick-wave-idle", async () => {
    const setting = (batch_idle_release_hours: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours } });
    await setting("0.0003");
    const wave = await start();
    await keep("pick-wave-idle", idOf(wave));
    await setting("12");
  });

  it("pick-wave-refused", async () => {
    const refused = await start(1000);
    await keep("pick-wave-refused", idOf(refused));
  });

  const cancelled = (batch_id: number) => post("cancel-batch", { batch_id });
  const handleOf = (id: string) => temporalClient().workflow.getHandle(id);

  /** Signals a workflow until its history is long and it goes on in a new one; gives the run that ended so. */
  async function continued(id: string, signal: string, ...args: unknown[]) {
    const { runId } = await handleOf(id).describe();
    await until(async () => {
      for (let sent = 0; sent < 20; sent++) await handleOf(id).signal(signal, ...args);
      return (await handleOf(id).describe()).runId !== runId;
    }, 60_000);
    return runId;
  }

  it("webhook-delivery-succeeded", async () => {
    const { path, delivery } = await delivered(2);
    await keep("webhook-delivery-succeeded", delivery);
    await service.admin.ok("DELETE", path);
  });

  it("webhook-delivery-dlq", async () => {
    const { path, delivery } = await delivered(8, 8);
    await keep("webhook-delivery-dlq", delivery);
    await service.admin.ok("DELETE", path);
  });

  it("webhook-delivery-cancelled-in-ui", async () => {
    const { path, delivery } = await delivered(8, 7);
    await cancelledInUi(delivery);
    await keep("webhook-delivery-cancelled-in-ui", delivery);
    await service.admin.ok("DELETE", path);
  });

  it("pick-wave-resumed", async () => {
    const wave = await start();
    await handleOf(idOf(wave)).terminate("lost");
    await cancelled(wave.body.batch_id);
    await keep("pick-wave-resumed", idOf(wave));
  });

  it("pick-wave-continued", async () => {
    const wave = await start();
    const handle = handleOf(idOf(wave));
    const { runId } = await handle.describe();
    for (let sent = 0; sent < LONG_HISTORY; sent++) await handle.signal("scanned", []);
    await until(async () => (await handle.describe()).runId !== runId);
    await cancelled(wave.body.batch_id);
    await keep("pick-wave-continued", idOf(wave), runId);
  });

  it("pick-wave-attributed", async () => {
    const wave = await start();
    await cancelled(wave.body.batch_id);
    await keep("pick-wave-attributed", idOf(wave));
  });

  it("pick-wave-renewed", async () => {
    const wave = await start();
    await continued(idOf(wave), "scanned", []);
    await cancelled(wave.body.batch_id);
    await keep("pick-wave-renewed", idOf(wave));
  });

  it("pick-wave-repeated", async () => {
    const keyed = picker.with({ "idempotency-key": randomUUID() });
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
    const create = () => keyed.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const { batch_id } = await create();
    await create();
    const last = await db.row<{ id: number }>("select last_value as id from pick_batches_batch_id_seq");
    await keep("pick-wave-repeated", `pick-wave-${last?.id}`);
    await cancelled(batch_id);
  });

  it("pick-wave-waited", async () => {
    const wave = await start();
    const { batch_id } = wave.body;
    const keyed = picker.with({ "idempotency-key": randomUUID() });
    await transaction(async (tx) => {
      await tx.run("select from pick_batches where batch_id = $1 for update", [batch_id]);
      await keyed.post("/api/picking/cancel-batch", { batch_id });
    });
    await keep("pick-wave-waited", idOf(wave));
  });

  it("cycle-count-refused", async () => {
    const refused = await picker.post("/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [2 ** 31 - 1] });
    await keep("cycle-count-refused", idOf(refused));
  });

  it("cycle-count-repeated", async () => {
    const keyed = picker.with({ "idempotency-key": randomUUID() });
    const bin_ids = [await bin(warehouse_id)];
    const create = () => keyed.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id, bin_ids });
    await create();
    await create();
    const last = await db.row<{ id: number }>("select last_value as id from cycle_counts_count_id_seq");
    await keep("cycle-count-repeated", `cycle-count-${last?.id}`);
  });

  it("cycle-count-resumed", async () => {
    const id = await counted(3);
    await handleOf(id).terminate("lost");
    const args = [Number(id.replace("cycle-count-", "")), actor(service.admin)];
    const again = await temporalClient().workflow.start("cycleCount", { workflowId: id, taskQueue, args });
    await again.executeUpdate("reject", { args: [actor(service.admin)] });
    await keep("cycle-count-resumed", id);
  });

  async function cancelledInUi(workflowId: string) {
    const handle = temporalClient().workflow.getHandle(workflowId);
    await handle.cancel();
    await handle.result().catch(() => {});
  }

  it("pick-wave-cancelled-in-ui", async () => {
    const id = idOf(await start());
    await cancelledInUi(id);
    await keep("pick-wave-cancelled-in-ui", id);
  });

  it("cycle-count-cancelled-in-ui", async () => {
    const id = await counted(3);
    await cancelledInUi(id);
    await keep("cycle-count-cancelled-in-ui", id);
  });

  it("cycle-count-no-variance", async () => {
    await keep("cycle-count-no-variance", await counted(5));
  });

  it("cycle-count-approved", async () => {
    await keep("cycle-count-approved", await decided("approve"));
  });

  it("cycle-count-rejected", async () => {
    await keep("cycle-count-rejected", await decided("reject"));
  });

  const ORDERS = "/api/admin/sales-orders";
  /** A return of three units, and what receives some of them. */
  async function returned(by: Caller = service.admin) {
    const { item_id } = goods;
    const { so_id } = await shippedOrder(warehouse_id, [{ item_id, quantity: 500 }]);
    const create = (quantity = 3) => by.post(`${ORDERS}/${so_id}/create-rma`, { lines: [{ item_id, quantity }] });
    const made = await create();
    const path = `${ORDERS}/${made.body.so_id}`;
    const bin_id = await bin(warehouse_id);
    const receive = (quantity: number) =>
      service.admin.ok("POST", `${path}/receive-return`, { item_id, quantity, warehouse_id, bin_id });
    return { id: idOf(made), so_id: made.body.so_id as number, path, create, receive };
  }

  it("rma-received", async () => {
    const { id, receive } = await returned();
    for (const part of [1, 2]) await receive(part);
    await keep("rma-received", id);
  });

  it("rma-voided", async () => {
    const { id, path } = await returned();
    await service.admin.ok("POST", `${path}/void-return`);
    await keep("rma-voided", id);
  });

  it("rma-refused", async () => {
    const { create } = await returned();
    await keep("rma-refused", idOf(await create(1_000)));
  });

  it("rma-repeated", async () => {
    const { create } = await returned(service.admin.with({ "idempotency-key": randomUUID() }));
    await create();
    const last = await db.row<{ id: number }>("select last_value as id from sales_orders_so_id_seq");
    await keep("rma-repeated", `rma-${last?.id}`);
  });

  it("rma-resumed", async () => {
    const { id, receive } = await returned();
    await receive(1);
    await handleOf(id).terminate("lost");
    await receive(2);
    await keep("rma-resumed", id);
  });

  it("rma-continued", async () => {
    const { id, create } = await returned();
    const { body } = await create(400);
    await handleOf(id).cancel();
    const long = `rma-${body.so_id}`;
    const { runId } = await handleOf(long).describe();
    const receipt = { item_id: goods.item_id, quantity: 1, warehouse_id, bin_id: await bin(warehouse_id) };
    for (;;) {
      await service.admin.ok("POST", `${ORDERS}/${body.so_id}/receive-return`, receipt);
      if ((await handleOf(long).describe()).runId !== runId) break;
    }
    await keep("rma-continued", long, runId);
  });

  it("rma-cancelled-in-ui", async () => {
    const { id } = await returned();
    await cancelledInUi(id);
    await keep("rma-cancelled-in-ui", id);
  });

  it("rma-stayed", async () => {
    const { id, receive } = await returned();
    await receive(1);
    await handleOf(id).cancel();
    await until(async () => /and refused/.test(await detailsOf(handleOf(id))));
    await receive(2);
    await keep("rma-stayed", id);
  });

  /** An inspection of three units that runs, and what decides about some of them. */
  async function inspected() {
    const row = await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 3);
    const hold = { condition: "QUARANTINE", reason: "complaint" };
    const { inspection_id } = await service.admin.ok("POST", `/api/admin/inventory/${row}/hold`, hold);
    const id = `inspection-${inspection_id}`;
    const decide = (decision: string, quantity?: number) =>
      service.admin.ok("POST", `/api/admin/inspections/${inspection_id}/decide`, {
        decision,
        quantity,
        reason: "seen",
      });
    await decide("release", 1);
    return { id, decide };
  }

  it("inspection-closed", async () => {
    const { id, decide } = await inspected();
    await decide("damage", 1);
    await decide("return_to_supplier");
    await keep("inspection-closed", id);
  });

  it("inspection-resumed", async () => {
    const { id, decide } = await inspected();
    await handleOf(id).terminate("lost");
    await decide("hold");
    await keep("inspection-resumed", id);
  });

  it("inspection-stayed", async () => {
    const { id, decide } = await inspected();
    await handleOf(id).cancel();
    await until(async () => /and refused/.test(await detailsOf(handleOf(id))));
    await decide("release");
    await keep("inspection-stayed", id);
  });

  /** What an agent asks for, and how it ends. */
  async function askedByAgent(call: object = { operation: "createVendor", body: { vendor_name: randomUUID() } }) {
    const agent = await agentOf(await service.user({ page_keys: ["vendors"] }));
    const { approval_id } = await agent.ok("write_operation", { ...call });
    await agent.close();
    const path = `${APPROVALS}/${approval_id}`;
    const { external_id } = await service.admin.ok("GET", path);
    const decide = (how: string) => service.admin.ok("POST", `${path}/${how}`, { reason: "seen" });
    return { id: `approval-${external_id}`, decide };
  }

  for (const [end, how] of [
    ["completed", "approve"],
    ["rejected", "reject"],
  ] as const)
    it(`approval-${end}`, async () => {
      const { id, decide } = await askedByAgent();
      await decide(how);
      await keep(`approval-${end}`, id);
    });

  it("approval-failed", async () => {
    const vendors = "/api/admin/vendors";
    const { canonical_id } = await service.admin.ok("POST", vendors, { vendor_name: randomUUID() });
    const { id, decide } = await askedByAgent({ operation: "deleteVendor", path: { canonical_id } });
    await service.admin.ok("DELETE", `${vendors}/${canonical_id}`);
    await decide("approve");
    await keep("approval-failed", id);
  });

  it("approval-expired", async () => {
    const hours = (agent_approval_hours: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { agent_approval_hours } });
    await hours("0.0002");
    await keep("approval-expired", (await askedByAgent()).id);
    await hours("24");
  });

  it("approval-cancelled-in-ui", async () => {
    const { id } = await askedByAgent();
    await handleOf(id).cancel();
    await keep("approval-cancelled-in-ui", id);
  });

  it("approval-resumed", async () => {
    const { id, decide } = await askedByAgent();
    await handleOf(id).terminate("lost");
    await decide("approve");
    await keep("approval-resumed", id);
  });

  /** A sandbox that somebody has begun, and that has its stock. */
  async function begunSandbox(by: Caller = service.admin, connector_id?: string) {
    const body = { connector_id: connector_id ?? (await connector()), pace_seconds: 3600 };
    const { sandbox } = await by.ok("POST", "/api/admin/sandboxes", body);
    const path = `/api/admin/sandboxes/${sandbox.sandbox_id}`;
    await until(async () => (await service.admin.ok("GET", path)).state === "MOVING", 60_000);
    return { ...sandbox, path, id: `sandbox-${sandbox.sandbox_id}` };
  }
  const nextSandbox = async () =>
    `sandbox-${(await db.value<number>("select last_value::int from sandboxes_sandbox_id_seq")) as number}`;

  it("sandbox-stopped", async () => {
    const { id, path } = await begunSandbox();
    await service.admin.ok("POST", `${path}/step`, { scenario: "return" });
    await service.admin.ok("PUT", path, { pace_seconds: 1800 });
    await service.admin.ok("DELETE", path);
    await keep("sandbox-stopped", id);
  });

  it("sandbox-expired", async () => {
    const { id, sandbox_id } = await begunSandbox();
    await db.run("update sandboxes set used_at = now() - interval '1 year' where sandbox_id = $1", [sandbox_id]);
    await handleOf(id).signal("changed");
    await keep("sandbox-expired", id);
  });

  it("sandbox-cancelled-in-ui", async () => {
    const { id } = await begunSandbox();
    await handleOf(id).cancel();
    await keep("sandbox-cancelled-in-ui", id);
  });

  it("sandbox-resumed", async () => {
    const { id, path } = await begunSandbox();
    await handleOf(id).terminate("lost");
    await service.admin.ok("DELETE", path);
    await keep("sandbox-resumed", id);
  });

  it("sandbox-refused", async () => {
    const { connector_id } = await begunSandbox();
    await service.admin.post("/api/admin/sandboxes", { connector_id });
    await keep("sandbox-refused", await nextSandbox());
  });

  it("sandbox-repeated", async () => {
    const connector_id = await connector();
    const keyed = service.admin.with({ "idempotency-key": connector_id });
    await begunSandbox(keyed, connector_id);
    await begunSandbox(keyed, connector_id);
    await keep("sandbox-repeated", await nextSandbox());
  });

  const RECALLS = "/api/admin/recalls";
  /** A lot of three units in a bin of its own. */
  async function newLot(): Promise<number> {
    const { item_id } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 3, "L-7");
    return (await db.value<number>("select lot_id from lots where item_id = $1", [item_id])) as number;
  }
  /** A recall of a lot that runs, once its bin is to be counted. */
  async function recalled() {
    const opened = await service.admin.post(RECALLS, { lot_ids: [await newLot()], reason: "glass" });
    const path = `${RECALLS}/${opened.body.recall_id}`;
    const place = async () => (await service.admin.ok("GET", path)).places[0];
    await until(async () => (await place()).count_id !== null);
    const { inventory_id } = await place();
    const destroy = (quantity?: number) =>
      service.admin.ok("POST", `${path}/destroy`, { inventory_id, quantity, reason: "burnt" });
    return { id: idOf(opened), destroy, close: (body = {}) => service.admin.ok("POST", `${path}/close`, body) };
  }

  it("recall-closed", async () => {
    const { id, destroy, close } = await recalled();
    await destroy(1);
    await destroy();
    await close();
    await keep("recall-closed", id);
  });

  it("recall-cancelled-in-ui", async () => {
    const { id, destroy } = await recalled();
    await destroy();
    await handleOf(id).cancel();
    await keep("recall-cancelled-in-ui", id);
  });

  it("recall-stayed", async () => {
    const { id, close } = await recalled();
    await handleOf(id).cancel();
    await until(async () => /and refused/.test(await detailsOf(handleOf(id))));
    await close({ force: true, reason: "the rest is lost" });
    await keep("recall-stayed", id);
  });

  it("recall-resumed", async () => {
    const { id, destroy, close } = await recalled();
    await destroy(1);
    await handleOf(id).terminate("lost");
    await destroy();
    await close();
    await keep("recall-resumed", id);
  });

  it("recall-refused", async () => {
    await keep("recall-refused", idOf(await service.admin.post(RECALLS, { lot_ids: [2 ** 30], reason: "glass" })));
  });

  it("recall-repeated", async () => {
    const lot_ids = [await newLot()];
    const caller = service.admin.with({ "idempotency-key": randomUUID() });
    for (const _ of [1, 2]) await caller.ok("POST", RECALLS, { lot_ids, reason: "glass" });
    const last = await db.row<{ id: number }>("select last_value as id from recalls_recall_id_seq");
    await keep("recall-repeated", `recall-${last?.id}`);
  });

  /** A transfer order of the admin's, and its workflow's id. */
  async function transfer() {
    const answer = await service.admin.post(TRANSFERS, newTransfer(houses));
    return { id: idOf(answer), to_id: answer.body.to_id as number };
  }
  async function submitted() {
    const made = await transfer();
    const batch_id = await pickTransfer(service.admin, made.to_id);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    return { ...made, batch_id };
  }
  const decide = async (to_id: number, decision: "approve" | "reject") =>
    approver.ok("POST", `${TRANSFERS}/${to_id}/approvals/${await openApproval(to_id)}/${decision}`);
  const end = (to_id: number) => service.admin.ok("POST", `${TRANSFERS}/${to_id}/cancel`);

  it("transfer-order-closed and the wave of it", async () => {
    const { id, to_id, batch_id } = await submitted();
    await decide(to_id, "reject");
    await service.admin.ok("POST", `/api/admin/picker/transfer-orders/${to_id}/submit`);
    await decide(to_id, "approve");
    await keep("transfer-order-closed", id);
    await keep("pick-wave-of-transfer", `pick-wave-${batch_id}`);
  });

  it("transfer-order-cancelled and the wave that it released", async () => {
    const { id, to_id } = await transfer();
    const { batch_id } = await service.admin.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
    await end(to_id);
    await keep("transfer-order-cancelled", id);
    await keep("pick-wave-released", `pick-wave-${batch_id}`);
  });

  it("transfer-order-deleted", async () => {
    const { id, to_id } = await transfer();
    await service.admin.delete(`${TRANSFERS}/${to_id}`);
    await keep("transfer-order-deleted", id);
  });

  it("transfer-order-refused", async () => {
    const refused = await service.admin.post(TRANSFERS, {
      ...newTransfer(houses),
      lines: [{ item_id: 2 ** 30, quantity: 1 }],
    });
    await keep("transfer-order-refused", idOf(refused));
  });

  it("transfer-order-repeated", async () => {
    const keyed = service.admin.with({ "idempotency-key": randomUUID() });
    const { to_id } = await keyed.ok("POST", TRANSFERS, newTransfer(houses));
    await keyed.ok("POST", TRANSFERS, newTransfer(houses));
    const last = await db.row<{ id: number }>("select last_value as id from transfer_orders_to_id_seq");
    await keep("transfer-order-repeated", `transfer-order-${last?.id}`);
    await end(to_id);
  });

  it("transfer-order-resumed", async () => {
    const { id, to_id } = await submitted();
    await handleOf(id).terminate("lost");
    await decide(to_id, "approve");
    await keep("transfer-order-resumed", id);
  });

  it("transfer-order-continued", async () => {
    const { id, to_id } = await transfer();
    const handle = handleOf(id);
    const { runId } = await handle.describe();
    for (let sent = 0; sent < LONG_HISTORY; sent += 40)
      await Promise.all(Array.from({ length: 40 }, () => handle.signal("changed")));
    await until(async () => (await handle.describe()).runId !== runId);
    await end(to_id);
    await keep("transfer-order-continued", id, runId);
  });

  it("transfer-order-attributed", async () => {
    const { id, to_id } = await submitted();
    await decide(to_id, "approve");
    await keep("transfer-order-attributed", id);
  });

  it("transfer-order-renewed", async () => {
    const { id, to_id } = await transfer();
    await continued(id, "changed");
    await end(to_id);
    await keep("transfer-order-renewed", id);
  });

  it("transfer-order-reminded and cancelled-in-ui", async () => {
    const hours = (transfer_approval_reminder_hours: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { transfer_approval_reminder_hours } });
    await hours("0.0003");
    const { id } = await submitted();
    await until(
      async () => (await db.row("select from audit_log where action_type = 'TO_APPROVAL_REMINDER'")) !== undefined,
    );
    await hours("24");
    await cancelledInUi(id);
    await keep("transfer-order-cancelled-in-ui", id);
  });

  it("transfer-order-not-cancelled", async () => {
    const { id, to_id } = await transfer();
    const { batch_id } = await service.admin.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
    const { pick_task_id, sku } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}/next`);
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: 2 };
    await service.admin.ok("POST", "/api/picking/confirm", scan);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await decide(to_id, "approve");
    await handleOf(id).cancel();
    const { lines } = await service.admin.ok("GET", `${TRANSFERS}/${to_id}`);
    await until(async () => /not possible any more/.test(await detailsOf(handleOf(id))));
    await service.admin.ok("POST", `${TRANSFERS}/${to_id}/lines/${lines[0].to_line_id}/short-close`);
    await keep("transfer-order-not-cancelled", id);
  });

  /** A webhook whose first event fails so often, and that was tried so often. */
  async function delivered(failures: number, tries = failures + 1) {
    const sink = await openSink();
    sinks.push(sink);
    sink.answerNext(...Array(failures).fill(500));
    const { subscription_id } = await subscribe(service.admin, sink.url, {
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
    await db.run(
      `update webhook_subscriptions set last_delivered_event_id = last_no, scanned_event_id = last_no
       from sequencer_state where name = 'events' and subscription_id = $1`,
      [subscription_id],
    );
    await emit(warehouse_id);
    await got(sink, tries);
    const path = `/api/admin/webhooks/${subscription_id}`;
    const [first] = await rowsOf(subscription_id);
    return { subscription_id, path, delivery: `webhook-delivery-${first?.delivery_id}` };
  }

  const isThere = (id: string) =>
    until(() =>
      handleOf(id)
        .describe()
        .then(Boolean, () => false),
    );
  const reconcile = () => startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
  /** A workflow that is lost, and is started again from its row, which was changed meanwhile. */
  async function resumed(id: string, change: () => Promise<unknown>) {
    const lost = await handleOf(id).describe();
    await handleOf(id).terminate("lost");
    await change();
    await until(async () => {
      await reconcile();
      return (await handleOf(id).describe()).runId !== lost.runId;
    });
  }

  /** A delivery whose last attempt is due when it is made so. */
  async function almostGivenUp() {
    const made = await delivered(7, 7);
    const due = (when: string) =>
      db.run(
        `update webhook_deliveries set scheduled_at = ${when}
         where subscription_id = $1 and attempt_number = 8 and status = 'pending'`,
        [made.subscription_id],
      );
    await until(async () => (await due("now() + interval '1 hour'")) > 0);
    return { ...made, due };
  }

  it("webhook-delivery-continued", async () => {
    const { path, delivery, due } = await almostGivenUp();
    await keep("webhook-delivery-continued", delivery, await continued(delivery, "changed"));
    await due("now()");
    await handleOf(delivery).signal("changed");
    await handleOf(delivery).result();
    await service.admin.ok("DELETE", path);
  });

  it("webhook-delivery-resumed", async () => {
    const { path, delivery, due } = await almostGivenUp();
    await resumed(delivery, () => due("now()"));
    await keep("webhook-delivery-resumed", delivery);
    await service.admin.ok("DELETE", path);
  });

  it("webhook-delivery-failed", async () => {
    const { path, delivery, subscription_id } = await almostGivenUp();
    await db.run(
      `delete from integration_events
       where event_id = (select max(event_id) from webhook_deliveries where subscription_id = $1)`,
      [subscription_id],
    );
    await handleOf(delivery).signal("changed");
    await keep("webhook-delivery-failed", delivery);
    await service.admin.ok("DELETE", path);
  });

  it("webhook-delivery-fault", async () => {
    await breaking("webhook_deliveries", "status <> 'in_flight' or attempt_number = 1", async () => {
      const { path, delivery } = await delivered(8, 1);
      await isThere(delivery);
      await keep("webhook-delivery-fault", delivery);
      await service.admin.ok("DELETE", path);
    });
  });

  /** A message whose first attempts fail so often, and that was tried so often. */
  async function told(failures: number, tries = failures + 1) {
    const sink = await openSink();
    sinks.push(sink);
    sink.answerNext(...Array(failures).fill(500));
    const { webhook_id } = await destination(service.admin, warehouse_id, {
      ...{ url: sink.url, event_filter: ["backorder.cancelled"] },
    });
    await openBackorder(warehouse_id);
    await got(sink, tries);
    const [message] = await messagesTo(webhook_id);
    const workflowId = `notification-${message?.notification_id}`;
    await isThere(workflowId);
    return { path: `/api/admin/notification-webhooks/${webhook_id}`, webhook_id, workflowId };
  }

  /** A message whose last attempt is due when it is made so. */
  async function almostSilent() {
    const made = await told(7, 7);
    const due = (when: string) =>
      db.run(`update notifications set due_at = ${when} where webhook_id = $1 and attempts = 7`, [made.webhook_id]);
    await until(async () => (await due("now() + interval '1 hour'")) > 0);
    return { ...made, due };
  }

  it("notification-continued", async () => {
    const { path, workflowId, due } = await almostSilent();
    await keep("notification-continued", workflowId, await continued(workflowId, "destinationChanged"));
    await due("now()");
    await handleOf(workflowId).signal("destinationChanged");
    await handleOf(workflowId).result();
    await service.admin.ok("DELETE", path);
  });

  it("notification-resumed", async () => {
    const { path, workflowId, due } = await almostSilent();
    await resumed(workflowId, () => due("now()"));
    await keep("notification-resumed", workflowId);
    await service.admin.ok("DELETE", path);
  });

  it("notification-fault", async () => {
    await breaking("notifications", "attempts = 0 or claimed_until is null", async () => {
      const { path, workflowId } = await told(8, 1);
      await keep("notification-fault", workflowId);
      await service.admin.ok("DELETE", path);
    });
  });

  it("notification-delivered", async () => {
    const { path, workflowId } = await told(2);
    await keep("notification-delivered", workflowId);
    await service.admin.ok("DELETE", path);
  });

  it("notification-dead-lettered", async () => {
    const { path, workflowId } = await told(8, 8);
    await keep("notification-dead-lettered", workflowId);
    await service.admin.ok("DELETE", path);
  });

  it("notification-cancelled-in-ui", async () => {
    const { path, workflowId } = await told(8, 7);
    await cancelledInUi(workflowId);
    await keep("notification-cancelled-in-ui", workflowId);
    await service.admin.ok("DELETE", path);
  });

  it("notification-stopped", async () => {
    const { path, workflowId } = await told(8, 7);
    await service.admin.ok("PATCH", path, { enabled: false });
    await keep("notification-stopped", workflowId);
    await service.admin.ok("DELETE", path);
  });

  const pushTo = (connector: string, columns?: string) => retriedPush(service, warehouse_id, connector, columns);
  const waits = (id: string) => until(async () => /waits/.test(await detailsOf(handleOf(id))));

  it("fulfillment-push-pushed", async () => {
    const { id, set } = await pushTo("gone");
    await waits(id);
    await set("connector_name = 'one-way-shop'");
    await keep("fulfillment-push-pushed", id);
  });

  it("fulfillment-push-failed", async () => {
    await keep("fulfillment-push-failed", (await pushTo("gone")).id);
  });

  it("fulfillment-push-skipped", async () => {
    await keep("fulfillment-push-skipped", (await pushTo("one-way-shop", "kind = 'void'")).id);
  });

  it("fulfillment-push-cancelled-in-ui", async () => {
    const { id } = await pushTo("gone");
    await waits(id);
    await cancelledInUi(id);
    await keep("fulfillment-push-cancelled-in-ui", id);
  });

  it("fulfillment-push-resumed", async () => {
    const { id, set } = await pushTo("gone");
    await waits(id);
    await resumed(id, () => set("connector_name = 'one-way-shop', started_at = now()"));
    await keep("fulfillment-push-resumed", id);
  });

  it("fulfillment-push-fault", async () => {
    await breaking("fulfillment_pushes", "attempts <= 3", async () => {
      await keep("fulfillment-push-fault", (await pushTo("gone")).id);
    });
  });

  /** The workflow of a test page for a printer at this address. */
  async function printOn(address: string) {
    const body = printerBody(warehouse_id, { kind: "raw9100", address, api_key: undefined });
    const { printer_id } = await service.admin.ok("POST", PRINTERS, body);
    const { job_id } = await service.admin.ok("POST", `${PRINTERS}/${printer_id}/test`);
    return { job_id, id: `print-job-${job_id}` };
  }
  const triedOnce = (job_id: number) =>
    until(async () => (await db.value("select attempts from print_jobs where job_id = $1", [job_id])) === 1);

  it("print-job-printed and one that failed", async () => {
    const printer = await openRawPrinter();
    await keep("print-job-printed", (await printOn(printer.address)).id);
    printer.behaviour = "resets";
    await keep("print-job-failed", (await printOn(printer.address)).id);
    await printer.close();
  });

  it("print-job-stopped", async () => {
    const { id, job_id } = await printOn("127.0.0.1:1");
    await triedOnce(job_id);
    await service.admin.ok("POST", `${PRINT_JOBS}/${job_id}/cancel`);
    await keep("print-job-stopped", id);
  });

  it("print-job-cancelled-in-ui", async () => {
    const { id, job_id } = await printOn("127.0.0.1:1");
    await triedOnce(job_id);
    await handleOf(id).cancel();
    await keep("print-job-cancelled-in-ui", id);
  });

  /** The workflow of the label of a new parcel. */
  async function labelWith(carrier: LocalCarrier, body = {}) {
    const { parcel_id } = await parcelTo(warehouse_id);
    const { purchase_id } = await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, body);
    return { parcel_id, purchase_id, id: `label-purchase-${parcel_id}`, carrier };
  }

  it("label-purchase-…, by how it ends", async () => {
    const carrier = await openCarrier();
    const account_id = await accountWith(service.admin, warehouse_id, carrier);
    const bought = await labelWith(carrier);
    await keep("label-purchase-bought", bought.id);
    await service.admin.ok("POST", `${LABELS}/${bought.purchase_id}/void`);
    await labelIn(service.admin, bought.parcel_id, "voided");
    await keep("label-purchase-voided", bought.id);
    await keep("label-purchase-failed", (await labelWith(carrier, { service: "Balloon" })).id);
    for (const end of ["stopped", "cancelled-in-ui", "resumed"]) {
      await carrier.fault({ status: 500, path: "/v2/", times: 99 });
      const { id, purchase_id, parcel_id } = await labelWith(carrier);
      await until(async () => (await labelOf(service.admin, parcel_id)).attempts > 0);
      if (end === "stopped") await service.admin.ok("POST", `${LABELS}/${purchase_id}/void`);
      else if (end === "cancelled-in-ui") await handleOf(id).cancel();
      else {
        await handleOf(id).terminate("lost");
        await carrier.mended();
        await startMissing(temporalClient(), service.config);
      }
      await keep(`label-purchase-${end}`, id);
      await carrier.mended();
    }
    await service.admin.ok("PUT", `${CARRIERS}/${account_id}`, { is_active: false });
    await carrier.close();
  });

  it("carrier-collection-…, by how it ends", async () => {
    const carrier = await openCarrier();
    const fields = { collection_at: "23:59", scan_out: true };
    const account_id = await accountWith(service.admin, warehouse_id, carrier, fields);
    /** The newest collection of the account, with a label, and its workflow. */
    const begun = async () => {
      const { parcel_id } = await labelWith(carrier, { account_id });
      await labelIn(service.admin, parcel_id, "bought");
      const sql = "select max(collection_id) from carrier_collections where account_id = $1";
      const collection_id = (await db.value<number>(sql, [account_id])) as number;
      await startMissing(temporalClient(), service.config);
      return { parcel_id, path: `${COLLECTIONS}/${collection_id}`, id: `carrier-collection-${collection_id}` };
    };
    const collected = await begun();
    await service.admin.ok("POST", `${collected.path}/close`);
    await shipByRows(collected.parcel_id);
    await service.admin.ok("POST", `${collected.path}/scan`, { scanned_barcode: `PCL-${collected.parcel_id}` });
    await service.admin.ok("POST", `${collected.path}/hand-over`, {});
    await keep("carrier-collection-collected", collected.id);
    const failed = await begun();
    await carrier.fault({ status: 422, path: "/v2/scan_forms" });
    await service.admin.ok("POST", `${failed.path}/close`);
    await keep("carrier-collection-failed", failed.id);
    const cancelled = await begun();
    await until(async () => /cut-off/.test(await detailsOf(handleOf(cancelled.id))));
    await handleOf(cancelled.id).cancel();
    await keep("carrier-collection-cancelled-in-ui", cancelled.id);
    await db.run("update label_purchases set collection_id = null where account_id = $1", [account_id]);
    await db.run("update carrier_collections set cut_off_at = now() where account_id = $1 and status = 'open'", [
      account_id,
    ]);
    await startMissing(temporalClient(), service.config);
    await keep("carrier-collection-stopped", cancelled.id);
    await service.admin.ok("PUT", `${CARRIERS}/${account_id}`, { is_active: false });
    await carrier.close();
  });

  /** The run of a template of waves, as its schedule starts it. */
  async function released(cut_off_minutes: number | null, then?: object) {
    const path = "/api/admin/wave-templates";
    const template = { warehouse_id, template_name: "Parcels", times: ["03:00"], cut_off_minutes };
    const { template_id } = await service.admin.ok("POST", path, template);
    if (then) await service.admin.ok("PUT", `${path}/${template_id}`, then);
    const id = await runBySchedule(template_id);
    return { id, remove: () => service.admin.ok("DELETE", `${path}/${template_id}`) };
  }
  const waitsForCutOff = (id: string) => until(async () => /its cut-off/.test(await detailsOf(handleOf(id))));

  /** The replenishment of a warehouse with one pick face, of which there is nothing to carry any more. */
  async function replenished() {
    const house = await warehouse();
    const { item_id, face } = await faced({ warehouse_id: house, by: service.admin }, { units: 3, max: 3, min: 1 });
    const id = `replenishment-${house}`;
    const isRunning = async () =>
      (
        await handleOf(id)
          .describe()
          .catch(() => undefined)
      )?.status.name === "RUNNING";
    const start = () =>
      until(async () => {
        await reconcile();
        return isRunning();
      });
    await start();
    const told = (text: RegExp) => until(async () => text.test(await detailsOf(handleOf(id))));
    await told(/1 task\(s\) open/);
    const { replenishment_id } = await service.admin.ok("POST", "/api/replenishment/take", { warehouse_id: house });
    await service.admin.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 3 });
    await told(/0 task\(s\) open/);
    const leave = async () => {
      const limits = { min_units: null, max_units: null, case_units: null };
      await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
      await handleOf(id).signal("changed");
    };
    return { id, start, told, leave };
  }

  it("replenishment-completed", async () => {
    const { id, leave } = await replenished();
    await leave();
    await keep("replenishment-completed", id);
  });

  it("replenishment-stayed", async () => {
    const { id, told, leave } = await replenished();
    await handleOf(id).cancel();
    await told(/and refused/);
    await leave();
    await keep("replenishment-stayed", id);
  });

  it("replenishment-resumed", async () => {
    const { id, start, told, leave } = await replenished();
    await handleOf(id).terminate("lost");
    await start();
    await told(/0 task\(s\) open/);
    await leave();
    await keep("replenishment-resumed", id);
  });

  it("wave-release-completed", async () => {
    const { id, remove } = await released(null);
    await keep("wave-release-completed", id);
    await remove();
  });

  it("wave-release-cut-off", async () => {
    const { id, remove } = await released(1);
    await keep("wave-release-cut-off", id);
    await remove();
  }).timeout(120_000);

  it("wave-release-cancelled-in-ui", async () => {
    const { id, remove } = await released(60);
    await waitsForCutOff(id);
    await cancelledInUi(id);
    await keep("wave-release-cancelled-in-ui", id);
    await remove();
  });

  it("wave-release-skipped", async () => {
    const { id, remove } = await released(60, { is_active: false });
    await keep("wave-release-skipped", id);
    await remove();
  });

  it("count-programme-completed and one that was skipped", async () => {
    const house = await warehouse();
    await stock(house, await bin(house), goods.item_id, 5);
    const path = "/api/admin/count-programmes";
    const programme = { warehouse_id: house, per_day: 1, start_time: "03:00" };
    const { programme_id } = await service.admin.ok("POST", path, programme);
    await keep("count-programme-completed", await runOf(`count-programme-${programme_id}`));
    await service.admin.ok("PUT", `${path}/${programme_id}`, { is_active: false });
    await keep("count-programme-skipped", await runOf(`count-programme-${programme_id}`));
    await service.admin.ok("DELETE", `${path}/${programme_id}`);
  });

  /** A sync that was asked for of a shop that answers when it is released. */
  async function heldSync() {
    const shop = await ListShop.open(service);
    const release = shop.hold();
    await shop.start();
    await until(() => shop.server.requests.length > 0);
    return { shop, release, id: shop.handle().workflowId };
  }

  it("connector-sync-completed", async () => {
    const { shop, release, id } = await heldSync();
    release();
    await keep("connector-sync-completed", id);
    await shop.close();
  });

  it("connector-sync-continued", async () => {
    const shop = await ListShop.open(service, LONG_HISTORY);
    const release = shop.hold();
    await shop.start();
    const { runId } = await shop.handle().describe();
    release();
    await shop.ended();
    await keep("connector-sync-continued", shop.handle().workflowId, runId);
    await shop.close();
  });

  it("connector-sync-failed", async () => {
    const shop = await ListShop.open(service);
    shop.server.usual = () => ({ status: 500 });
    await shop.start();
    await keep("connector-sync-failed", shop.handle().workflowId);
    await shop.close();
  });

  it("connector-sync-cancelled-in-ui", async () => {
    const { shop, release, id } = await heldSync();
    await cancelledInUi(id);
    await keep("connector-sync-cancelled-in-ui", id);
    release();
    await shop.close();
  });

  it("connector-sync-superseded", async () => {
    const { shop, release, id } = await heldSync();
    const { warehouse_id } = shop;
    await service.admin.ok("POST", "/api/admin/connectors/list-shop/sync-reset", { warehouse_id });
    await keep("connector-sync-superseded", id);
    release();
    await shop.close();
  });

  it("connector-sync-refused", async () => {
    const { shop, release, id } = await heldSync();
    const args = [{ ...shop.key("items"), begun: "schedule", retry_delay_ms: 1 }];
    const second = { workflowId: `${id}-scheduled`, taskQueue: connectorQueue(taskQueue), args };
    await temporalClient().workflow.start("connectorSync", second);
    await keep("connector-sync-refused", second.workflowId);
    release();
    await shop.close();
  });

  it("connector-sync-resumed", async () => {
    const { shop, release, id } = await heldSync();
    await handleOf(id).terminate("lost");
    release();
    await until(async () => {
      await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: false });
      return (await shop.state()).sync_status === "idle";
    });
    await keep("connector-sync-resumed", id);
    await shop.close();
  });

  /** Starts a job of maintenance out of turn. */
  async function runJob(job: string) {
    const { workflowId } = await temporalClient().workflow.start("maintenance", {
      ...{ workflowId: `maintenance-${job}-${randomUUID()}`, taskQueue: maintenanceQueue(taskQueue), args: [job] },
      workflowExecutionTimeout: "30 minutes",
    });
    return workflowId;
  }

  it("maintenance-completed", async () => {
    await keep("maintenance-completed", await runJob("purge"));
  });

  it("maintenance-failed", async () => {
    await breaking("hygiene_runs", "false", async () => {
      await keep("maintenance-failed", await runJob("snapshot-cleanup"));
    });
  });

  it("maintenance-refused", async () => {
    await keep("maintenance-refused", await runJob("sweep"));
  });

  it("maintenance-cancelled-in-ui", async () => {
    const id = await transaction(async (tx) => {
      await tx.run("lock table hygiene_runs");
      const started = await runJob("snapshot-cleanup");
      await until(async () => /under way/.test(await detailsOf(handleOf(started))));
      await handleOf(started).cancel();
      return started;
    });
    await keep("maintenance-cancelled-in-ui", id);
  });

  it("webhook-delivery-paused", async () => {
    const { path, delivery } = await delivered(8, 1);
    await isThere(delivery);
    await service.admin.ok("PATCH", path, { status: "paused" });
    await keep("webhook-delivery-paused", delivery);
    await service.admin.ok("DELETE", path);
  });
});
