import assert from "node:assert/strict";
import { runSequencer } from "../../workers/sequencer.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { emit, senderEnv, subscribe } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { ACK, age, consumerGroup, EVENTS, happened, newest, page, partner, poll } from "../support/polling.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { SNAPSHOT } from "../support/snapshots.js";
import { until } from "../support/until.js";

/** The database as a backup gives it back: without what happened since. */
async function backUp() {
  const last = await newest();
  return async () => {
    await db.run("delete from integration_events where event_id > $1", [last]);
    await db.run("update sequencer_state set last_no = $1 where name = 'events'", [last]);
    const started = await db.row<{ epoch: string; begins_after: number; survived_to: number }>(
      "select * from start_stream_epoch()",
    );
    // Sessions end with a restore: those of this file are as if they had begun after it.
    await db.run("update stream_epochs set started_at = started_at - interval '1 hour'");
    return started;
  };
}

describe("the stream of events, when the database was restored", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let warehouse_id: number;
  let reader: Caller;
  let sink: Sink;
  before(async () => {
    service = await openService({ worker: true, env: senderEnv });
    sequencer = runSequencer();
    warehouse_id = await fixtures.warehouse();
    await consumerGroup("erp");
    reader = await partner(service, [warehouse_id]);
    sink = await openSink();
  });
  after(async () => {
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sequencer.stop();
    await service.close();
    await sink.stop();
  });

  const event = async () => (await happened(["ship.confirmed", warehouse_id]))[0] as number;
  const epochNow = async () => (await reader.ok("GET", EVENTS)).epoch as string;

  it("tells a poller that it has seen events which are lost, and where to go on", async () => {
    const kept = await event();
    const [known, restore] = [await epochNow(), await backUp()];
    const lost = await event();
    assert.deepEqual(await page(reader, { after: kept }), [lost]);

    const started = await restore();
    assert.notEqual(started?.epoch, known);
    const { status, body } = await poll(reader, { after: lost });
    assert.deepEqual(
      [status, body.error, body.resume_after, body.epoch],
      [400, "cursor_beyond_horizon", kept, started?.epoch],
    );
    const next = await event();
    assert.ok(next > lost, "no number is given again");
    assert.deepEqual(await page(reader, { after: kept }), [next]);
    assert.equal((await poll(reader, { after: lost })).status, 400);
    const { events, epoch } = await reader.ok("GET", `${EVENTS}?after=${kept}`);
    assert.deepEqual([events[0].epoch, epoch], [started?.epoch, started?.epoch]);
    const [before] = (await reader.ok("GET", `${EVENTS}?after=${kept - 1}`)).events;
    assert.equal(before.epoch, known);
  });

  it("tells whoever sends the epoch, also where nothing that was seen is lost", async () => {
    const kept = await event();
    const [known, restore] = [await epochNow(), await backUp()];
    assert.equal((await poll(reader, { after: kept, epoch: known })).status, 200);
    const { epoch } = (await restore()) as { epoch: string };
    const { status, body } = await poll(reader, { after: kept, epoch: known });
    assert.deepEqual([status, body.error, body.epoch, body.resume_after], [409, "stream_epoch_changed", epoch, kept]);
    assert.equal((await poll(reader, { after: kept, epoch })).status, 200);
    assert.equal((await poll(reader, { epoch: "nonsense" })).status, 400);
  });

  it("tells consumer groups, which stand where they stood", async () => {
    const group = await consumerGroup("erp");
    const kept = await event();
    const acknowledge = (cursor: number, more: object = {}) =>
      reader.post(ACK, { consumer_group: group, cursor, ...more });
    const { epoch: known } = (await acknowledge(kept)).body;
    const restore = await backUp();
    const lost = await event();
    const { epoch } = (await restore()) as { epoch: string };
    assert.equal((await acknowledge(lost)).body.resume_after, kept);
    assert.equal((await acknowledge(kept, { epoch: known })).body.error, "stream_epoch_changed");
    const byGet = await reader.get(`${ACK}?consumer_group=${group}&cursor=${kept}&epoch=${known}`);
    assert.deepEqual([byGet.status, byGet.body.error], [409, "stream_epoch_changed"]);
    const next = await event();
    assert.deepEqual(await page(reader, { consumer_group: group }), [next]);
    assert.deepEqual((await acknowledge(next)).body, { consumer_group: group, last_cursor: next, epoch });
  });

  it("refuses a place that no event has yet", async () => {
    const { status, body } = await poll(reader, { after: (await newest()) + 1 });
    assert.deepEqual([status, body.error], [400, "cursor_beyond_horizon"]);
    assert.deepEqual(await page(reader, { after: await newest() }), []);
  });

  it("delivers no number twice to a webhook, whose next event has the new epoch", async () => {
    await subscribe(service.admin, `${sink.url}/hook`, { subscription_filter: { warehouse_ids: [warehouse_id] } });
    /** Emits an event, and waits until the webhook has it. */
    const delivered = async () => {
      await emit(warehouse_id);
      await age();
      const last = await newest();
      await until(() => sink.received.some(({ event_id }) => event_id === last));
      return last;
    };
    await delivered();
    const restore = await backUp();
    const lost = await delivered();
    const { epoch } = (await restore()) as { epoch: string };
    const next = await delivered();
    assert.ok(next > lost);
    const { body } = sink.received.at(-1) ?? {};
    assert.equal(JSON.parse(String(body)).epoch, epoch);
  });

  it("is named by snapshots, and sends channels all items above the versions that they have", async () => {
    const { item_id, sku } = await fixtures.item();
    await service.admin.ok("POST", "/api/admin/channels", {
      ...{ channel_id: "web", display_name: "Web", delivery_url: `${sink.url}/channel` },
      sku_scope: {},
    });
    await db.run(
      `insert into channel_items (channel_id, item_id, sku, available, version, in_scope)
       values ('web', $1, $2, 3, 7, true) on conflict do nothing`,
      [item_id, sku],
    );
    const { epoch, begins_after } = (await (await backUp())()) as { epoch: string; begins_after: number };
    const row = await db.row<{ version: number }>("select version from channel_items where item_id = $1", [item_id]);
    assert.ok((row?.version ?? 0) >= begins_after);
    const snapshot = await reader.ok("GET", `${SNAPSHOT}?warehouse_id=${warehouse_id}`);
    assert.equal(snapshot.epoch, epoch);
    assert.ok(snapshot.snapshot_event_id >= begins_after);
    assert.equal((await poll(reader, { after: snapshot.snapshot_event_id })).status, 200);
    const audited = await db.row("select from audit_log where details->>'epoch' = $1", [epoch]);
    assert.ok(audited);
  });

  it("gives no number twice when the same backup is restored again", async () => {
    const last = await newest();
    const restore = await backUp();
    await restore();
    const first = await event();
    await db.run("delete from stream_epochs where begins_after > $1", [last]);
    await restore();
    assert.ok((await event()) > first);
    assert.equal((await poll(reader, { after: first })).status, 400);
  });
});
