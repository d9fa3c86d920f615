import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { connect, db, disconnect } from "../../src/db/db.js";
import { type ChannelSink, openChannelSink } from "../support/channel-sink.js";
import { channel } from "../support/channels.js";
import { senderEnv } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each part is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const ITEMS = 300;
/** The channel's server fails so many of its requests. */
const FAILURES = 0.05;
const WITHIN_MS = 120_000;

describe("a channel, as everything is killed while availability changes", function () {
  this.timeout(240_000 + ROUNDS * 150_000);
  let stack: Stack;
  let sink: ChannelSink;
  before(async () => {
    stack = await openStack(senderEnv);
    connect(stack.databaseUrl, 4);
    sink = await openChannelSink();
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await sink.stop();
  });

  it("is told the availability of every item in the end, and never an older one after a newer", async () => {
    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    const category = randomUUID();
    await db.run(
      `with made as (
         insert into items (sku, item_name, category) select $1 || n, 'Mug', $1 from generate_series(1, $4::int) n
         returning item_id
       )
       insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand) select item_id, $2, $3, 1 from made`,
      [category, bin_id, warehouse_id, ITEMS],
    );
    // Not so often that an item is parked: parked ones wait for their next change.
    sink.usual = () => (Math.random() < FAILURES ? 500 : 200);
    await channel(stack.admin, {
      ...{ delivery_url: sink.url, sku_scope: { categories: [category] }, debounce_seconds: 0 },
      ...{ batch_size: 20, rate_limit_per_second: 1_000 },
    });
    let dying = true;
    const changing = (async () => {
      while (dying) {
        await db
          .run(
            `update inventory set quantity_on_hand = 1 + floor(random() * 1000)::int
             where inventory_id in (select inventory_id from inventory where bin_id = $1 order by random() limit 25)`,
            [bin_id],
          )
          .catch(() => {});
        await pause(20);
      }
    })();
    const more = async () => {
      const before = sink.received.length;
      await until(() => sink.received.length > before + 5, WITHIN_MS);
    };
    await more();
    const parts: (Part | "Second worker")[] = ["Worker", "Second worker", "Postgres", "API"];
    for (const part of Array(ROUNDS).fill(parts).flat()) {
      if (part === "Second worker") {
        const end = await stack.addWorker();
        await more();
        await stack.kill("Worker");
        await more();
        end();
      } else await stack.kill(part);
      await more();
    }
    dying = false;
    await changing;
    await until(async () => {
      const wrong = await db.rows(
        `select from inventory v join items i using (item_id) left join channel_items t using (item_id)
         where v.bin_id = $1 and (t.available is distinct from v.quantity_on_hand or t.due_at is not null)`,
        [bin_id],
      );
      return wrong.length === 0;
    }, WITHIN_MS);
    const right = await db.rows<{ sku: string; units: number }>(
      "select sku, quantity_on_hand as units from inventory join items using (item_id) where bin_id = $1",
      [bin_id],
    );
    const latest = sink.latest();
    assert.deepEqual(
      right.map(({ sku, units }) => [sku, units]),
      right.map(({ sku }) => [sku, latest.get(sku)?.available]),
    );
    sink.assertVersionsRise();
    assert.equal(sink.mostAtOnce, 1);
  });
});
