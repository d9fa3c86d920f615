import { semaphore } from "../../src/platform/concurrency/semaphore.js";
import type { Caller } from "../http/caller.js";
import { hiring } from "./people.js";
import * as plan from "./plan.js";
import { all, foundOrMade } from "./records.js";
import type { Bin, House, Item, Order, Site } from "./site.js";

const AT_ONCE = 8;

/** Makes the simulated warehouses through the admin routes, or finds those of an earlier run. */
export async function setUp(office: Caller): Promise<Site> {
  const existing = await all(office, "/api/admin/warehouses", "warehouses");
  const items = await itemsOf(office);
  const { peopleOf, supervisor } = await hiring(office);
  const houses: House[] = [];
  for (const wanted of plan.warehouses) {
    const { warehouse_id } = await foundOrMade(
      existing,
      ({ warehouse_code }) => warehouse_code === wanted.code,
      () =>
        office.ok("POST", "/api/admin/warehouses", {
          body: { warehouse_code: wanted.code, warehouse_name: wanted.name, address: wanted.address },
        }),
    );
    const bins = await layOut(office, warehouse_id, wanted.code);
    const shelves = plan.bins.filter(({ zone }) => zone === "PICK").map(({ code }) => bins(code));
    const house: House = {
      account_id: await accountOf(office, warehouse_id),
      ...{ warehouse_id, code: wanted.code, shelves, dock: bins("DOCK-1"), returns: bins("BACK-1") },
      shelfOf: new Map(items.map(({ item_id }, i) => [item_id, shelves[i % shelves.length] as Bin])),
      people: await peopleOf(warehouse_id, wanted),
      ...{
        toPick: [],
        toPack: [],
        toShip: [],
        partsToShip: [],
        waiting: [],
        backorders: [],
        transfers: [],
        deliveries: [],
      },
      ...{ comingBack: [], toRefund: [], released: new Map() },
    };
    await stockUp(office, house, items);
    await takeOverOrders(office, house);
    houses.push(house);
  }
  return { houses: houses as Site["houses"], items, office, supervisor: await supervisor() };
}

async function itemsOf(office: Caller): Promise<Item[]> {
  const existing = await all(office, "/api/admin/items", "items", { q: "SIM-" });
  const slot = semaphore(AT_ONCE);
  const items = plan.items.map(({ name, ...item }) =>
    foundOrMade(
      existing,
      ({ sku }) => sku === item.sku,
      () => slot(() => office.ok("POST", "/api/admin/items", { body: { ...item, item_name: name } })),
    ),
  );
  return (await Promise.all(items)).map(({ item_id, external_id, sku, upc }) => ({ item_id, external_id, sku, upc }));
}

async function layOut(office: Caller, warehouse_id: number, house: string): Promise<(code: string) => Bin> {
  const zones = await all(office, "/api/admin/zones", "zones", { warehouse_id });
  const bins = await all(office, "/api/admin/bins", "bins", { warehouse_id });
  const byCode = new Map<string, Bin>();
  const zoneIds = new Map<string, number>();
  for (const { code, name, type } of plan.zones) {
    const zone = await foundOrMade(
      zones,
      ({ zone_code }) => zone_code === code,
      () =>
        office.ok("POST", "/api/admin/zones", {
          body: { warehouse_id, zone_code: code, zone_name: name, zone_type: type },
        }),
    );
    zoneIds.set(code, zone.zone_id);
  }
  const slot = semaphore(AT_ONCE);
  const made = plan.bins.map(async ({ code, zone, type, aisle, row }, i) => {
    const body = {
      ...{ warehouse_id, zone_id: zoneIds.get(zone), bin_code: code, bin_barcode: `${house}-${code}` },
      ...{ bin_type: type, aisle, row_num: row, pick_sequence: (i + 1) * 10 },
    };
    const { bin_id, bin_code } = await foundOrMade(
      bins,
      (bin) => bin.bin_code === code,
      () => slot(() => office.ok("POST", "/api/admin/bins", { body })),
    );
    byCode.set(code, { bin_id, bin_code });
  });
  await Promise.all(made);
  // Before 1.0.0 there were no layouts; a day of that release walks by pick sequence.
  const layout = { params: { warehouse_id }, body: plan.layout, expected: ["not_found"] };
  const set = await office.call("PUT", "/api/admin/warehouses/:warehouse_id/layout", layout);
  if (!set.ok && set.code !== "not_found") throw new Error(`The layout was refused: ${set.code}`);
  return (code) => byCode.get(code) as Bin;
}

async function accountOf(office: Caller, warehouse_id: number): Promise<number | undefined> {
  const query = { warehouse_id };
  const there = await office.call("GET", "/api/admin/carriers", { query, expected: ["not_found"] });
  if (!there.ok) return undefined;
  const { account_id } = await foundOrMade(
    there.body.carrier_accounts,
    ({ account_name }) => account_name === plan.carrier.account_name,
    () => office.ok("POST", "/api/admin/carriers", { body: { warehouse_id, ...plan.carrier } }),
  );
  return account_id;
}

/** Opening stock, for a warehouse that has none at all. */
async function stockUp(office: Caller, house: House, items: Item[]): Promise<void> {
  const { total } = await office.ok("GET", "/api/admin/inventory", {
    query: { warehouse_id: house.warehouse_id, per_page: 1 },
  });
  if (total > 0) return;
  const records = items.map(({ sku, item_id }, i) => ({
    ...{ sku, warehouse: house.code, bin: house.shelfOf.get(item_id)?.bin_code },
    ...{ qty: plan.usualStock(i), memo: "Opening stock" },
  }));
  await office.ok("POST", "/api/admin/import/:entity_type", {
    params: { entity_type: "inventory-adjustments" },
    body: { records },
  });
}

/** What an earlier run left open is worked on. */
async function takeOverOrders(office: Caller, house: House): Promise<void> {
  const { warehouse_id, toPick, toPack, toShip, backorders } = house;
  const lists: Record<string, Order[]> = { OPEN: toPick, PICKED: toPack, PACKED: toShip };
  for (const order_type of ["sale", "backorder"])
    for (const status of [...Object.keys(lists), "WAITING_STOCK"]) {
      const query = { warehouse_id, status, order_type };
      for (const { so_id, so_number } of await all(office, "/api/admin/sales-orders", "sales_orders", query)) {
        const order = { so_id, so_number };
        const list = lists[status];
        if (list) list.push(order);
        // Who has waited until now waits on.
        else backorders.push({ order, at: Number.POSITIVE_INFINITY });
      }
    }
}
