import assert from "node:assert/strict";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import { revertStatus } from "../../activities/sales-orders/revert.js";
import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { closeParcel, packRest, reopenParcel } from "../../activities/shipping/parcels/close.js";
import { openParcel, scanIntoParcel, takeOut, voidParcel } from "../../activities/shipping/parcels/pack.js";
import { shipParcel, shipParcelsOf, voidParcelShipment } from "../../activities/shipping/parcels/ship.js";
import { fulfill } from "../../activities/shipping/shipping.js";
import type { ParcelStatus } from "../../src/shipping/parcels/shapes.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { chosen, mix, type Operation, selling } from "../support/mixed-operations.js";
import { assertOrders } from "../support/order-invariants.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

/** Serials that packers may scan; more than there are units. */
const SERIALS = Array.from({ length: 14 }, (_, i) => `S${i}`);
const carriage = { tracking_number: "1Z", carrier: "UPS" };

for (const serial_policy of ["none", "at_shipping"])
  describe(`any sequence of packing, closing, shipping and taking back, of serials ${serial_policy}`, function () {
    this.timeout(300_000);
    const service = testService();

    async function openSite() {
      const warehouse_id = await fixtures.warehouse();
      const goods = await fixtures.item();
      await db.run("update items set serial_policy = $2, weight_lbs = 1 where item_id = $1", [
        goods.item_id,
        serial_policy,
      ]);
      for (const lot of ["A", "B", null])
        await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), goods.item_id, 4, lot);
      return { warehouse_id, ...goods, picker: await service.user({ role: "ADMIN" }) };
    }
    type Site = Awaited<ReturnType<typeof openSite>>;

    const ordersIn = ({ warehouse_id }: Site, ...statuses: string[]) =>
      db.rows<{ so_id: number }>(
        "select so_id from sales_orders where warehouse_id = $1 and status = any($2) order by so_id",
        [warehouse_id, statuses],
      );
    const parcelsIn = ({ warehouse_id }: Site, ...statuses: ParcelStatus[]) =>
      db.rows<{ parcel_id: number }>(
        "select parcel_id from parcels where warehouse_id = $1 and status = any($2) order by parcel_id",
        [warehouse_id, statuses],
      );
    const serialOf = (n: number) => (serial_policy === "none" ? {} : { serial_number: SERIALS[n % SERIALS.length] });
    const unitsOf = (units: number) => (serial_policy === "none" ? units : 1);

    const operations: Record<string, Operation<Site>> = {
      ...selling,
      verify: async (site, a, b, units, by) => {
        const order = chosen(await ordersIn(site, "PICKED"), a);
        const scan = { scanned_barcode: site.sku, quantity: unitsOf(units), ...serialOf(b) };
        if (order) await verifyItem({ ...order, ...scan }, actor(by));
      },
      open: async (site, a, _b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED"), a);
        if (order) await openParcel(order, actor(by));
      },
      scan: async (site, a, b, units, by) => {
        const parcel = chosen(await parcelsIn(site, "OPEN"), a);
        const lot_number = [null, null, "A", "B"][b % 4] as string | null;
        const scan = { scanned_barcode: site.sku, quantity: unitsOf(units), lot_number, ...serialOf(b) };
        if (parcel) await scanIntoParcel({ ...parcel, ...scan }, actor(by));
      },
      takeOut: async (site, a, b, _units, by) => {
        const lines = await db.rows<{ parcel_id: number; parcel_line_id: number }>(
          `select parcel_id, parcel_line_id from parcel_lines join parcels using (parcel_id)
           where warehouse_id = $1 and status = 'OPEN' order by parcel_line_id`,
          [site.warehouse_id],
        );
        const line = chosen(lines, a);
        if (line) await takeOut({ ...line, ...(b % 2 && { quantity: 1 }) }, actor(by));
      },
      close: async (site, a, _b, _units, by) => {
        const parcel = chosen(await parcelsIn(site, "OPEN"), a);
        if (parcel) await closeParcel(parcel, actor(by));
      },
      rest: async (site, a, _b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED"), a);
        if (order) await packRest(order, actor(by));
      },
      reopen: async (site, a, _b, _units, by) => {
        const parcel = chosen(await parcelsIn(site, "CLOSED"), a);
        if (parcel) await reopenParcel(parcel.parcel_id, actor(by));
      },
      void: async (site, a, _b, _units, by) => {
        const parcel = chosen(await parcelsIn(site, "OPEN", "CLOSED"), a);
        if (parcel) await voidParcel(parcel, actor(by));
      },
      completePacking: async (site, a, _b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED"), a);
        if (order) await completePacking(order, actor(by));
      },
      ship: async (site, a, _b, _units, by) => {
        const parcel = chosen(await parcelsIn(site, "CLOSED"), a);
        if (parcel) await shipParcel({ ...parcel, ...carriage }, actor(by));
      },
      shipAll: async (site, a, _b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED", "PACKED"), a);
        if (!order) return;
        await db.run("update parcels set tracking_number = '1Z' where so_id = $1 and tracking_number is null", [
          order.so_id,
        ]);
        await shipParcelsOf(order, actor(by));
      },
      fulfill: async (site, a, _b, _units, by) => {
        const order = chosen(await ordersIn(site, "PACKED"), a);
        if (order) await fulfill({ ...order, ...carriage }, actor(by));
      },
      voidShipment: async (site, a, _b, _units, by) => {
        const parcel = chosen(await parcelsIn(site, "SHIPPED"), a);
        if (parcel) await voidParcelShipment({ ...parcel, reason: "property" }, actor(by));
      },
      revert: async (site, a, b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED", "PACKED", "SHIPPED"), a);
        if (!order) return;
        const tasks = await db.rows<{ pick_task_id: number }>(
          `select pick_task_id from wave_pick_breakdown join pick_tasks using (pick_task_id)
           where wave_pick_breakdown.so_id = $1 and status = 'PICKED'`,
          [order.so_id],
        );
        const new_status = ["PACKED", "PICKED", "OPEN"][b % 3] as string;
        const release_pick_task_ids = new_status === "OPEN" || b % 5 === 0 ? tasks.map((one) => one.pick_task_id) : [];
        await revertStatus({ ...order, new_status, release_pick_task_ids }, actor(by));
      },
      cancel: async (site, a, b, _units, by) => {
        const order = chosen(await ordersIn(site, "PICKED", "PACKED"), a);
        if (order && b % 3 === 0) await cancelSalesOrder(order, actor(by));
      },
    };

    /** A site with two orders of five units that are picked, one of them in two parcels. */
    async function begun(): Promise<Site> {
      const site = await openSite();
      const does = (name: string, a = 0, b = 0, units = 1) => operations[name]?.(site, a, b, units, site.picker);
      await does("order", 0, 0, 5);
      await does("order", 0, 0, 5);
      await does("wave");
      for (let i = 0; i < 6; i++) await does("confirm");
      await does("complete");
      await does("open", 0);
      await does("open", 0);
      for (let i = 0; i < 2; i++) await does("scan", i, i * 4, 2);
      return site;
    }

    async function assertSound({ warehouse_id, item_id }: Site): Promise<void> {
      await assertOrders(warehouse_id);
      const misplaced = await db.rows(
        `select lot_number, units, picked from (
           select p.so_line_id, p.lot_number, sum(quantity) as units,
             (select sum(w.quantity_picked) from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
              join inventory v using (inventory_id)
              where w.so_line_id = p.so_line_id and t.status in ('PICKED', 'SHORT')
                and coalesce(v.lot_number, p.lot_number) = p.lot_number) as picked
           from parcel_lines p join parcels using (parcel_id)
           where warehouse_id = $1 and status <> 'VOIDED' and p.lot_number is not null
           group by p.so_line_id, p.lot_number) lots
         where units > picked`,
        [warehouse_id],
      );
      assert.deepEqual(misplaced, [], "more of a lot is in parcels than was picked of it");
      const packed = await db.row<{ units: number; serials: number }>(
        `select (select sum(quantity_packed)::int from sales_order_lines join sales_orders using (so_id)
                 where warehouse_id = $1) as units,
           (select count(*)::int from serials where item_id = $2 and state in ('PACKED', 'SHIPPED')) as serials`,
        [warehouse_id, item_id],
      );
      if (serial_policy !== "none") assert.equal(packed?.serials, packed?.units);
    }

    it("loses, doubles and ships no unit twice", () =>
      mix(operations, ["scan", "scan", "close", "rest", "ship", "voidShipment", "completePacking"], {
        begun,
        afterEach: assertSound,
        atEnd: async (site) => {
          await assertInvariants(site.warehouse_id);
          // What a test puts into the rows, and nothing else.
          assert.deepEqual(await unexplainedUnits(site.warehouse_id), [{ item_id: site.item_id, units: 12 }]);
        },
      }));
  });
