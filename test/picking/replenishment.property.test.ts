import assert from "node:assert/strict";
import fc from "fast-check";
import { confirmReplenishment, reportShortReplenishment } from "../../activities/picking/replenishment/carry.js";
import {
  cancelReplenishment,
  giveBackReplenishment,
  takeReplenishment,
} from "../../activities/picking/replenishment/take.js";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import type { Actor } from "../../src/platform/actor.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertHeld, assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { look, overPromised } from "../support/replenishments.js";
import { SEED } from "../support/seed.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { actor } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_REPLENISHMENT_SEQUENCES ?? 15);

interface Site {
  warehouse_id: number;
  item_id: number;
  face: number;
  reserves: number[];
}
interface Deed {
  does: keyof typeof deeds;
  pick: number;
  units: number;
  who: number;
}

const nth = <T>(things: T[], at: number): T => things[at % things.length] as T;
const aTask = async ({ warehouse_id }: Site, pick: number, status: string) => {
  const found = await db.rows<{ replenishment_id: number; left: number }>(
    `select replenishment_id, quantity - quantity_done as left from replenishments
     where warehouse_id = $1 and status = $2 order by replenishment_id`,
    [warehouse_id, status],
  );
  return found.length > 0 ? nth(found, pick) : { replenishment_id: 0, left: 1 };
};
const adjust = ({ warehouse_id, item_id }: Site, bin_id: number, quantity: number, type: "ADD" | "REMOVE", by: Actor) =>
  adjustDirectly({ warehouse_id, item_id, bin_id, quantity, adjustment_type: type, reason: "found" }, by);

/** What floor and desk do; a deed that names nothing that is there is refused. */
const deeds = {
  look: ({ warehouse_id }: Site) => look(warehouse_id),
  take: ({ warehouse_id }: Site, _: Deed, by: Actor) => takeReplenishment({ warehouse_id }, by),
  carry: async (site: Site, { pick, units }: Deed, by: Actor) => {
    const { replenishment_id, left } = await aTask(site, pick, "TAKEN");
    return confirmReplenishment({ replenishment_id, quantity: Math.min(left, units) }, by);
  },
  short: async (site: Site, { pick }: Deed, by: Actor) =>
    reportShortReplenishment((await aTask(site, pick, "TAKEN")).replenishment_id, by),
  giveBack: async (site: Site, { pick }: Deed, by: Actor) =>
    giveBackReplenishment((await aTask(site, pick, "TAKEN")).replenishment_id, by),
  cancel: async (site: Site, { pick }: Deed, by: Actor) =>
    cancelReplenishment((await aTask(site, pick, "OPEN")).replenishment_id, by),
  order: ({ warehouse_id, item_id }: Site, { units }: Deed, by: Actor) =>
    createSalesOrder({ so_number: `P-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered: units }] }, by),
  cancelOrder: async ({ warehouse_id }: Site, { pick }: Deed, by: Actor) => {
    const orders = await db.rows<{ so_id: number }>(
      "select so_id from sales_orders where warehouse_id = $1 and status = 'OPEN' order by so_id",
      [warehouse_id],
    );
    return cancelSalesOrder({ so_id: orders.length > 0 ? nth(orders, pick).so_id : 0 }, by);
  },
  find: (site: Site, { pick, units }: Deed, by: Actor) => adjust(site, nth(site.reserves, pick), units * 3, "ADD", by),
  lose: (site: Site, { pick, units }: Deed, by: Actor) => adjust(site, nth(site.reserves, pick), units, "REMOVE", by),
  sell: (site: Site, { units }: Deed, by: Actor) => adjust(site, site.face, units, "REMOVE", by),
  move: ({ item_id, reserves }: Site, { pick, units }: Deed, by: Actor) =>
    moveBetweenBins(
      { item_id, from_bin_id: nth(reserves, pick), to_bin_id: nth(reserves, pick + 1), quantity: units },
      by,
    ),
};

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.oneof(
    ...(Object.keys(deeds) as (keyof typeof deeds)[]).map((value) => ({
      weight: ["look", "take", "carry", "order", "find"].includes(value) ? 4 : 1,
      arbitrary: fc.constant(value),
    })),
  ),
  ...{ pick: fc.nat(9), units: fc.integer({ min: 1, max: 9 }), who: fc.nat(2) },
});

describe("replenishment, whatever happens at the same moment", function () {
  this.timeout(60_000 + SEQUENCES * 4_000);
  const service = testService();
  let people: Caller[];
  before(async () => {
    people = await Promise.all([0, 1, 2].map(() => service.user({ role: "ADMIN" })));
  });

  async function openSite(): Promise<Site> {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const face = await fixtures.bin(warehouse_id);
    const reserves = [];
    for (const units of [6, 9, 0]) {
      const bin_id = await fixtures.bin(warehouse_id, { is_reserve: true });
      if (units > 0) await fixtures.stock(warehouse_id, bin_id, item_id, units);
      reserves.push(bin_id);
    }
    const limits = { min_units: 3, max_units: 12, case_units: 4 };
    await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
    return { warehouse_id, item_id, face, reserves };
  }

  const act = async (site: Site, one: Deed) => {
    try {
      await deeds[one.does](site, one, actor(nth(people, one.who)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  };
  /** The units that each line of an open order has reserved. */
  const reserved = ({ warehouse_id }: Site) =>
    db.rows(
      `select so_line_id, sum(quantity)::int as units from stock_reservations join sales_order_lines using (so_line_id)
         join sales_orders so using (so_id) where so.warehouse_id = $1 group by so_line_id order by so_line_id`,
      [warehouse_id],
    );

  it("doubles and loses no unit, and takes none from an order", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), { maxLength: 14 }), async (steps) => {
        const site = await openSite();
        const { warehouse_id } = site;
        const before = await unexplainedUnits(warehouse_id);
        for (const step of steps) {
          await Promise.all(step.map((one) => act(site, one)));
          await assertInvariants(warehouse_id);
          await assertHeld(warehouse_id);
          assert.deepEqual(await unexplainedUnits(warehouse_id), before);
          const promised = await reserved(site);
          await act(site, { does: "carry", pick: 0, units: 2, who: 0 });
          assert.deepEqual(await reserved(site), promised);
        }
        await look(warehouse_id);
        const over = await overPromised(warehouse_id);
        const carried = await db.value<number>(
          "select count(*)::int as n from replenishments where warehouse_id = $1 and status = 'TAKEN'",
          [warehouse_id],
        );
        // What somebody carries already is not taken away: who carries it finds less.
        assert.ok(over.length === 0 || (carried ?? 0) > 0);
      }),
      { seed: SEED, numRuns: SEQUENCES },
    ));
});
