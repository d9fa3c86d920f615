import assert from "node:assert/strict";
import { submitCount } from "../../activities/counting/submit.js";
import { expireStock } from "../../activities/lots/expire.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import {
  closeRecall,
  countRecalledBins,
  destroyRecalled,
  holdRecalledLot,
  markTold,
  openRecall,
} from "../../activities/recalls/index.js";
import { createReturn, receiveReturn } from "../../activities/returns/index.js";
import { adminShip } from "../../activities/sales-orders/admin-ship.js";
import { db as reading } from "../../src/platform/db/db.js";
import { recalledInOrder, takeRecallId } from "../../src/recalls/queries.js";
import { unitsOfLots } from "../../src/recalls/units.js";
import { openUnits } from "../../src/recalls/workflow.js";
import { db } from "../support/db.js";
import { type LotSite, lotId, lotNumber, moveLot, openLotSite, place, receiveLot } from "../support/lot-site.js";
import { chosen, mix, type Operation, selling } from "../support/mixed-operations.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

describe("any sequence of receipts, moves, sales, returns, holds, last days, counts and recalls", function () {
  this.timeout(300_000);
  const service = testService();

  const openSite = async () => openLotSite(await service.user({ role: "ADMIN" }));
  const recallsOf = async ({ item_id }: LotSite, isOpen = true) =>
    (
      await db.rows<{ recall_id: number }>(
        `select distinct recall_id from recalls join recall_lots using (recall_id) join lots using (lot_id)
         where item_id = $1 and (closed_at is null) = $2 order by 1`,
        [item_id, isOpen],
      )
    ).map(({ recall_id }) => recall_id);
  const because = { reason: "property" };

  const operations: Record<string, Operation<LotSite>> = {
    receive: (site, a, b, quantity, by) => receiveLot(site, { a, b, quantity }, by),
    move: moveLot,
    ...selling,
    ship: async ({ warehouse_id }, a, _b, _units, by) => {
      const picked = await db.rows<{ so_id: number }>(
        "select so_id from sales_orders where warehouse_id = $1 and status = 'PICKED' order by so_id",
        [warehouse_id],
      );
      const order = chosen(picked, a);
      if (!order) return;
      const before = await recalledInOrder(reading, order.so_id);
      await adminShip({ so_id: order.so_id, acknowledge_shortfall: false }, actor(by));
      // One that was closed meanwhile lets it go.
      const after = await recalledInOrder(reading, order.so_id);
      assert.ok(!before || !after, "units of an open recall were shipped");
    },
    // What comes back is of a lot that the order had, and no more of it than it had.
    comeBack: async ({ warehouse_id, item_id, ...site }, a, b, _units, by) => {
      const shipped = await db.rows<{ so_id: number; lot_number: string }>(
        `select w.so_id, lot_number from wave_pick_breakdown w join pick_tasks using (pick_task_id)
           join inventory v using (inventory_id) join sales_orders so on so.so_id = w.so_id
         where so.warehouse_id = $1 and so.status = 'SHIPPED'
         group by w.so_id, lot_number
         having sum(w.quantity_picked) > (
           select coalesce(sum(quantity_received), 0)
           from sales_orders back join item_receipts r on r.so_id = back.so_id
           where back.parent_so_id = w.so_id and r.lot_number = v.lot_number)
         order by 1, 2`,
        [warehouse_id],
      );
      const whose = chosen(shipped, a);
      if (!whose) return;
      const { so_id: original_so_id, lot_number } = whose;
      const id = await db.value<number>("select nextval(pg_get_serial_sequence('sales_orders', 'so_id'))::int");
      const one = { item_id, quantity: 1 };
      const { so_id } = await createReturn(id as number, { original_so_id, lines: [one] } as never, actor(by));
      const bin_id = place(site, b);
      await receiveReturn({ so_id, ...one, warehouse_id, bin_id, lot_number } as never, actor(by));
    },
    hold: async (site, a, b, _units, by) => {
      const lot = await lotId(site, a);
      const condition = (["HOLD", "QUARANTINE", "DAMAGED"] as const)[b % 3] as "HOLD";
      if (lot) await holdLot(lot, { condition, ...because }, actor(by));
    },
    release: async (site, a, _b, _units, by) => {
      const lot = await lotId(site, a);
      if (lot) await releaseLot(lot, because, actor(by));
    },
    expire: async ({ item_id, ...site }, a, b) => {
      await db.run(
        `update inventory set expiry_date = '2001-01-01'
         where item_id = $1 and bin_id = $2 and lot_number = $3 and quantity_on_hand > 0`,
        [item_id, place(site, b), lotNumber(a)],
      );
      await expireStock();
    },
    recall: async (site, a, b, _units, by) => {
      const lots = await Promise.all((b % 3 === 0 ? [a, a + 1] : [a]).map((n) => lotId(site, n)));
      const lot_ids = lots.filter((lot) => lot !== undefined);
      if (lot_ids.length === 0) return;
      const { recall_id, to_hold } = await openRecall(await takeRecallId(), { lot_ids, ...because }, actor(by));
      for (const lot of to_hold) await holdRecalledLot(recall_id, lot, actor(by));
      await countRecalledBins(recall_id, actor(by));
    },
    count: async ({ warehouse_id, ...site }, a, _b, _units, by) => {
      for (const recall of await recallsOf(site as LotSite)) await countRecalledBins(recall, actor(by));
      const counts = await db.rows<{ count_id: number }>(
        "select count_id from cycle_counts where warehouse_id = $1 and status = 'PENDING' order by 1",
        [warehouse_id],
      );
      const one = chosen(counts, a);
      if (!one) return;
      const lines = await db.rows<{ count_line_id: number; counted_quantity: number }>(
        `select count_line_id, expected_quantity as counted_quantity from cycle_count_lines where count_id = $1`,
        [one.count_id],
      );
      await submitCount({ ...one, lines } as never, actor(by));
    },
    tell: async (site, a, _b, _units, by) => {
      const recall = chosen(await recallsOf(site), a);
      const orders = await db.rows<{ so_id: number }>(
        "select so_id from sales_orders where warehouse_id = $1 and status = 'SHIPPED' order by 1",
        [site.warehouse_id],
      );
      const order = chosen(orders, a);
      if (recall && order) await markTold(recall, { so_ids: [order.so_id] }, actor(by));
    },
    destroy: async (site, a, b, quantity, by) => {
      const recall = chosen(await recallsOf(site), a);
      const rows = await db.rows<{ inventory_id: number }>(
        "select inventory_id from inventory where item_id = $1 and quantity_on_hand > 0 order by 1",
        [site.item_id],
      );
      const row = chosen(rows, b);
      if (recall && row) await destroyRecalled(recall, { ...row, quantity, ...because }, actor(by));
    },
    close: async (site, a, b, _units, by) => {
      const recall = chosen(await recallsOf(site), a);
      if (!recall) return;
      const force = b % 4 === 0;
      const { units } = await closeRecall(recall, { ...because, force }, actor(by));
      assert.ok(force || openUnits(units) === 0, "closed with open units");
    },
  };

  /** A site with units of both lots, of which some are picked and shipped. */
  async function begun(): Promise<LotSite> {
    const site = await openSite();
    for (const [does, a, b] of [
      ...([
        ["receive", 0, 0],
        ["receive", 1, 1],
        ["order", 0, 0],
        ["wave", 0, 0],
        ["confirm", 0, 0],
      ] as const),
      ...([
        ["confirm", 0, 0],
        ["complete", 0, 0],
        ["ship", 0, 0],
        ["order", 0, 0],
        ["wave", 0, 0],
      ] as const),
    ])
      await operations[does]?.(site, a, b, 4, site.picker);
    return site;
  }

  /** Every unit of a recalled lot that came from a vendor is in one state, and none is there that did not come. */
  async function assertAccounted(site: LotSite): Promise<void> {
    const all = [...(await recallsOf(site)), ...(await recallsOf(site, false))];
    for (const recall of all)
      for (const [lot, { known: _, adjusted_out, ...states }] of await unitsOfLots(reading, recall)) {
        const came = await db.value<number>(
          `select coalesce(sum(quantity_received), 0)::int from item_receipts join lots using (item_id, lot_number)
           where lot_id = $1 and po_id is not null`,
          [lot],
        );
        // What an earlier recall had destroyed is none of its own.
        const gone = await db.value<number>(
          "select coalesce(sum(quantity), 0)::int from recall_destructions where lot_id = $1 and recall_id <> $2",
          [lot, recall],
        );
        const there = Object.values(states).reduce((sum, units) => sum + units, 0);
        assert.equal(there + (gone as number), came, JSON.stringify(states));
        if (gone === 0) assert.equal(adjusted_out, 0);
      }
  }

  /** What came of each lot lies somewhere, is with an order, or was destroyed. */
  const keptLots = ({ item_id }: LotSite) =>
    db.rows(
      `select lot_number,
         (select coalesce(sum(quantity_received), 0) from item_receipts r
          where r.item_id = l.item_id and r.lot_number = l.lot_number)
         - (select coalesce(sum(quantity_on_hand), 0) from inventory v
            where v.item_id = l.item_id and v.lot_number = l.lot_number)
         - (select coalesce(sum(t.quantity_picked), 0) from pick_tasks t join inventory v using (inventory_id)
            where v.item_id = l.item_id and v.lot_number = l.lot_number and t.status in ('PICKED', 'SHORT'))
         - (select coalesce(sum(quantity), 0) from recall_destructions d where d.lot_id = l.lot_id) as missing
       from lots l where item_id = $1`,
      [item_id],
    );

  it("ships nothing that is called back, accounts for each unit, and keeps the sum of each lot", async () => {
    const often = ["receive", "order", "wave", "confirm", "complete", "ship", "recall", "count", "tell", "close"];
    await mix(operations, often, {
      begun,
      afterEach: async (site) => {
        await assertAccounted(site);
        for (const lot of await keptLots(site)) assert.equal((lot as { missing: number }).missing, 0);
      },
      atEnd: async () => {},
    });
  });
});
