import { setTimeout as pause } from "node:timers/promises";
import { int, text } from "../src/platform/db/columns.js";
import { db } from "../src/platform/db/db.js";
import { groupBy } from "../src/platform/values.js";
import { Connection } from "./connection.js";
import { WAREHOUSE } from "./data.js";
import { type Times, timesOf } from "./measure.js";
import { arrived, openPartner } from "./partner.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** How fast availability reaches one channel on this machine, which is the channel's, too. */
export interface Channels {
  /** Items a second, while the whole availability is published. */
  whole_per_s: number;
  /** From the commit of a change to its arrival, without debounce, as 1,000 items change a second. */
  end_to_end_ms: Times & { most: number };
  /** How many changes there were, and how many of them had arrived, or a later one of the item had, within a second. */
  changes: number;
  within_a_second: number;
}

const ITEMS_A_SECOND = 1_000;
const AT_ONCE = 100;
const SECONDS = 10;

interface Arrival {
  sku: string;
  available: number;
  at: number;
}

/** The channel's server: it notes what it was told, and when. */
async function openSink() {
  const arrivals: Arrival[] = [];
  const server = await openPartner((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => {
      const at = Date.now();
      for (const { sku, available } of JSON.parse(`${Buffer.concat(chunks)}`).items)
        arrivals.push({ sku, available, at });
      outgoing.end();
    });
  });
  return { ...server, arrivals };
}

/**
 * How long each change took, once all have arrived. Counts of an item only rise, and of several changes a late one may
 * be the only one that is sent.
 */
async function tookOf(changes: Arrival[], arrivals: Arrival[]): Promise<number[]> {
  for (;;) {
    const bySku = groupBy(arrivals, ({ sku }) => sku);
    const took = changes.map((change) => {
      const first = bySku.get(change.sku)?.find(({ available }) => available >= change.available);
      return first ? first.at - change.at : undefined;
    });
    if (!took.includes(undefined)) return took as number[];
    await pause(100);
  }
}

/**
 * Measures the service's worker: the whole first, then changes.
 * @param share The share of all changes that are made.
 */
export async function measureChannels(service: BenchService, share: number): Promise<Channels> {
  await service.enter();
  const { port, office, size } = service;
  const sink = await openSink();
  const to = await Connection.open(port);
  const begun = Date.now();
  await to.ask("POST /api/admin/channels", office.token, {
    channel_id: `bench-${begun}`,
    display_name: "Bench",
    delivery_url: sink.url,
    sku_scope: { warehouse_ids: [WAREHOUSE] },
    ...{ rate_limit_per_second: 1_000, batch_size: 200, debounce_seconds: 0 },
  });
  await arrived(sink.arrivals, size.items);
  const whole_per_s = size.items / ((Date.now() - begun) / 1_000);
  sink.arrivals.length = 0;

  const changes: Arrival[] = [];
  const rounds = Math.ceil((share * SECONDS * ITEMS_A_SECOND) / AT_ONCE);
  for (let round = 0; round < rounds; round++) {
    const next = pause((1_000 * AT_ONCE) / ITEMS_A_SECOND);
    const first = (round * AT_ONCE) % (size.items - AT_ONCE);
    const rows = await db.rows(
      { sku: text, available: int },
      `update inventory v set quantity_on_hand = quantity_on_hand + 1 from items i
       where i.item_id = v.item_id and v.inventory_id between $1 and $2
       returning sku, quantity_on_hand - quantity_allocated as available`,
      [first + 1, first + AT_ONCE],
    );
    const at = Date.now();
    changes.push(...rows.map((row) => ({ ...row, at })));
    await next;
  }
  const took = await tookOf(changes, sink.arrivals);
  await to.ask(`DELETE /api/admin/channels/bench-${begun}`, office.token);
  to.close();
  sink.close();
  return {
    whole_per_s: rounded(whole_per_s),
    end_to_end_ms: { ...timesOf(took), most: Math.max(...took) },
    changes: took.length,
    within_a_second: took.filter((ms) => ms <= 1_000).length,
  };
}
