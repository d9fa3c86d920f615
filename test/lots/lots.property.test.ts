import assert from "node:assert/strict";
import { expireStock } from "../../activities/lots/expire.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import { mergeLots } from "../../activities/lots/merge.js";
import { db } from "../support/db.js";
import { type LotSite, lotId, lotNumber, moveLot, openLotSite, place, receiveLot } from "../support/lot-site.js";
import { mix, type Operation, pendingTasks, selling } from "../support/mixed-operations.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

describe("any sequence of receipts, moves, orders, picks, holds, releases, merges and last days", function () {
  this.timeout(300_000);
  const service = testService();

  const openSite = async () => openLotSite(await service.user({ role: "ADMIN" }));

  const operations: Record<string, Operation<LotSite>> = {
    receive: (site, a, b, quantity, by) =>
      receiveLot(site, { a, b, quantity, expiry_date: b % 3 === 0 ? null : `209${b % 9}-01-01` }, by),
    move: moveLot,
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
        [item_id, place(site, b), lotNumber(a)],
      );
      await expireStock();
    },
  };

  /** A site with units of both lots, and a wave that picks some of them. */
  async function begun(): Promise<LotSite> {
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
  async function assertWithdrawn({ warehouse_id }: LotSite): Promise<void> {
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
