import { randomUUID } from "node:crypto";
import { int } from "../src/platform/db/columns.js";
import { db } from "../src/platform/db/db.js";
import { times } from "./case.js";
import { saleOf } from "./cases/pos.js";
import { Connection, type RequestLine, request } from "./connection.js";
import { WAREHOUSE } from "./data.js";
import { timesOf } from "./measure.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** How an item was sold to many who bought it at once, a unit at a time, until each was told that none is left. */
export interface Contended {
  way: Way;
  buyers: number;
  /** What was there. */
  units: number;
  /** What buyers were told that they have. */
  sold: number;
  /** What the rows say: what of the stock is free yet, and what the orders have. */
  left: number;
  booked: number;
  /** How often one was asked to come again, and sent the same once more. */
  again: number;
  sold_per_s: number;
  /** From the first request to the answer that one has a unit. */
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
}

/** At the till, whose sale leaves stock at once; or by an order, for which a unit is reserved. */
type Way = keyof typeof ways;

const BUYERS = [16, 64, 256];
const UNITS = 2_000;
const BIN = { id: 1, code: "A-1" };

/** The item that all want. */
interface Wanted {
  item_id: number;
  sku: string;
}

/** What a purchase came to: a unit, none left, or to be asked once more. */
type Answer = "sold" | "none" | "busy";

const ways = {
  till: {
    line: "POST /api/v1/pos/checkout",
    body: ({ sku }: Wanted) => saleOf([{ sku, bin_id: BIN.code }]),
    none: /"fulfillment_failed"/,
  },
  order: {
    line: "POST /api/admin/sales-orders",
    body: ({ item_id }: Wanted) => {
      const lines = [{ item_id, quantity_ordered: 1 }];
      return { so_number: `CONTENDED-${randomUUID()}`, warehouse_id: WAREHOUSE, lines };
    },
    // The order is there, and waits.
    none: /"quantity_allocated":0/,
  },
} satisfies Record<string, { line: RequestLine; body(of: Wanted): object; none: RegExp }>;

/** Sells an item of its own to each number of buyers, in either way. */
export async function measureContention(service: BenchService, share: number): Promise<Contended[]> {
  await service.enter();
  const all: Contended[] = [];
  for (const way of Object.keys(ways) as Way[])
    for (const buyers of BUYERS) all.push(await sellOut(service, way, buyers, Math.ceil(share * UNITS)));
  const wrong = all.filter(({ units, sold, left, booked }) => sold !== units || booked !== units || left !== 0);
  if (wrong.length > 0) throw new Error(`Not sold exactly: ${JSON.stringify(wrong)}`);
  return all;
}

async function sellOut(service: BenchService, way: Way, buyers: number, units: number): Promise<Contended> {
  const item = await stock(`${way}-${buyers}`, units);
  const connections = await Promise.all(times(buyers, () => Connection.open(service.port)));
  const took: number[] = [];
  let again = 0;
  const begun = performance.now();
  let lastSold = begun;
  await Promise.all(
    connections.map(async (to) => {
      for (let answer: Answer = "sold"; answer !== "none"; ) {
        const purchase = requestOf(service, way, item);
        const asked = performance.now();
        answer = await ask(to, way, purchase);
        for (; answer === "busy"; again++) answer = await ask(to, way, purchase);
        if (answer === "none") continue;
        lastSold = performance.now();
        took.push(lastSold - asked);
      }
    }),
  );
  for (const connection of connections) connection.close();
  const { p50, p95, p99 } = timesOf(took);
  const { left, booked } = await books(item);
  return {
    ...{ way, buyers, units, sold: took.length, left, booked, again },
    sold_per_s: rounded(took.length / ((lastSold - begun) / 1_000)),
    ...{ p50_ms: rounded(p50), p95_ms: rounded(p95), p99_ms: rounded(p99) },
  };
}

/** A new item, all of it in one bin. */
async function stock(sku: string, units: number): Promise<Wanted> {
  const made = await db.row(
    { item_id: int },
    `with made as (insert into items (sku, item_name) values ($1, 'Contended') returning item_id)
     insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand)
     select item_id, $2, $3, $4 from made returning item_id`,
    [sku, BIN.id, WAREHOUSE, units],
  );
  return { item_id: made?.item_id as number, sku };
}

function requestOf({ till, office }: BenchService, way: Way, item: Wanted): Buffer {
  const { line, body } = ways[way];
  return way === "till"
    ? request(line, till.plaintext, body(item), "x-wms-token:")
    : request(line, office.token, body(item));
}

async function ask(to: Connection, way: Way, purchase: Buffer): Promise<Answer> {
  const { none } = ways[way];
  try {
    return none.test(`${await to.send(purchase)}`) ? "none" : "sold";
  } catch (error) {
    const { message } = error as Error;
    if (message.startsWith("HTTP/1.1 503")) return "busy";
    if (none.test(message)) return "none";
    throw error;
  }
}

async function books({ item_id }: Wanted): Promise<{ left: number; booked: number }> {
  const row = await db.row(
    { left: int, booked: int },
    `select (quantity_on_hand - quantity_allocated) as left,
            (select sum(quantity_allocated)::int from sales_order_lines l where l.item_id = v.item_id) as booked
     from inventory v where item_id = $1`,
    [item_id],
  );
  return row as { left: number; booked: number };
}
