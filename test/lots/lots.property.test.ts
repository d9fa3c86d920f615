import assert from "node:assert/strict";
import { expireStock } from "../../activities/lots/expire.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import { mergeLots } from "../../activities/lots/merge.js";
import { receive } from "../../activities/receiving/receive.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { mix, type Operation, pendingTasks, selling } from "../support/mixed-operations.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

const LOTS = ["A", "B"];

describe("any sequence of receipts, moves, orders, picks, holds, releases, merges and last days", function () {
  this.timeout(300_000);
  const service = testService();

  /** A warehouse with three bins, an item that is expected, and a user who picks. */
  async function openSite() {
    const warehouse_id = await warehouse();
    const bins = [await bin(warehouse_id), await bin(warehouse_id), await bin(warehouse_id, { type: "Staging" })];
    const { item_id, sku } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 1_000 }]);
    return { warehouse_id, bins, item_id, sku, po_id, picker: await service.user({ role: "ADMIN" }) };
  }
  type Site = Awaited<ReturnType<typeof openSite>>;

  const place = ({ bins }: Site, n: number) => bins[n % bins.length] as number;
  const lotNumber = (n: number) => LOTS[n % LOTS.length] as string;
  const lotId = ({ item_id }: Site, n: number) =>
    db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, lotNumber(n)]);

  const operations: Record<string, Operation<Site>> = {
    receive: ({ po_id, item_id, ...site }, a, b, quantity, by) => {
      const expiry_date = b % 3 === 0 ? null : `209${b % 9}-01-01`;
      const units = { item_id, quantity, bin_id: place(site as Site, b), lot_number: lotNumber(a), expiry_date };
      return receive({ po_id, items: [units] } as never, actor(by));
    },
    move: (site, a, b, quantity, by) =>
      moveBetweenBins(
        {
          ...{ item_id: site.item_id, quantity, lot_number: lotNumber(a) },
          ...{ from_bin_id: place(site, b), to_bin_id: place(site, b + 1) },
        } as never,
        actor(by),
      ),
    ...selling,
    hold: async (site, a, b, _units, by) => {
      const lot = await lotId(site, a);
      const condition = (["HOLD", "QUARANTINE", "DAMAGED"] as const)[b % 3] as "HOLD";
      if (lot) await holdLot(lot, { condition, reason: "property" }, actor(by));
    },
    release: async (site, a, _b, _units, by) => {
      const lot = await lotId(site, a);
      if (lot) await releaseLot(lot, { reason: "property" }, actor(by));
    },
    merge: async (site, a, _b, _units, by) => {
      const [from, into] = [await lotId(site, a), await lotId(site, a + 1)];
      if (from && into) await mergeLots(from, { into_lot_id: into, reason: "property" }, actor(by));
    },
    expire: async ({ item_id, ...site }, a, b) => {
      await db.run(
        `update inventory set expiry_date = '2001-01-01'
         where item_id = $1 and bin_id = $2 and lot_number = $3 and quantity_on_hand > 0`,
        [item_id, place(site as Site, b), lotNumber(a)],
      );
      await expireStock();
    },
  };

  /** A site with units of both lots, and a wave that picks some of them. */
  async function begun(): Promise<Site> {
    const site = await openSite();
    for (const [does, a, b] of [
      ["receive", 0, 1],
      ["receive", 1, 3],
      ["order", 0, 0],
      ["wave", 0, 0],
    ] as const)
      await operations[does]?.(site, a, b, 4, site.picker);
    assert.ok((await pendingTasks(site)).length > 0);
    return site;
  }

  /** What is held or has expired is in no reservation, in no pick to come, and no pick of it was made since. */
  async function assertWithdrawn({ warehouse_id }: Site): Promise<void> {
    const promised = await db.rows(
      `select inventory_id, condition from inventory v where warehouse_id = $1 and condition <> 'AVAILABLE' and exists (
         select from pick_tasks t where t.inventory_id = v.inventory_id and t.status = 'PENDING')`,
      [warehouse_id],
    );
    assert.deepEqual(promised, []);
  }

  it("sells nothing that is held or has expired, and keeps every unit", async () => {
    await mix(operations, ["receive", "receive", "order", "wave", "confirm", "hold", "release"], {
      begun,
      afterEach: assertWithdrawn,
      atEnd: async (site) => {
        const kept = await db.row(
          `select (select coalesce(sum(quantity_received), 0) from item_receipts where item_id = $1)
             = (select coalesce(sum(quantity_on_hand), 0) from inventory where item_id = $1)
             + (select coalesce(sum(quantity_picked), 0) from pick_tasks where item_id = $1
                and status in ('PICKED', 'SHORT')) as whole`,
          [site.item_id],
        );
        assert.deepEqual(kept, { whole: true });
      },
    });
  });
});
