import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { tellExpiring } from "../../activities/lots/expiring.js";
import { remindOfInspection } from "../../activities/lots/index.js";
import { clearNotifications } from "../../activities/maintenance/webhook-hygiene.js";
import { claimFirst } from "../../activities/outbound/notifications/sender.js";
import { openLocks } from "../../activities/outbound/sending/locks.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { lockName } from "../../src/outbound/sending.js";
import { startMissing } from "../../workers/reconcile.js";
import { breaking } from "../support/breaking.js";
import { db } from "../support/db.js";
import { got, senderEnv } from "../support/deliveries.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { destination, messagesTo, NOTIFICATIONS, openBackorder } from "../support/notifications.js";
import { pluck } from "../support/pluck.js";
import { runAgeing } from "../support/polling.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { refusalOf } from "../support/workflow-environment.js";

const CANCELLED = { event_filter: ["backorder.cancelled"] };

/** All texts of a message. */
const told = ({ body }: Received): string =>
  JSON.parse(body.toString())
    .attachments[0].content.body.map((line: { inlines: { text: string }[] }) =>
      line.inlines.map(({ text }) => text).join(""),
    )
    .join("\n");

describe("notifications", () => {
  let service: TestService;
  let ageing: { stop: () => Promise<void> };
  let warehouse_id: number;
  let sink: Sink;
  before(async () => {
    const env = {
      SERVICE_PANEL_URL: "https://panel.example.com/",
      DISPATCHER_HTTP_READ_TIMEOUT_MS: "2000",
      DISPATCHER_MAX_CONCURRENT_POSTS: "2",
    };
    service = await openService({ worker: true, env: { ...senderEnv, ...env } });
    ageing = runAgeing();
  });
  after(async () => {
    await ageing.stop();
    await service.close();
  });
  beforeEach(async () => {
    warehouse_id = await warehouse();
    sink = await openSink();
  });
  afterEach(async () => {
    await db.run("delete from notification_webhooks");
    await sink.stop();
  });

  /** A destination that is older than the events to come, which are made old. */
  const to = async (fields: object = {}, warehouse = warehouse_id): Promise<{ webhook_id: number }> => {
    const made = await destination(service.admin, warehouse, { url: `${sink.url}/hook`, ...CANCELLED, ...fields });
    await db.run("update notification_webhooks set created_at = created_at - interval '1 minute'");
    return made;
  };
  const statuses = async (webhook_id: number) => (await messagesTo(webhook_id)).map(({ status }) => status);
  const workflowOf = async (webhook_id: number) =>
    temporalClient().workflow.getHandle(`notification-${(await messagesTo(webhook_id))[0]?.notification_id}`);
  const reconcile = () => startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
  const reached = (webhook_id: number, ...wanted: string[]) =>
    until(async () => JSON.stringify(await statuses(webhook_id)) === JSON.stringify(wanted));

  it("tell the destinations of a warehouse what they ask for, in order, as an Adaptive Card with a link", async () => {
    const { webhook_id } = await to();
    const other = await to({ event_filter: ["backorder.opened"] });
    const elsewhere = await to({}, await warehouse());
    const numbers = [];
    for (let n = 0; n < 3; n++) numbers.push(await openBackorder(warehouse_id));
    await reached(webhook_id, "succeeded", "succeeded", "succeeded");
    assert.deepEqual(
      sink.received.map((one) => /Order: (.*)/.exec(told(one))?.[1]),
      numbers,
    );
    const [first] = sink.received;
    const { warehouse_code } = (await db.row<{ warehouse_code: string }>(
      "select warehouse_code from warehouses where warehouse_id = $1",
      [warehouse_id],
    )) ?? { warehouse_code: "" };
    assert.match(
      told(first as Received),
      new RegExp(
        `^Backorder cancelled\nEvent: backorder.cancelled\nOrder: (.*)-BO\nOf order: \\1\nReason: other\n` +
          `Warehouse: ${warehouse_code} `,
      ),
    );
    const { type, attachments } = JSON.parse(`${first?.body}`);
    assert.equal(type, "message");
    assert.equal(attachments[0].contentType, "application/vnd.microsoft.card.adaptive");
    assert.deepEqual(attachments[0].content.actions, [
      { type: "Action.OpenUrl", title: "Open", url: "https://panel.example.com/backorders" },
    ]);
    assert.deepEqual([await statuses(other.webhook_id), await statuses(elsewhere.webhook_id)], [[], []]);
  });

  it("tell of goods near their last day, of those that wait for an inspection, and of recalls", async () => {
    const { webhook_id } = await to({ event_filter: ["stock.expiring", "inspection.due", "recall.opened"] });
    const bin_id = await bin(warehouse_id, { code: "OLD-1" });
    const { item_id, sku } = await item();
    const inventory_id = await stock(warehouse_id, bin_id, item_id, 10, "L-1");
    await db.run("update inventory set expiry_date = current_date + 5 where inventory_id = $1", [inventory_id]);
    await tellExpiring();
    const { inspection_id } = await service.admin.ok("POST", `/api/admin/inventory/${inventory_id}/hold`, {
      ...{ quantity: 4, condition: "QUARANTINE", reason: "seal is broken" },
    });
    await db.run("update inspections set opened_at = now() - interval '25 hours' where inspection_id = $1", [
      inspection_id,
    ]);
    await remindOfInspection(inspection_id, randomUUID());
    const { lots } = await service.admin.ok("GET", `/api/admin/lots?item_id=${item_id}`);
    await service.admin.ok("POST", "/api/admin/recalls", {
      lot_ids: pluck(lots, "lot_id").map(Number),
      reason: "glass",
    });
    await db.run(
      `insert into serials (item_id, serial_number, state, warehouse_id)
       select item_id, 'SN-1', 'IN_STOCK', warehouse_id from inventory where inventory_id = $1`,
      [inventory_id],
    );
    await reached(webhook_id, "succeeded", "succeeded", "succeeded");
    const units = { item_id, serial_numbers: ["SN-1"] };
    await service.admin.ok("POST", "/api/admin/recalls", { ...units, reason: "battery" });
    await reached(webhook_id, "succeeded", "succeeded", "succeeded", "succeeded");
    const texts = sink.received.map((one) => told(one).replace(/\d{4}-\d\d-\d\d( [\d:]+ UTC)?/g, "<time>"));
    assert.deepEqual(
      texts.map((text) => text.replace(/\nWarehouse: .*/s, "").split("\n")),
      [
        [
          ...["Stock is near its last day", "Event: stock.expiring", `Item: ${sku}`, "Lot: L-1", "Bin: OLD-1"],
          ...["Units: 10", "Last day: <time>"],
        ],
        [
          ...["Goods wait for an inspection", "Event: inspection.due", `Item: ${sku}`, "Lot: L-1", "Units: 4"],
          ...["Reason: seal is broken", "To be decided by: <time>"],
        ],
        ["Recall opened", "Event: recall.opened", `Lots: L-1 of ${sku}`, "Reason: glass"],
        ["Recall opened", "Event: recall.opened", `Serials: SN-1 of ${sku}`, "Reason: battery"],
      ],
    );
    const links = sink.received.map(({ body }) => JSON.parse(`${body}`).attachments[0].content.actions[0].url);
    assert.deepEqual(
      links.map((url: string) => url.split("/").at(-1)),
      ["expiring", "inspections", "recalls", "recalls"],
    );
  });

  it("are signed where the destination has a secret", async () => {
    const { webhook_id } = await to({ secret: "a-long-secret" });
    await openBackorder(warehouse_id);
    await reached(webhook_id, "succeeded");
    const { headers, body } = sink.received[0] as Received;
    const signed = createHmac("sha256", "a-long-secret").update(`${headers["x-service-timestamp"]}.`).update(body);
    assert.equal(headers["x-service-signature"], `sha256=${signed.digest("hex")}`);
  });

  it("that fail are tried again by a workflow, and hold up no others", async () => {
    sink.answerNext(500, 200, 503);
    const { webhook_id } = await to();
    await openBackorder(warehouse_id);
    await openBackorder(warehouse_id);
    await reached(webhook_id, "succeeded", "succeeded");
    assert.equal(((await (await workflowOf(webhook_id)).result()) as { ended: string }).ended, "succeeded");
    assert.equal((await messagesTo(webhook_id))[0]?.attempts, 3 - Number(sink.received.length < 4));
  });

  it("stay as they are at a fault of ours, and are sent once it is mended", async () => {
    sink.answerNext(500);
    const { webhook_id } = await to();
    const run = async () => (await workflowOf(webhook_id)).describe();
    const failed = async () => (await run().catch(() => undefined))?.status.name === "FAILED";
    await breaking("notifications", "attempts = 0 or claimed_until is null", async () => {
      await openBackorder(warehouse_id);
      await until(failed);
      assert.match(await refusalOf((await workflowOf(webhook_id)).result()), /has not got message .*"broken"/);
      const { runId } = await run();
      await reconcile();
      await until(async () => (await run()).runId !== runId && (await failed()));
      assert.deepEqual([sink.received.length, await statuses(webhook_id)], [1, ["pending"]]);
    });
    await reconcile();
    await reached(webhook_id, "succeeded");
    assert.equal(sink.received.length, 2);
  });

  it("ask a host for so much at a time, and come all the same", async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await to());
    sink.answerNext("stall", "stall", "stall", "stall");
    await openBackorder(warehouse_id);
    for (const { webhook_id } of made) await reached(webhook_id, "succeeded");
    assert.equal(sink.mostAtOnce, 2);
  });

  it("are given up after the eighth attempt, which the list of workflows shows as failed", async () => {
    sink.usual = 500;
    const { webhook_id } = await to();
    await openBackorder(warehouse_id);
    await reached(webhook_id, "dlq");
    assert.equal(sink.received.length, 8);
    const [row] = await messagesTo(webhook_id);
    assert.deepEqual([row?.attempts, row?.error_kind, row?.http_status], [8, "5xx", 500]);
    await assert.match(`${await refusalOf((await workflowOf(webhook_id)).result())}`, /all 8 attempts failed/);
  });

  it("end as gone where their destination is deleted during an attempt", async () => {
    sink.answerNext(500, "stall");
    const { webhook_id } = await to();
    await openBackorder(warehouse_id);
    await got(sink, 2);
    const workflow = await workflowOf(webhook_id);
    await service.admin.ok("DELETE", `${NOTIFICATIONS}/${webhook_id}`);
    assert.equal(((await workflow.result()) as { ended: string }).ended, "gone");
  });

  it("get their workflow back from their rows", async () => {
    const { webhook_id } = await to();
    const [made] = await db.rows<{ notification_id: number }>(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, attempts)
       values ($1, 'backorder.opened', '{}', now(), 3) returning notification_id`,
      [webhook_id],
    );
    const { started } = await reconcile();
    assert.ok(started.includes(`notification-${made?.notification_id}`));
    await reached(webhook_id, "succeeded");
    assert.equal((await messagesTo(webhook_id))[0]?.attempts, 4);
  });

  it("are tested with a message that is sent once, and the sender is told what came of it", async () => {
    const { webhook_id } = await to({ enabled: false });
    const test = () => service.admin.ok("POST", `${NOTIFICATIONS}/${webhook_id}/test-send`, {});
    const none = { error_kind: null, error_detail: null };
    assert.deepEqual(await test(), { delivered: true, status_code: 200, ...none });
    assert.match(told(sink.received[0] as Received), /^Test message\nEvent: test\nWarehouse: /);
    sink.answerNext(503, 404, { redirect: "https://elsewhere.example.com" });
    const kinds = [];
    for (let n = 0; n < 3; n++) kinds.push((await test()).error_kind);
    assert.deepEqual(kinds, ["5xx", "4xx", "redirected"]);
    assert.deepEqual(await statuses(webhook_id), ["succeeded", "dlq", "dlq", "dlq"]);
    await db.run("update notification_webhooks set url_sealed = 'v1.00000000.AAAA' where webhook_id = $1", [
      webhook_id,
    ]);
    const unreadable = await test();
    assert.deepEqual([unreadable.delivered, unreadable.error_kind], [false, "unknown"]);
    assert.equal(sink.received.length, 4);
  });

  it("are sent by the worker alone that holds their destination, and by another one when that dies", async () => {
    const { webhook_id } = await to();
    const dying = openLocks(service.config.databaseUrl);
    assert.equal((await dying.take([lockName("notification", webhook_id)])).length, 1);
    await openBackorder(warehouse_id);
    await reached(webhook_id, "pending");
    // One that was written later.
    const other = await to();
    await openBackorder(warehouse_id);
    await reached(other.webhook_id, "succeeded");
    assert.deepEqual(await statuses(webhook_id), ["pending", "pending"]);
    await dying.close();
    await reached(webhook_id, "succeeded", "succeeded");
  });

  it("are claimed by one worker at a time, and claimed again when that worker dies", async () => {
    // Nobody sends what is claimed here: the worker of this service does not see it.
    const { webhook_id } = await to();
    await db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, claimed_until)
       select $1, 'backorder.opened', '{}', now(), now() + interval '1 hour' from generate_series(1, 2)`,
      [webhook_id],
    );
    assert.ok(Number(((await claimFirst(webhook_id, 1_000)) as { wait_ms: number }).wait_ms) > 0);
    await db.run("update notifications set claimed_until = now() - interval '1 second' where webhook_id = $1", [
      webhook_id,
    ]);
    await reached(webhook_id, "succeeded", "succeeded");
  });

  it("of a slow destination wait for each other alone", async () => {
    sink.usual = "stall";
    const slow = await to();
    const quick = await openSink();
    const { webhook_id } = await to({ url: quick.url });
    await openBackorder(warehouse_id);
    await got(quick, 1);
    await reached(webhook_id, "succeeded");
    assert.deepEqual(await statuses(slow.webhook_id), ["pending"]);
    await service.admin.ok("DELETE", `${NOTIFICATIONS}/${slow.webhook_id}`);
    await quick.stop();
  });

  it("that ended 90 days ago are deleted", async () => {
    const { webhook_id } = await to();
    await db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, status, completed_at)
       select $1, 'backorder.opened', '{}', now(), 'succeeded', now() - days * interval '1 day'
       from unnest(array[89, 91]) days`,
      [webhook_id],
    );
    assert.equal(await clearNotifications(), 1);
    assert.equal((await messagesTo(webhook_id)).length, 1);
  });
});
