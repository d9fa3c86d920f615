import assert from "node:assert/strict";
import { connect, db, disconnect } from "../../src/db/db.js";
import { senderEnv } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { destination, messagesTo, openBackorder } from "../support/notifications.js";
import { openSink, type Sink } from "../support/sink.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const MESSAGES = 10;
const WITHIN_MS = 120_000;

describe("notifications, as everything is killed while they are sent", function () {
  this.timeout(240_000 + ROUNDS * 150_000);
  let stack: Stack;
  let sink: Sink;
  before(async () => {
    // So that the claim of a worker that was killed is soon over.
    stack = await openStack({
      ...{ ...senderEnv, DISPATCHER_HTTP_TIMEOUT_MS: "2000" },
      ...{ DISPATCHER_HTTP_CONNECT_TIMEOUT_MS: "1000", DISPATCHER_HTTP_READ_TIMEOUT_MS: "2000" },
    });
    connect(stack.databaseUrl, 4);
    sink = await openSink();
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await sink.stop();
  });

  it("all arrive, by their first attempt or by a later one", async () => {
    const numbers: string[] = [];
    const parts = Array<Part[]>(ROUNDS).fill(["Worker", "Temporal", "Worker", "Postgres"]).flat();
    // Each kill finds a destination of its own, which waits for nobody's claim.
    const places: { warehouse_id: number; webhook_id: number }[] = [];
    for (const _ of parts) {
      const warehouse_id = await warehouse();
      const fields = { url: sink.url, event_filter: ["backorder.cancelled"] };
      places.push({ warehouse_id, ...(await destination(stack.admin, warehouse_id, fields)) });
    }
    for (const [i, part] of parts.entries()) {
      const { warehouse_id } = places[i] ?? assert.fail();
      const before = sink.received.length;
      // Some are being sent as it dies, and some wait for another attempt.
      sink.usual = () => (["stall", 500, 200] as const)[sink.received.length % 3] ?? 200;
      for (let n = 0; n < MESSAGES; n++)
        // Postgres may just be coming back; one that was committed without an answer is a message too many.
        await until(async () => {
          const number = await openBackorder(warehouse_id).catch(() => undefined);
          if (number) numbers.push(number);
          return number !== undefined;
        }, WITHIN_MS);
      await until(() => sink.received.length > before + 2, WITHIN_MS);
      await stack.kill(part);
      sink.usual = 200;
    }
    await stack.reconcile();
    await until(async () => {
      const rows = (await Promise.all(places.map(({ webhook_id }) => messagesTo(webhook_id).catch(() => [])))).flat();
      return rows.length >= numbers.length && rows.every(({ status }) => status === "succeeded");
    }, WITHIN_MS);
    const told = sink.received.map(({ body }) => `${body}`);
    for (const number of numbers) assert.ok(told.some((body) => body.includes(`"${number}"`)));
    // Nobody holds a claim any more.
    const left = await db.row<{ left: number }>(
      "select count(*) as left from notifications where claimed_until is not null",
    );
    assert.equal(left?.left, 0);
  });
});
