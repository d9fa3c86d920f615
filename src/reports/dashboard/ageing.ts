import type { z } from "zod";
import { ttlCache } from "../../platform/concurrency/ttl-cache.js";
import { db } from "../../platform/db/db.js";
import { UNFINISHED } from "../../sales-orders/open-work.js";
import { type Ageing, AgeOfOrders, AgeOfStock } from "./shapes.js";

/** From so many days on; the last has no end. */
const ORDER_AGES = [0, 1, 2, 4, 8, 15];
const STOCK_AGES = [0, 7, 30, 90, 180, 365];

/** Stock is read whole, and nobody waits for the newest minute of half a year. */
const cached = ttlCache<Ageing>(() => 60_000);

/** How old open orders are, and for how long stock has lain undisturbed. Cached for a minute. */
export const ageing = (warehouses: number[] | null): Promise<Ageing> =>
  cached(JSON.stringify(warehouses), async () => {
    const [orders, stock] = await Promise.all([ordersByAge(warehouses), stockByAge(warehouses)]);
    return { orders, stock };
  });

const OURS = "($1::int[] is null or warehouse_id = any($1))";

/** SQL: each age of $2 with what `counted` says of the rows `r` that are so many `days` old. */
const byAge = (rows: string, counted: string) => `
  select from_days, until_days, ${counted}
  from (select from_days, lead(from_days) over (order by from_days) - 1 as until_days
        from unnest($2::int[]) as ages(from_days)) as ages
  left join (${rows}) r on days >= from_days and (until_days is null or days <= until_days)
  group by from_days, until_days order by from_days`;

const daysSince = (time: string) => `floor(extract(epoch from now() - ${time}) / 86400)::int as days`;

const ordersByAge = (warehouses: number[] | null): Promise<z.infer<typeof AgeOfOrders>[]> =>
  db.rows(
    AgeOfOrders,
    byAge(
      `select ${daysSince("created_at")} from sales_orders where ${UNFINISHED} and ${OURS}`,
      "count(r.days) as orders",
    ),
    [warehouses, ORDER_AGES],
  );

const stockByAge = (warehouses: number[] | null): Promise<z.infer<typeof AgeOfStock>[]> =>
  db.rows(
    AgeOfStock,
    byAge(
      `select ${daysSince("updated_at")}, quantity_on_hand from inventory where quantity_on_hand > 0 and ${OURS}`,
      "count(r.days) as stock_rows, coalesce(sum(quantity_on_hand), 0) as units",
    ),
    [warehouses, STOCK_AGES],
  );
