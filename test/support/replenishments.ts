import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { releaseAsked } from "../../activities/picking/release-waves.js";
import { lookForReplenishment } from "../../activities/picking/replenishment/look.js";
import type { Replenishment } from "../../src/picking/replenishment/shapes.js";
import { WaveToPlan } from "../../src/picking/waves/shapes.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { actor } from "./walk.js";

/** Looks at a warehouse once, as its workflow does. */
export async function look(warehouse_id: number) {
  const { open, urgent, made } = await lookForReplenishment(warehouse_id, `look ${randomUUID()}`);
  return { open, urgent, made };
}

interface Site {
  warehouse_id: number;
  by: Caller;
}

/** An item with a pick face, which is empty, and so many units in a reserve bin. */
export async function faced({ warehouse_id, by }: Site, { units = 20, min = 4, max = 10, case_units = 1 } = {}) {
  const goods = await fixtures.item();
  const { item_id } = goods;
  const face = await fixtures.bin(warehouse_id);
  const reserve = await fixtures.bin(warehouse_id, { is_reserve: true });
  const inventory_id = await fixtures.stock(warehouse_id, reserve, item_id, units);
  const limits = { min_units: min, max_units: max, case_units };
  await by.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
  return { ...goods, face, reserve, inventory_id };
}

/** A task of a warehouse to fill up a pick face. */
export async function replenishmentTask(site: Site): Promise<Replenishment> {
  const { item_id } = await faced(site);
  await look(site.warehouse_id);
  const { replenishments } = await site.by.ok("GET", `/api/admin/replenishments?item_id=${item_id}`);
  return replenishments[0];
}

/**
 * An order of a release that waits for units from reserve: the id of what waits. Nobody tells the warehouse's workflow:
 * it would look at any time, and a test that counts what a request writes would count its look, too.
 */
export async function waitingWave(site: Site): Promise<number> {
  const { warehouse_id, by } = site;
  const { item_id, sku: customer_id } = await faced(site);
  const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 4 }]);
  await db.run("update sales_orders set customer_id = $2 where so_id = $1", [so_id, customer_id]);
  const asked = WaveToPlan.parse({ warehouse_id, filter: { customer_id } });
  const { waiting } = await releaseAsked(asked, actor(by));
  await look(warehouse_id);
  return waiting?.waiting_id ?? assert.fail("nothing waits for reserve");
}

/** One that the caller has taken. */
export async function takenTask(site: Site): Promise<Replenishment> {
  const { replenishment_id } = await replenishmentTask(site);
  return site.by.ok("POST", "/api/replenishment/take", { warehouse_id: site.warehouse_id, replenishment_id });
}

/** Puts so many units on the face of a task that no look makes another one after it. */
export const fillFace = ({ warehouse_id, to_bin_id, item_id, quantity }: Replenishment) =>
  fixtures.stock(warehouse_id, to_bin_id, item_id, quantity);

/** What breaks the rules of a warehouse's tasks: units that are in two of them, or that their row does not have. */
export const overPromised = (warehouse_id: number) =>
  db.rows<{ inventory_id: number }>(
    `select v.inventory_id from replenishments r join inventory v on v.item_id = r.item_id and v.bin_id = r.from_bin_id
       and v.lot_number is not distinct from r.lot_number
     where r.warehouse_id = $1 and r.status in ('OPEN', 'TAKEN')
     group by v.inventory_id having sum(r.quantity - r.quantity_done) > min(v.quantity_on_hand)`,
    [warehouse_id],
  );
