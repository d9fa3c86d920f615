import assert from "node:assert/strict";
import type { Caller } from "./caller.js";
import type { CounterLine } from "./counter.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import type { TestService } from "./service.js";
import { codeOfBin, codeOfWarehouse, tillOf } from "./till.js";

/** A shop for any sequence of what tills do, and what must hold in it. */

const UNITS = 12;

/** What happens to a request on its way. */
export const fates = ["once", "twice", "thrice at once", "aborted"] as const;
export type Fate = (typeof fates)[number];

/** A request of a till or a packing bench. */
export interface Asking {
  path: string;
  body: { idempotency_key: string };
  /** The order that it is about, where no other one is made. */
  of?: string;
  /** Of which order the first answer was; it must stay the only one. */
  number?: string;
}
export interface Site {
  warehouse_id: number;
  items: { item_id: number; sku: string; bin_id: number; line: Omit<CounterLine, "quantity"> }[];
  tills: Caller[];
  /** By their keys. */
  asked: Map<string, Asking>;
}
export interface Order {
  so_id: number;
  so_number: string;
  order_type: string;
  status: string;
  /** Shipped in a parcel, rather than handed over at the counter. */
  in_parcel: boolean;
  item_ids: number[];
}

/** Nothing was done: there was nothing to do it to, or the service refused. */
export class Refused extends Error {}

/** Words for "try again". */
const BUSY = ["lock_contention", "idempotency_lock_timeout"];

/** Asks as the fate of the step says. Whatever was accepted is the same in each answer. */
export async function ask(site: Site, { till, fate }: { till: number; fate: Fate }, asking: Asking): Promise<void> {
  const caller = site.tills[till] as Caller;
  site.asked.set(asking.body.idempotency_key, asking);
  if (fate === "aborted") await send(caller, asking, AbortSignal.timeout(till * 4 + 1)).catch(() => undefined);
  const numbers =
    fate === "thrice at once"
      ? await Promise.all([send(caller, asking), send(caller, asking), send(caller, asking)])
      : [await send(caller, asking), ...(fate === "twice" ? [await send(caller, asking)] : [])];
  const given = [...new Set(numbers.filter((number) => number !== undefined))];
  assert.ok(given.length <= 1, `one key made ${given}`);
  if (given[0] === undefined) throw new Refused();
  asking.number = given[0];
}

/** Gives the number of the order that was made or changed; none where it was refused. */
async function send({ url, headers }: Caller, { path, body, of }: Asking, signal?: AbortSignal) {
  const answer = await fetch(url + path, {
    ...{ method: "POST", headers: { "content-type": "application/json", ...headers } },
    ...{ body: JSON.stringify(body), ...(signal && { signal }) },
  });
  const { status } = answer;
  const said = (await answer.json()) as { refund_so_id?: string; so_number?: string; error_kind?: string };
  assert.ok(status < 500 || BUSY.includes(said.error_kind ?? ""), `${path}: ${status} ${JSON.stringify(said)}`);
  return status === 200 ? (said.refund_so_id ?? said.so_number ?? of) : undefined;
}

/**
 * A shop with two items, a bin for each, and three tills, which ship at a packing bench too; what waits for stock waits
 * there.
 */
export async function openSite(service: TestService): Promise<Site> {
  const warehouse_id = await fixtures.warehouse();
  const code = await codeOfWarehouse(warehouse_id);
  const items = [];
  for (let n = 0; n < 2; n++) {
    const item = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, bin_id, item.item_id, UNITS);
    const line = { sku: item.sku, warehouse_id: code, bin_id: await codeOfBin(bin_id) };
    items.push({ ...item, bin_id, line });
  }
  await service.admin.ok("PUT", "/api/admin/settings", { settings: { BACKORDER_WAREHOUSE_CODE: code } });
  const tills = [];
  for (let n = 0; n < 3; n++)
    tills.push(
      (await tillOf(service, { warehouse_ids: [warehouse_id], endpoints: ["pos.dispatch", "station.dispatch"] }))
        .caller,
    );
  return { warehouse_id, items, tills, asked: new Map() };
}

export const ordersOf = ({ warehouse_id }: Site) =>
  db.rows<Order>(
    `select so_id, so_number, order_type, status,
       exists (select from item_fulfillments f where f.so_id = so.so_id and f.status = 'SHIPPED') as in_parcel,
       (select coalesce(json_agg(item_id), '[]') from sales_order_lines l where l.so_id = so.so_id) as item_ids
     from sales_orders so where warehouse_id = $1 order by so_id`,
    [warehouse_id],
  );

/** Of each item: what lies there and what was taken for orders, less what came back and what was found. */
export const unitsOf = ({ warehouse_id }: Site) =>
  db.rows<{ item_id: number; units: number }>(
    `select item_id, sum(units)::int as units from (
       select item_id, quantity_on_hand as units from inventory where warehouse_id = $1
       union all select item_id, case order_type when 'refund' then quantity_ordered
                                   when 'return' then -quantity_received else quantity_picked end
         from sales_orders join sales_order_lines using (so_id) where warehouse_id = $1
       union all select item_id, -quantity_change from inventory_adjustments where warehouse_id = $1
     ) u group by item_id order by item_id`,
    [warehouse_id],
  );

/** Sales whose status does not say what came back of them: REFUNDED is one whose units are all back. */
export const wronglyRefunded = ({ warehouse_id }: Site) =>
  db.rows(
    `select so_number, item_id, status, shipped, refunded, received from (
       select so_id, so_number, o.status, o.refund_so_id, item_id, sum(quantity_shipped) as shipped
       from sales_orders o join sales_order_lines using (so_id)
       where warehouse_id = $1 and order_type not in ('refund', 'return')
       group by so_id, so_number, o.status, item_id) sale
     cross join lateral (
       select coalesce(sum(-quantity_ordered) filter (where order_type = 'refund'), 0) as refunded,
         coalesce(sum(quantity_received) filter (where order_type = 'return'), 0) as received
       from sales_orders c join sales_order_lines l using (so_id)
       where c.parent_so_id = sale.so_id and l.item_id = sale.item_id) back
     where refunded + received > shipped
       or (status = 'REFUNDED') <> (refund_so_id is not null)
       or (status = 'REFUNDED' and refunded + received < shipped)`,
    [warehouse_id],
  );

/** Keys under which more than one thing was done, or on another order than the till was told of. */
export async function madeTwice({ asked }: Site) {
  const made = await db.rows<{ key: string; numbers: string[] }>(
    `select details->>'idempotency_key' as key, array_agg(details->>'so_number') as numbers from audit_log
     where action_type in ('POS_CHECKOUT', 'POS_REFUND', 'SHIP', 'SHIP_VOID')
       and details->>'idempotency_key' = any($1) group by 1`,
    [[...asked.keys()]],
  );
  return made.filter(({ key, numbers: [number, ...more] }) => {
    const told = asked.get(key)?.number ?? number;
    return more.length > 0 || told !== number;
  });
}
