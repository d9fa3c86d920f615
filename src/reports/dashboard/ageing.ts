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

/** SQL: of each age of $2 what `counted` says of the `rows` that are so old by their column `time`. */
const byAge = (rows: string, time: string, counted: Record<string, string>) => `
  with ages as (
    select from_days, lead(from_days) over (order by from_days) - 1 as until_days,
      row_number() over (order by from_days desc) - 1 as place
    from unnest($2::int[]) as ages(from_days)
  ), counted as (
    select ${Object.entries(counted).map(([name, sql]) => `${sql} as ${name}`)},
      width_bucket(${time}, array(
        select now() - from_days * interval '24 hours' from ages where from_days > 0 order by from_days desc)) as place
    from ${rows} group by place
  )
  select from_days, until_days, ${Object.keys(counted).map((name) => `coalesce(${name}, 0) as ${name}`)}
  from ages left join counted using (place) order by from_days`;

const ordersByAge = (warehouses: number[] | null): Promise<z.infer<typeof AgeOfOrders>[]> =>
  db.rows(AgeOfOrders, byAge(`sales_orders where ${UNFINISHED} and ${OURS}`, "created_at", { orders: "count(*)" }), [
    warehouses,
    ORDER_AGES,
  ]);

const stockByAge = (warehouses: number[] | null): Promise<z.infer<typeof AgeOfStock>[]> =>
  db.rows(
    AgeOfStock,
    byAge(`inventory where quantity_on_hand > 0 and ${OURS}`, "updated_at", {
      stock_rows: "count(*)",
      units: "sum(quantity_on_hand)",
    }),
    [warehouses, STOCK_AGES],
  );
