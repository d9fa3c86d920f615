import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { clearSecrets } from "../../activities/maintenance/webhook-hygiene.js";
import type { RunningSenders } from "../../activities/outbound/engine.js";
import { channelReceivers } from "../../activities/outbound/receivers.js";
import { channelFloor } from "../support/channel-floor.js";
import { type ChannelSink, openChannelSink } from "../support/channel-sink.js";
import { CHANNELS, channel as newChannel } from "../support/channels.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

type Item = Awaited<ReturnType<typeof fixtures.item>>;

describe("the senders of channels", () => {
  let service: TestService;
  let sink: ChannelSink;
  let warehouse_id: number;
  let bin_id: number;
  let category: string;
  const floor = channelFloor(() => openService({ env: senderEnv }));
  const { start, stop } = floor;
  beforeEach(async () => {
    ({ service, sink, warehouse_id } = floor.at());
    bin_id = await fixtures.bin(warehouse_id);
    category = randomUUID();
  });

  /** Items of this test, with units in its bin. */
  async function items(count: number, units = 5) {
    const made = await Promise.all(Array.from({ length: count }, () => fixtures.item()));
    await db.run("update items set category = $2 where item_id = any($1)", [made.map((i) => i.item_id), category]);
    for (const { item_id } of made) await fixtures.stock(warehouse_id, bin_id, item_id, units);
    return made;
  }
  const setStock = (item_id: number, units: number) =>
    db.run("update inventory set quantity_on_hand = $2 where item_id = $1", [item_id, units]);
  /** A channel of this test's items. */
  const publish = async (fields: object = {}): Promise<string> =>
    (await floor.publish({ sku_scope: { categories: [category] }, ...fields })).channel_id;
  const patch = (id: string, fields: object) => service.admin.ok("PATCH", `${CHANNELS}/${id}`, fields);
  const record = async (id: string) =>
    (await service.admin.ok("GET", CHANNELS)).channels.find((c: { channel_id: string }) => c.channel_id === id);
  const dlq = async (id: string) => (await service.admin.ok("GET", `${CHANNELS}/${id}/dlq`)).parked;
  const told = (sku: string, available: number) => until(() => sink.latest().get(sku)?.available === available);
  /** Until everything is marked, and sent or parked. */
  const settled = (id: string) =>
    until(async () => {
      const changes = await db.row<{ n: number }>("select count(*) as n from availability_changes");
      const row = await db.row<{ at: number | null }>("select whole_after as at from channels where channel_id = $1", [
        id,
      ]);
      return changes?.n === 0 && row?.at === null && (await record(id)).dirty_count === 0;
    }, 30_000);
  /** Until what has changed is marked. */
  const marked = () => until(async () => !(await db.row("select from availability_changes limit 1")));

  it("tell the whole availability first, then what changes", async () => {
    const [a, b] = (await items(2)) as [Item, Item];
    const id = await publish();
    start();
    await told(a.sku, 5);
    await told(b.sku, 5);
    await setStock(a.item_id, 7);
    await told(a.sku, 7);
    assert.deepEqual(sink.latest().get(a.sku), { sku: a.sku, available: 7, version: 2 });
    assert.deepEqual(sink.latest().get(b.sku), { sku: b.sku, available: 5, version: 1 });
    await settled(id);
    const { item_count, dirty_count, dlq_count, failures, last_published_at } = await record(id);
    assert.deepEqual([item_count, dirty_count, dlq_count, failures], [2, 0, 0, 0]);
    assert.ok(last_published_at);
  });

  it("sign what they send, as to webhooks", async () => {
    await items(1);
    const { channel_id, secret } = await newChannel(service.admin, {
      ...{ delivery_url: sink.url, sku_scope: { categories: [category] }, debounce_seconds: 0 },
    });
    start();
    await until(() => sink.received.length === 1);
    const [first] = sink.received;
    assert.ok(first && sink.verifies(first, secret));
    const { secret: second } = await service.admin.ok("POST", `${CHANNELS}/${channel_id}/rotate-secret`, {});
    await items(1);
    await until(() => sink.received.length === 2);
    const next = sink.received[1];
    assert.ok(next && sink.verifies(next, second) && sink.verifies(next, secret));
    assert.equal(next.headers["x-service-event-type"], "channel.availability");
    await db.run("update channel_secrets set expires_at = now() where channel_id = $1 and generation = 2", [
      channel_id,
    ]);
    await clearSecrets(channelReceivers);
    await items(1);
    await until(() => sink.received.length === 3);
    const last = sink.received[2];
    assert.ok(last && sink.verifies(last, second) && !sink.verifies(last, secret));
    assert.equal(JSON.parse(next.body.toString()).channel_id, channel_id);
    assert.match(`${next.headers["webhook-id"]}`, /^avl_[0-9a-f]{32}$/);
  });

  it("send to a new address, and what is available by then, when the host could not take it before", async () => {
    const [item] = (await items(1)) as [Item];
    sink.answerNext("stall");
    start({ dispatcherMaxConcurrentPosts: 1, dispatcherHttpReadTimeoutMs: 2_000 });
    await publish();
    await until(() => sink.received.length === 1);
    const other = await openChannelSink();
    try {
      const waits = await publish({ delivery_url: `${sink.url}/waits` });
      await until(async () => (await record(waits)).dirty_count === 1);
      await setStock(item.item_id, 3);
      await marked();
      await patch(waits, { delivery_url: other.url });
      await until(() => other.received.length === 1);
      assert.equal(other.latest().get(item.sku)?.available, 3);
      assert.ok(sink.received.every(({ path }) => path !== "/waits"));
    } finally {
      await other.stop();
    }
  });

  it("leave at once, when they are stopped, where they wait for a host", async () => {
    await items(1);
    sink.answerNext("stall");
    const senders = start({ dispatcherMaxConcurrentPosts: 1, dispatcherHttpReadTimeoutMs: 2_000 });
    await publish();
    await until(() => sink.received.length === 1);
    const waits = await publish();
    await until(async () => (await record(waits)).dirty_count === 1);
    await stop(senders);
    assert.equal(sink.received.length, 1);
  });

  it("write items as the channel wants them", async () => {
    const [item] = (await items(1)) as [Item];
    const id = await publish({
      transform: { rename: { sku: "code", available: "qty" }, constants: { site: "EU", on: true } },
    });
    start();
    await until(() => sink.received.length === 1);
    assert.equal(
      `${sink.received[0]?.body}`,
      `{"channel_id":"${id}","items":[{"code":"${item.sku}","on":true,"qty":5,"site":"EU","version":1}]}`,
    );
  });

  it("send so many items at once, those that wait longest first", async () => {
    const made = await items(7);
    const id = await publish({ batch_size: 3 });
    start();
    await settled(id);
    assert.deepEqual(pluck(sink.batches(), "length"), [3, 3, 1]);
    assert.deepEqual(
      sink.batches().flatMap((batch) => batch.map(({ sku }) => sku)),
      made.sort((x, y) => x.item_id - y.item_id).map(({ sku }) => sku),
    );
    assert.equal(sink.mostAtOnce, 1);
  });

  it("send what changes within the debounce together, as it is at its end", async () => {
    const [item] = (await items(1)) as [Item];
    const id = await publish();
    start();
    await settled(id);
    await patch(id, { debounce_seconds: 3_600 });
    for (const units of [6, 7, 8]) {
      await setStock(item.item_id, units);
      await marked();
    }
    assert.equal((await record(id)).dirty_count, 1);
    assert.equal(sink.received.length, 1);
    // A shorter one holds for what waits, too.
    await patch(id, { debounce_seconds: 0 });
    await told(item.sku, 8);
    assert.equal(sink.received.length, 2);
    assert.equal(sink.latest().get(item.sku)?.version, 4);
  });

  it("send at most so many requests a second", async () => {
    await items(30);
    const id = await publish({ batch_size: 1, rate_limit_per_second: 10 });
    start();
    await settled(id);
    const times = sink.received.map(({ at }) => at);
    // Ten at once at the beginning; then one every tenth of a second.
    assert.ok((times.at(-1) as number) - (times[0] as number) > 1_800);
  });

  it("send again what failed, with what it is by then", async () => {
    const [item] = (await items(1)) as [Item];
    sink.answerNext(500, "reset", { redirect: "http://127.0.0.1:1/" });
    const id = await publish();
    start();
    await until(() => sink.received.length >= 1);
    await setStock(item.item_id, 9);
    await told(item.sku, 9);
    await settled(id);
    sink.assertVersionsRise();
    const { failures, retry_at, last_error, status } = await record(id);
    assert.deepEqual([failures, retry_at, last_error, status], [0, null, null, "active"]);
  });

  it("show in the list when they try again, and why", async () => {
    await items(1);
    sink.usual = 503;
    const id = await publish();
    start({ dispatcherRetryDelaysMs: Array(7).fill(3_600_000) });
    await until(async () => (await record(id)).failures === 1);
    const { retry_at, last_error, dirty_count } = await record(id);
    assert.ok(Date.parse(retry_at) > Date.now());
    assert.equal(last_error, "5xx: HTTP status 503");
    assert.equal(dirty_count, 1);
  });

  it("send nothing to an address that is not public, wherever the name leads by now", async () => {
    await items(1);
    const id = await publish();
    start({ allowInternalWebhooks: false });
    await until(async () => (await record(id)).failures > 0);
    assert.match((await record(id)).last_error, /^ssrf_rejected: /);
    assert.equal(sink.received.length, 0);
  });

  it("park an item that was not taken eight times, and try it anew when it changes", async () => {
    const [item] = (await items(1)) as [Item];
    sink.usual = 422;
    const id = await publish();
    start();
    await until(async () => (await dlq(id)).length === 1, 30_000);
    assert.equal(sink.received.length, 8);
    assert.deepEqual(await dlq(id), [
      { item_id: item.item_id, sku: item.sku, available_qty: 5, attempt_count: 8, last_error: "4xx: HTTP status 422" },
    ]);
    assert.equal((await record(id)).status, "active");
    sink.usual = 200;
    await setStock(item.item_id, 4);
    await told(item.sku, 4);
    await settled(id);
    assert.deepEqual(await dlq(id), []);
  });

  it("find out which item a channel does not take, and give it the others", async () => {
    const made = await items(20);
    const bad = made[7] as Item;
    sink.usual = ({ body }) => (body.includes(`"${bad.sku}"`) ? 422 : 200);
    const id = await publish();
    start();
    await until(async () => (await dlq(id)).length === 1, 30_000);
    assert.equal((await dlq(id))[0].sku, bad.sku);
    await settled(id);
    const took = new Set(
      sink
        .batches()
        .filter((batch) => batch.every(({ sku }) => sku !== bad.sku))
        .flatMap((batch) => batch.map(({ sku }) => sku)),
    );
    assert.equal(took.size, 19);
  });

  it("pause a channel that is failing when too many items wait", async () => {
    const mark = await auditMark();
    await items(120, 1);
    sink.usual = 500;
    const id = await publish({ pending_ceiling: 100 });
    start();
    await until(async () => (await record(id)).status === "paused");
    assert.equal((await record(id)).pause_reason, "pending_ceiling");
    const audit = (await auditSince(mark)).find(({ action_type }) => action_type === "CHANNEL_AUTO_PAUSE");
    assert.deepEqual(audit?.details, { channel_id: id, display_name: "Web shop", pause_reason: "pending_ceiling" });
    // What happens meanwhile is in the whole that follows.
    sink.usual = 200;
    const [more] = (await items(1, 3)) as [Item];
    await marked();
    await patch(id, { status: "active", pending_ceiling: 1_000 });
    await told(more.sku, 3);
    await settled(id);
    assert.equal(sink.latest().size, 121);
    sink.assertVersionsRise();
  });

  it("do not pause a channel that takes what it is told, however much that is", async () => {
    await items(120, 1);
    const id = await publish({ pending_ceiling: 100, batch_size: 10 });
    start();
    await settled(id);
    assert.equal((await record(id)).status, "active");
  });

  it("pause a channel with too many dead letters", async () => {
    await items(12);
    sink.usual = 400;
    const id = await publish({ dlq_ceiling: 10 });
    start();
    await until(async () => (await record(id)).status === "paused", 30_000);
    const { pause_reason, dlq_count } = await record(id);
    assert.equal(pause_reason, "dlq_ceiling");
    assert.ok(dlq_count >= 10);
    sink.usual = 200;
    await patch(id, { status: "active" });
    await settled(id);
    assert.deepEqual(await dlq(id), []);
    assert.equal(sink.latest().size, 12);
  });

  for (const column of ["sku_scope", "transform"])
    it(`pause a channel whose stored ${column} is malformed`, async () => {
      await items(1);
      const id = await publish();
      await db.run(`update channels set ${column} = '{"nonsense": 1}' where channel_id = $1`, [id]);
      start();
      await until(async () => (await record(id)).status === "paused");
      assert.equal((await record(id)).pause_reason, "malformed_config");
      assert.equal(sink.received.length, 0);
      await patch(id, { [column]: column === "transform" ? {} : { categories: [category] }, status: "active" });
      await until(() => sink.received.length === 1);
    });

  it("tell a paused channel nothing, and everything once it is resumed, in versions that rise", async () => {
    const [a, b] = (await items(2)) as [Item, Item];
    const id = await publish();
    start();
    await settled(id);
    await patch(id, { status: "paused" });
    const before = sink.received.length;
    await setStock(a.item_id, 1);
    await marked();
    assert.equal(sink.received.length, before);
    await patch(id, { status: "active" });
    await told(a.sku, 1);
    await until(() => sink.latest().get(b.sku)?.version === 2);
    sink.assertVersionsRise();
  });

  it("send nothing where they are switched off, and lose nothing", async () => {
    const [item] = (await items(1)) as [Item];
    const id = await publish();
    const off = start({ dispatcherEnabled: false });
    await until(async () => (await record(id)).dirty_count === 1);
    await stop(off);
    assert.equal(sink.received.length, 0);
    start();
    await told(item.sku, 5);
  });

  it("go on, in order, as channels pass from worker to worker", async () => {
    const made = await items(10);
    const id = await publish({ batch_size: 3 });
    const senders = [start(), start()];
    for (let round = 1; round <= 4; round++) {
      for (const { item_id } of made) await setStock(item_id, 100 * round + 5);
      await until(() => sink.latest().get(made[0]?.sku ?? "")?.available === 100 * round + 5);
      senders.push(start());
      await stop(senders.shift() as RunningSenders);
    }
    await settled(id);
    for (const { sku } of made) assert.equal(sink.latest().get(sku)?.available, 405);
    sink.assertVersionsRise();
    assert.equal(sink.mostAtOnce, 1);
  });

  it("take up again when the connection that holds their locks is lost", async () => {
    const [item] = (await items(1)) as [Item];
    const id = await publish();
    start();
    await settled(id);
    await db.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name in ('warehouse webhook locks', 'warehouse channel_news')
         and datname = current_database()`,
    );
    await setStock(item.item_id, 2);
    await told(item.sku, 2);
  });
});
