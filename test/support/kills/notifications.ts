import assert from "node:assert/strict";
import { db } from "../db.js";
import { warehouse } from "../fixtures.js";
import { destination, messagesTo, openBackorder } from "../notifications.js";
import { openSink } from "../sink.js";
import type { Stack } from "../stack.js";
import { until } from "../until.js";
import { HEALED_WITHIN_MS } from "./kills.js";

const MESSAGES = 10;
/** The claim of a worker that was killed lasts for seconds. */
const LOOK_EVERY_MS = 200;

/**
 * Messages to people. Each kill finds a destination of its own, which waits for nobody's claim; all of them are made
 * here, since a part may just be coming back later.
 */
export async function notificationsOf(stack: Stack, kills: number) {
  const sink = await openSink();
  const numbers: string[] = [];
  const places: { warehouse_id: number; webhook_id: number }[] = [];
  for (let i = 0; i < kills; i++) {
    const warehouse_id = await warehouse();
    const fields = { url: sink.url, event_filter: ["backorder.cancelled"] };
    places.push({ warehouse_id, ...(await destination(stack.admin, warehouse_id, fields)) });
  }
  const unused = [...places];

  return {
    /** Calls a function that kills something while messages are under way. */
    during: async (kill: () => Promise<void>) => {
      const { warehouse_id } = unused.shift() ?? assert.fail("a kill without a destination");
      const before = sink.received.length;
      // Some are being sent as it dies, and some wait for another attempt.
      sink.usual = () => (["stall", 500, 200] as const)[(sink.received.length - before) % 3] ?? 200;
      for (let n = 0; n < MESSAGES; n++)
        // Postgres may just be coming back; one that was committed without an answer is a message too many.
        await until(async () => {
          const number = await openBackorder(warehouse_id).catch(() => undefined);
          if (number) numbers.push(number);
          return number !== undefined;
        }, HEALED_WITHIN_MS);
      await until(() => sink.received.length > before + 2, HEALED_WITHIN_MS);
      await kill();
      sink.usual = 200;
    },
    /** All arrive, by their first attempt or by a later one. */
    assertArrived: async () => {
      await stack.reconcile();
      const all = async () =>
        (await Promise.all(places.map(({ webhook_id }) => messagesTo(webhook_id).catch(() => [])))).flat();
      const isDone = async () => {
        const rows = await all();
        return rows.length >= numbers.length && rows.every(({ status }) => status === "succeeded");
      };
      await until(isDone, HEALED_WITHIN_MS, LOOK_EVERY_MS);
      const told = sink.received.map(({ body }) => `${body}`);
      for (const number of numbers) assert.ok(told.some((body) => body.includes(`"${number}"`)));
      // Nobody holds a claim any more.
      const left = await db.row<{ left: number }>(
        "select count(*) as left from notifications where claimed_until is not null",
      );
      assert.equal(left?.left, 0);
    },
    close: () => sink.stop(),
  };
}
