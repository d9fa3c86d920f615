import assert from "node:assert/strict";
import { command } from "../../activities/command.js";
import { decideInspection } from "../../activities/lots/decide-inspection.js";
import { holdStock, releaseHold } from "../../activities/lots/hold-stock.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import { setStock } from "../../activities/stock/adjust-stock.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { AVAILABLE, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import { db } from "../support/db.js";
import { bin, item, warehouse } from "../support/fixtures.js";
import { assertHeld, unexplainedUnits } from "../support/invariants.js";
import { chosen, mix, type Operation, selling } from "../support/mixed-operations.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

const CONDITIONS = ["HOLD", "QUARANTINE", "DAMAGED"] as const;
const DECISIONS = ["release", "hold", "damage", "return_to_supplier"] as const;

describe("any sequence of holds of parts, decisions, moves, counts, corrections, orders and picks", function () {
  this.timeout(300_000);
  const service = testService();

  /** A warehouse with two bins and one from which nothing is sold, with units without lot and of one. */
  async function openSite() {
    const warehouse_id = await warehouse();
    const bins = [await bin(warehouse_id), await bin(warehouse_id), await bin(warehouse_id)];
    await db.run(
      "update zones set zone_type = 'QUALITY' where zone_id = (select zone_id from bins where bin_id = $1)",
      [bins[2]],
    );
    return { warehouse_id, bins, ...(await item()), picker: await service.user({ role: "ADMIN" }) };
  }
  type Site = Awaited<ReturnType<typeof openSite>>;

  const place = ({ bins }: Site, n: number) => bins[n % bins.length] as number;
  const lot = (n: number) => (n % 2 === 0 ? null : "A");
  const rowsOf = ({ item_id }: Site) =>
    db.rows<{ inventory_id: number }>("select inventory_id from inventory where item_id = $1 order by 1", [item_id]);
  const holdsOf = ({ warehouse_id }: Site) =>
    db.rows<{ hold_id: number }>(
      `select hold_id from stock_holds join inventory using (inventory_id)
       where warehouse_id = $1 and quantity_held > 0 order by 1`,
      [warehouse_id],
    );
  const openInspections = ({ item_id }: Site) =>
    db.rows<{ inspection_id: number }>(
      "select inspection_id from inspections where item_id = $1 and closed_at is null order by 1",
      [item_id],
    );
  const lotId = ({ item_id }: Site) => db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
  const because = { reason: "property" };

  const operations: Record<string, Operation<Site>> = {
    add: async ({ warehouse_id, item_id, ...site }, a, _b, quantity, by) => {
      const bin_id = place(site as Site, a);
      const addition = { item_id, bin_id, warehouse_id, adjustment_type: "ADD" as const, quantity, ...because };
      return adjustDirectly(addition, actor(by));
    },
    remove: async ({ warehouse_id, item_id, ...site }, a, _b, quantity, by) => {
      const bin_id = place(site as Site, a);
      const removal = { item_id, bin_id, warehouse_id, adjustment_type: "REMOVE" as const, quantity, ...because };
      return adjustDirectly(removal, actor(by));
    },
    // As a pushed stock level sets it; what a count finds is applied by the same code.
    set: async (site, a, _b, units, by) => {
      const { warehouse_id: warehouseId, item_id: itemId } = site;
      const found = { itemId, binId: place(site, a), binCode: "", warehouseId };
      await command("property.set", actor(by), { ...found, units }, async (tx) => {
        const difference = await setStock(tx, found, units, "adjustment");
        await tx.run(
          `insert into inventory_adjustments
               (item_id, bin_id, warehouse_id, quantity_change, reason_code, status)
             values ($1, $2, $3, $4, 'SET', 'APPROVED')`,
          [itemId, found.binId, warehouseId, difference],
        );
      });
    },
    move: (site, a, b, quantity, by) =>
      moveBetweenBins(
        {
          ...{ item_id: site.item_id, quantity, lot_number: lot(b) },
          ...{ from_bin_id: place(site, a), to_bin_id: place(site, a + 1 + (b % 2)) },
        } as never,
        actor(by),
      ),
    ...selling,
    hold: async (site, a, b, units, by) => {
      const row = chosen(await rowsOf(site), a);
      const condition = CONDITIONS[b % CONDITIONS.length] as "HOLD";
      const quantity = b % 5 === 0 ? null : units;
      if (row) await holdStock(row.inventory_id, { quantity, condition, ...because }, actor(by));
    },
    release: async (site, a, b, units, by) => {
      const held = chosen(await holdsOf(site), a);
      if (held) await releaseHold(held.hold_id, { quantity: b % 2 ? units : null, ...because }, actor(by));
    },
    decide: async (site, a, b, units, by) => {
      const open = chosen(await openInspections(site), a);
      const decision = DECISIONS[b % DECISIONS.length] as "release";
      const quantity = b % 3 ? units : null;
      if (open) await decideInspection(open.inspection_id, { decision, quantity, ...because }, actor(by));
    },
    holdLot: async (site, _a, b, _units, by) => {
      const lot = await lotId(site);
      const condition = CONDITIONS[b % CONDITIONS.length] as "HOLD";
      if (lot) await holdLot(lot, { condition, ...because }, actor(by));
    },
    releaseLot: async (site, _a, _b, _units, by) => {
      const lot = await lotId(site);
      if (lot) await releaseLot(lot, because, actor(by));
    },
  };

  /** A site with eight units without lot and four of one, orders, a wave, and a hold. */
  async function begun(): Promise<Site> {
    const site = await openSite();
    const { warehouse_id, item_id, bins } = site;
    const units = { item_id, warehouse_id, reason: "property" };
    for (const [bin_id, quantity] of [
      [bins[0], 5],
      [bins[1], 3],
    ] as const)
      await adjustDirectly(
        { ...units, bin_id: bin_id as number, adjustment_type: "ADD", quantity },
        actor(site.picker),
      );
    await db.run(
      `with made as (insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand, lot_number)
         values ($1, $2, $3, 4, 'A'))
       insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, status)
       values ($1, $2, $3, 4, 'FIRST', 'APPROVED')`,
      [item_id, bins[0], warehouse_id],
    );
    for (const [does, a, b, quantity] of [
      ["order", 0, 0, 4],
      ["wave", 0, 0, 1],
      ["order", 0, 0, 2],
      ["hold", 0, 1, 2],
    ] as const)
      await operations[does]?.(site, a, b, quantity, site.picker);
    return site;
  }

  /** No row promises, or offers, units that are held: its claims and what is held are no more than lies there. */
  async function assertWithdrawn({ warehouse_id }: Site): Promise<void> {
    const promised = await db.rows(
      `select v.inventory_id, quantity_on_hand, h.held, r.units as promised, ${AVAILABLE} as available
       from inventory v ${SELLABLE_JOINS}
       cross join lateral (select coalesce(sum(quantity_held), 0) as held from stock_holds
         where inventory_id = v.inventory_id) h
       cross join lateral (select (select coalesce(sum(quantity), 0) from stock_reservations
           where inventory_id = v.inventory_id)
         + (select coalesce(sum(quantity_to_pick), 0) from pick_tasks
            where inventory_id = v.inventory_id and status = 'PENDING') as units) r
       where v.warehouse_id = $1 and r.units + h.held + ${AVAILABLE} > quantity_on_hand`,
      [warehouse_id],
    );
    assert.deepEqual(promised, []);
  }

  it("promises and ships nothing that is held, and keeps every unit", async () => {
    await mix(operations, ["hold", "hold", "decide", "order", "wave", "confirm", "move"], {
      begun,
      afterEach: async (site) => {
        await assertWithdrawn(site);
        await assertHeld(site.warehouse_id);
      },
      atEnd: async (site) => assert.deepEqual(await unexplainedUnits(site.warehouse_id), []),
    });
  });
});
