import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { command } from "../../activities/command.js";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { db } from "../support/db.js";
import { emit, got, senderEnv, subscribe } from "../support/deliveries.js";
import { adjusted } from "../support/events.js";
import { warehouse } from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { openSink } from "../support/sink.js";
import { newWebhook, numberedEvent, publicUrl, WEBHOOKS } from "../support/webhooks.js";

describe("the start of a webhook", () => {
  const service = testService({ worker: true, env: senderEnv });
  let warehouse_id: number;
  beforeEach(async () => {
    warehouse_id = await warehouse();
  });

  /** A subscription of the warehouse, which nothing is sent for unless there is a URL. */
  const from = async (start_from?: "now" | "beginning" | number, url?: string) => {
    const { subscription_id } = await subscribe(service.admin, url ?? publicUrl(), {
      subscription_filter: { warehouse_ids: [warehouse_id] },
      ...(start_from !== undefined && { start_from }),
    });
    if (!url) await service.admin.ok("PATCH", `${WEBHOOKS}/${subscription_id}`, { status: "paused" });
    return subscription_id;
  };
  const cursorOf = async (subscription_id: string) =>
    (await service.admin.ok("GET", `${WEBHOOKS}/${subscription_id}`)).last_delivered_event_id;
  const newest = async () =>
    (await db.value<number>("select last_no from sequencer_state where name = 'events'")) as number;
  /** The adjustments that a subscription will send, in order, of all that are committed by now. */
  const comingTo = async (subscription_id: string): Promise<number[]> => {
    await sequenceAll();
    const rows = await db.rows<{ n: number }>(
      `select (event_data(e)->>'quantity_delta')::int as n
       from webhook_subscriptions s join integration_events e on e.event_id > s.scanned_event_id
       where s.subscription_id = $1 and s.scanned_event_id = s.last_delivered_event_id and e.warehouse_id = $2
       order by e.event_id`,
      [subscription_id, warehouse_id],
    );
    return rows.map(({ n }) => n);
  };

  it("is the first event ever, unless something else is asked for", async () => {
    await emit(warehouse_id, 2);
    for (const id of [await from(), await from("beginning")]) {
      assert.equal(await cursorOf(id), 0);
      assert.deepEqual(await comingTo(id), [1, 2]);
    }
  });

  it("now: leaves out what was committed before, though it has no number yet, and no event after", async () => {
    await emit(warehouse_id, 3);
    const id = await from("now");
    assert.equal(await cursorOf(id), await newest());
    await emit(warehouse_id, 2, 4);
    assert.deepEqual(await comingTo(id), [4, 5]);
  });

  it("now: takes what is committed after it, though it was written before", async () => {
    let commit = () => {};
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const late = command("test.emit", systemActor(randomUUID()), {}, async (tx) => {
      await tx.run(
        `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
           warehouse_id, source_txn_id, payload)
         values ('inventoryadjusted.completed', 'inventory', gen_random_uuid(), 'item', 1, $1, gen_random_uuid(),
           '{"quantity_delta": 7}')`,
        [warehouse_id],
      );
      written();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await isWritten;
    await emit(warehouse_id, 1);
    const id = await from("now");
    commit();
    await late;
    await emit(warehouse_id, 1, 8);
    assert.deepEqual(await comingTo(id), [7, 8]);
  });

  it("now: is exact while many commands commit", async () => {
    let begun = false;
    let made = false;
    const before = new Set<number>();
    const after = new Set<number>();
    let next = 1;
    const write = async () => {
      for (let more = 5; more > 0; ) {
        const n = next++;
        const isAfter = made;
        const by = systemActor(randomUUID());
        await command("test.emit", by, {}, async (tx) => tx.emit(adjusted(warehouse_id, n)));
        if (!begun) before.add(n);
        if (!isAfter) continue;
        after.add(n);
        more--;
      }
    };
    const create = async () => {
      while (before.size < 30) await new Promise((resolve) => setImmediate(resolve));
      begun = true;
      const id = await from("now");
      made = true;
      return id;
    };
    const [id] = await Promise.all([create(), ...Array.from({ length: 6 }, write)]);
    const coming = await comingTo(id);
    for (const n of coming) assert.ok(!before.has(n), `${n} was committed before`);
    for (const n of after) assert.ok(coming.includes(n), `${n} was committed after`);
  });

  it("is the event that is named, also where the filter is changed before anything was sent", async () => {
    const sink = await openSink();
    await numberedEvent({ warehouse_id });
    const first = await numberedEvent({ warehouse_id });
    const second = await numberedEvent({ warehouse_id });
    const id = await from(first, sink.url);
    const narrower = { subscription_filter: { warehouse_ids: [warehouse_id], event_types: ["ship.confirmed"] } };
    await service.admin.ok("PATCH", `${WEBHOOKS}/${id}`, narrower);
    await got(sink, 2);
    const sent = sink.received.map(({ event_id }) => event_id);
    assert.deepEqual(sent, [first, second]);
    await service.admin.ok("DELETE", `${WEBHOOKS}/${id}`);
    await sink.stop();
  });

  it("is in the audit log, and nothing that an edit takes", async () => {
    const mark = await auditMark();
    const id = await from("now");
    const [row] = await auditSince(mark);
    const { start_from, last_delivered_event_id } = (row?.details ?? {}) as Record<string, unknown>;
    assert.deepEqual([start_from, last_delivered_event_id], ["now", await cursorOf(id)]);
    assert.equal((await service.admin.patch(`${WEBHOOKS}/${id}`, { start_from: "beginning" })).status, 400);
  });

  it("is refused beyond the newest event, where an event was lost, and where it is none at all", async () => {
    const made = async (start_from: unknown) => service.admin.post(WEBHOOKS, await newWebhook({ start_from }));
    await numberedEvent();
    const last = await newest();
    const refused = await made(last + 1);
    assert.deepEqual([refused.status, refused.body.error], [400, "cursor_beyond_horizon"]);
    assert.deepEqual(
      [refused.body.resume_after, refused.body.detail],
      [last, `The newest event is ${last}, below ${last + 1}`],
    );
    for (const wrong of [0, -1, 1.5, "", "later", "0", null, {}, true]) {
      const { status, body } = await made(wrong);
      assert.deepEqual([status, body.error, body.details?.[0].loc], [400, "validation_error", ["start_from"]]);
    }
    assert.equal((await made(last)).status, 201);
    await db.run("select start_stream_epoch()");
    const lost = await made(last + 1);
    assert.deepEqual([lost.status, lost.body.error], [400, "cursor_beyond_horizon"]);
    assert.match(lost.body.detail, /lost in a restore/);
    assert.equal((await made("now")).status, 201);
  });
});
