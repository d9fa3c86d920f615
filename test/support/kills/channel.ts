import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { openChannelSink } from "../channel-sink.js";
import { channel } from "../channels.js";
import { db } from "../db.js";
import { bin, warehouse } from "../fixtures.js";
import { pluckAll } from "../pluck.js";
import type { Stack } from "../stack.js";
import { until } from "../until.js";
import { HEALED_WITHIN_MS } from "./kills.js";

const ITEMS = 300;
/** So many of them change at once. */
const CHANGED = 25;
const CHANGES_EVERY_MS = 200;
/** The channel's server fails so many of its requests. */
const FAILURES = 0.05;

/** A channel, and items whose availability changes. */
export async function channelOf({ admin }: Stack) {
  const sink = await openChannelSink();
  const warehouse_id = await warehouse();
  const bin_id = await bin(warehouse_id);
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
  await channel(admin, {
    ...{ delivery_url: sink.url, sku_scope: { categories: [category] }, debounce_seconds: 0 },
    ...{ batch_size: 20, rate_limit_per_second: 1_000 },
  });

  return {
    /** Goes on until its end. */
    load: async (end: AbortSignal) => {
      while (!end.aborted) {
        await db
          .run(
            `update inventory set quantity_on_hand = 1 + floor(random() * 1000)::int
             where inventory_id in (select inventory_id from inventory where bin_id = $1 order by random() limit $2)`,
            [bin_id, CHANGED],
          )
          .catch(() => {});
        await pause(CHANGES_EVERY_MS);
      }
    },
    /** Waits until it was told more. */
    more: async () => {
      const before = sink.received.length;
      await until(() => sink.received.length > before + 5, HEALED_WITHIN_MS);
    },
    /** It is told the availability of every item in the end, and never an older one after a newer. */
    assertTold: async () => {
      await until(async () => {
        const wrong = await db.rows(
          `select from inventory v join items i using (item_id) left join channel_items t using (item_id)
           where v.bin_id = $1 and (t.available is distinct from v.quantity_on_hand or t.due_at is not null)`,
          [bin_id],
        );
        return wrong.length === 0;
      }, HEALED_WITHIN_MS);
      const right = await db.rows<{ sku: string; units: number }>(
        "select sku, quantity_on_hand as units from inventory join items using (item_id) where bin_id = $1",
        [bin_id],
      );
      const latest = sink.latest();
      assert.deepEqual(
        pluckAll(right, "sku", "units"),
        right.map(({ sku }) => [sku, latest.get(sku)?.available]),
      );
      sink.assertVersionsRise();
      assert.equal(sink.mostAtOnce, 1);
    },
    close: () => sink.stop(),
  };
}
