import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { emit, senderEnv, subscribe } from "../support/deliveries.js";
import { channelOf } from "../support/kills/channel.js";
import { HEALED_WITHIN_MS } from "../support/kills/kills.js";
import { notificationsOf } from "../support/kills/notifications.js";
import { arrived, settled, webhooksOf } from "../support/kills/webhooks.js";
import { sharesOfWorkers } from "../support/shares.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each part is killed, and how long Temporal stays away; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const OUTAGE_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 5) * 1_000;
const PARTS: (Part | "Second worker" | "Sink")[] = ["Worker", "Second worker", "Sink", "Temporal", "Postgres", "API"];
/** What notifications need; the others are nothing to them. */
const NOTIFYING: typeof PARTS = ["Worker", "Second worker", "Temporal", "Postgres"];

describe("webhooks, a channel and notifications, as everything is killed under load", function () {
  this.timeout(360_000 + OUTAGE_MS + ROUNDS * 200_000);
  let stack: Stack;
  let webhooks: Awaited<ReturnType<typeof webhooksOf>>;
  let channel: Awaited<ReturnType<typeof channelOf>>;
  let notifications: Awaited<ReturnType<typeof notificationsOf>>;
  let ends = 0;
  before(async () => {
    stack = await openStack({
      ...{ ...senderEnv, DISPATCHER_RETRY_DELAYS_MS: "200,400,800,1600,3000,3000,3000" },
      // So that the claim which a killed worker had on a message is soon over.
      ...{ DISPATCHER_HTTP_TIMEOUT_MS: "2000", DISPATCHER_HTTP_CONNECT_TIMEOUT_MS: "1000" },
      DISPATCHER_HTTP_READ_TIMEOUT_MS: "2000",
    });
    connect(stack.databaseUrl, 8);
    webhooks = await webhooksOf(stack);
    channel = await channelOf(stack);
    notifications = await notificationsOf(stack, NOTIFYING.length * ROUNDS);
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    for (const load of [webhooks, channel, notifications]) await load?.close();
  });

  const goOn = () => Promise.all([webhooks.more(), channel.more()]);
  const shared = (holds: (shares: number[]) => boolean) =>
    until(async () => holds(await sharesOfWorkers()), HEALED_WITHIN_MS);

  async function kill(part: Part): Promise<void> {
    ends++;
    await stack.kill(part);
  }

  /** Another worker takes over from the first, which then takes over from it. */
  async function killBothWorkers(): Promise<void> {
    const killSecond = await stack.addWorker();
    await shared(({ length }) => length === 2);
    await goOn();
    await kill("Worker");
    await goOn();
    await shared(({ length }) => length === 2);
    await notifications.during(async () => {
      ends++;
      killSecond();
    });
  }

  async function killAll(): Promise<void> {
    for (const part of Array<typeof PARTS>(ROUNDS).fill(PARTS).flat()) {
      await goOn();
      if (part === "Second worker") await killBothWorkers();
      else if (part === "Sink") {
        ends++;
        await webhooks.sinksDie();
      } else if (NOTIFYING.includes(part)) await notifications.during(() => kill(part));
      else await kill(part);
    }
    await goOn();
  }

  it("go on, whichever part dies", async () => {
    const dying = new AbortController();
    const loads = Promise.all([webhooks, channel].map(({ load }) => load(dying.signal)));
    try {
      await Promise.race([killAll(), loads]);
    } finally {
      dying.abort();
    }
    await loads;
  });

  it("bring every partner every event, in order, and few of them twice", () => webhooks.assertArrived(ends));

  it("tell a channel the availability of every item in the end, and never an older one after a newer", () =>
    channel.assertTold());

  it("bring people every message, by its first attempt or by a later one", () => notifications.assertArrived());

  it("are shared out among the workers, when one starts and when one is killed", async () => {
    const [{ sink } = assert.fail()] = webhooks.partners;
    for (let i = 0; i < 7; i++) await subscribe(stack.admin, sink.url, nothing());
    const total = webhooks.partners.length + 7;
    const are = (...shares: number[]) => shared((found) => `${found}` === `${shares}`);
    // And the channel, which is one worker's.
    await are(total + 1);
    const killIt = await stack.addWorker();
    await are(total / 2, total / 2 + 1);
    killIt();
    await are(total + 1);
  });

  it("send on without Temporal where nothing fails, and go on with what failed when it is back", async () => {
    const [healthy = assert.fail(), failing = assert.fail()] = webhooks.partners;
    const bringBack = await stack.takeAway("Temporal");
    // One that starts now must send as well.
    await stack.kill("Worker");
    const back = Date.now() + OUTAGE_MS;
    const before = { healthy: arrived(healthy), failing: arrived(failing) };
    healthy.sink.usual = 200;
    failing.sink.usual = 500;
    const reached = failing.sink.received.length + 1;
    await emit(failing.warehouse_id, 2, failing.emitted + 1);
    await until(() => failing.sink.received.length >= reached, HEALED_WITHIN_MS);
    failing.sink.usual = 200;
    let sent = 0;
    while (Date.now() < back || sent < 10) {
      await emit(healthy.warehouse_id, 1, healthy.emitted + 1 + sent++);
      await pause(100);
    }
    await until(() => arrived(healthy) === before.healthy + sent, HEALED_WITHIN_MS);
    assert.equal(failing.sink.received.length, reached, "tried again without its schedule");
    await bringBack();
    await stack.reconcile();
    await until(() => arrived(failing) === before.failing + 2, HEALED_WITHIN_MS);
    await settled(failing);
  });
});

/** No event fits. */
const nothing = () => ({ subscription_filter: { aggregate_external_id_allowlist: [randomUUID()] } });
