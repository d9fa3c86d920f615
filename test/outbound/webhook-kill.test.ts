import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { MAX_CLAIM } from "../../activities/outbound/webhooks/sending/sender.js";
import { connect, db, disconnect } from "../../src/db/db.js";
import { sharesOfWorkers } from "../../src/outbound/webhooks/queries.js";
import { emit, rowsOf, type Subscribed, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { openSink, type Sink } from "../support/sink.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each part is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const PARTNERS = 3;
/** How long Temporal stays away; `npm run test:long` asks for more. */
const OUTAGE_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 5) * 1_000;
/** A partner's server fails so many of its requests. */
const FAILURES = 0.03;
const ARRIVED_WITHIN_MS = 120_000;
const MOST_BEHIND = 300;

interface Partner {
  warehouse_id: number;
  sink: Sink;
  subscription: Subscribed;
  emitted: number;
}

describe("webhooks, as everything is killed under load", function () {
  this.timeout(360_000 + OUTAGE_MS + ROUNDS * 150_000);
  let stack: Stack;
  const partners: Partner[] = [];
  before(async () => {
    stack = await openStack({
      ...senderEnv,
      DISPATCHER_RETRY_DELAYS_MS: "200,400,800,1600,3000,3000,3000",
    });
    connect(stack.databaseUrl, 8);
    for (let i = 0; i < PARTNERS; i++) {
      const warehouse_id = await warehouse();
      const sink = await openSink();
      sink.usual = () => (Math.random() < FAILURES ? 500 : 200);
      const subscription = await subscribe(stack.admin, sink.url, {
        subscription_filter: { warehouse_ids: [warehouse_id] },
      });
      partners.push({ warehouse_id, sink, subscription, emitted: 0 });
    }
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    for (const { sink } of partners) await sink.stop();
  });

  const everyPartner = <T>(work: (partner: Partner) => Promise<T>) => Promise.all(partners.map(work));
  const arrived = ({ sink }: Partner) => new Set(sink.received.map(({ event_id }) => event_id)).size;
  /** Waits until each partner got so many more events. */
  async function more(count: number): Promise<void> {
    const before = partners.map(arrived);
    await until(() => partners.every((p, i) => arrived(p) >= (before[i] as number) + count), ARRIVED_WITHIN_MS);
  }

  /** What a failed test wants to know. */
  async function state(partner: Partner) {
    const { subscription_id } = partner.subscription;
    const row = await db.row<object>(
      `select status, pause_reason, last_delivered_event_id, scanned_event_id,
              (select json_agg(w) from (select status, attempt_number, count(*) from webhook_deliveries d
                                        where d.subscription_id = s.subscription_id group by 1, 2) w) as deliveries
       from webhook_subscriptions s where subscription_id = $1`,
      [subscription_id],
    );
    return { ...row, emitted: partner.emitted, arrived: arrived(partner) };
  }

  it("gives every partner every event, in order, and few of them twice", async () => {
    let dying = true;
    let ends = 0;
    const writing = everyPartner(async (partner) => {
      while (dying) {
        await emit(partner.warehouse_id, 1, partner.emitted + 1);
        partner.emitted++;
        await pause(15);
        // Each failure costs its wait, so there is a rate that nobody keeps up with.
        await until(() => !dying || partner.emitted - arrived(partner) < MOST_BEHIND, ARRIVED_WITHIN_MS);
      }
    });
    /** An admin who pauses, resumes and replays, whatever else happens. */
    const administering = everyPartner(async ({ subscription }) => {
      const path = `/api/admin/webhooks/${subscription.subscription_id}`;
      while (dying) {
        await pause(700 * Math.random());
        await stack.admin.patch(path, { status: "paused" }).catch(() => {});
        await pause(100 * Math.random());
        await until(
          async () => (await stack.admin.patch(path, { status: "active" }).catch(() => undefined))?.status === 200,
          ARRIVED_WITHIN_MS,
        );
      }
    });
    const parts: (Part | "Sink" | "Second worker")[] = [
      ...(["Worker", "Second worker", "Sink", "Temporal", "Postgres", "API"] as const),
    ];
    try {
      for (const part of Array(ROUNDS).fill(parts).flat()) {
        await more(20);
        ends++;
        if (part === "Second worker") {
          const killIt = await stack.addWorker();
          await until(async () => (await sharesOfWorkers()).length === 2, ARRIVED_WITHIN_MS);
          await more(20);
          killIt();
          continue;
        }
        if (part !== "Sink") {
          await stack.kill(part);
          continue;
        }
        for (const { sink } of partners) await sink.stop();
        await pause(1_000);
        for (const { sink } of partners) await sink.start();
      }
      await more(20);
    } finally {
      dying = false;
    }
    await Promise.all([writing, administering]);
    await until(() => partners.every((partner) => arrived(partner) === partner.emitted), ARRIVED_WITHIN_MS).catch(
      async (cause) => {
        throw new Error(JSON.stringify(await everyPartner(state)), { cause });
      },
    );

    for (const { warehouse_id, sink, subscription } of partners) {
      const events = await db.rows<{ event_id: number }>(
        "select event_id from integration_events where warehouse_id = $1 order by event_id",
        [warehouse_id],
      );
      const place = new Map(events.map(({ event_id }, i) => [event_id, i]));
      let next = 0;
      for (const { event_id } of sink.received) {
        const i = place.get(event_id) as number;
        assert.ok(i <= next, `event ${event_id} came before the one before it`);
        assert.ok(next - i <= MAX_CLAIM, `event ${event_id} came again long after it had come`);
        next = Math.max(next, i + 1);
      }
      assert.equal(next, events.length);
      assert.equal(sink.mostAtOnce, 1, "one at a time");
      await until(async () =>
        (await rowsOf(subscription.subscription_id)).every(({ status }) => ["succeeded", "failed"].includes(status)),
      );
      const failed = (await rowsOf(subscription.subscription_id)).filter(({ status }) => status === "failed").length;
      const again = sink.received.length - events.length - failed;
      assert.ok(again <= MAX_CLAIM * ends, `${again} sent again, though it had arrived`);
      console.log(
        `    ${ends} kills, ${events.length} events, ${failed} attempts failed, ${Math.max(0, again)} sent again`,
      );
    }
  });

  it("shares subscriptions out among the workers, when one starts and when one is killed", async () => {
    for (let i = 0; i < 9; i++) await subscribe(stack.admin, (partners[0] as Partner).sink.url, nothing());
    const shared = (...shares: number[]) =>
      until(async () => `${await sharesOfWorkers()}` === `${shares}`, ARRIVED_WITHIN_MS);
    const total = PARTNERS + 9;
    await shared(total);
    const kill = await stack.addWorker();
    await shared(total / 2, total / 2);
    kill();
    await shared(total);
  });

  it("sends on without Temporal where nothing fails, and goes on with what failed when it is back", async () => {
    const [healthy, failing] = partners as [Partner, Partner];
    const bringBack = await stack.takeAway("Temporal");
    // One that starts now must send as well.
    await stack.kill("Worker");
    const back = Date.now() + OUTAGE_MS;
    const before = partners.map(arrived);
    healthy.sink.usual = 200;
    failing.sink.usual = 500;
    const reached = failing.sink.received.length + 1;
    await emit(failing.warehouse_id, 2, failing.emitted + 1);
    await until(() => failing.sink.received.length >= reached, ARRIVED_WITHIN_MS);
    failing.sink.usual = 200;
    let sent = 0;
    while (Date.now() < back || sent < 10) {
      await emit(healthy.warehouse_id, 1, healthy.emitted + 1 + sent++);
      await pause(100);
    }
    await until(() => arrived(healthy) === (before[0] as number) + sent, ARRIVED_WITHIN_MS);
    assert.equal(failing.sink.received.length, reached, "tried again without its schedule");
    await bringBack();
    await stack.reconcile();
    await until(() => arrived(failing) === (before[1] as number) + 2, ARRIVED_WITHIN_MS);
    await until(async () =>
      (await rowsOf(failing.subscription.subscription_id)).every(({ status }) =>
        ["succeeded", "failed"].includes(status),
      ),
    );
  });
});

/** No event fits. */
const nothing = () => ({ subscription_filter: { aggregate_external_id_allowlist: [randomUUID()] } });
