import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, stock } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { confirm, testSites, transferOrder, walk } from "../support/transfers.js";
import { pickedOrder } from "../support/walk.js";

describe("units keep their lot and expiry", () => {
  const service = testService({ worker: true });
  const sites = testSites();
  afterEach(() => assertInvariants());

  const there = async (item_id: number, bin_id: number) => {
    const rows = await db.rows<{ lot_number: string | null; expiry_date: string | null; units: number }>(
      `select lot_number, expiry_date, quantity_on_hand as units from inventory
       where item_id = $1 and bin_id = $2 and quantity_on_hand > 0 order by lot_number`,
      [item_id, bin_id],
    );
    return rows.map((row) => [row.lot_number, row.expiry_date, row.units]);
  };
  const expires = (item_id: number, day: string) =>
    db.run(
      `with lot as (update lots set expiry_date = $2 where item_id = $1)
       update inventory set expiry_date = $2 where item_id = $1`,
      [item_id, day],
    );

  for (const lot of [null, "L-1"]) {
    const kind = lot ? "of a lot" : "without lot";

    it(`${kind}, when a transfer order moves them`, async () => {
      const goods = await sites.goods(10, lot);
      await expires(goods.item_id, "2027-02-01");
      const picker = await service.user({ role: "ADMIN" });
      const order = await transferOrder(picker, sites, [{ item_id: goods.item_id, quantity: 4 }]);
      const { tasks } = await walk(picker, order.to_id);
      await confirm(picker, tasks[0] as (typeof tasks)[0], 4);
      const { to_approval_id } = await picker.ok("POST", `/api/admin/picker/transfer-orders/${order.to_id}/submit`);
      await service.admin.ok("POST", `${order.path}/approvals/${to_approval_id}/approve`);
      assert.deepEqual(await there(goods.item_id, sites.staging), [[lot, "2027-02-01", 4]]);
    });

    it(`${kind}, when they are moved to another warehouse at once`, async () => {
      const goods = await sites.goods(10, lot);
      await expires(goods.item_id, "2027-02-02");
      await service.admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
        ...{ item_id: goods.item_id, quantity: 3, from_bin_id: sites.bin_id, to_bin_id: sites.staging },
        ...{ from_warehouse_id: sites.source, to_warehouse_id: sites.destination },
      });
      assert.deepEqual(await there(goods.item_id, sites.staging), [[lot, "2027-02-02", 3]]);
    });

    for (const how of ["reverted", "cancelled"] as const)
      it(`${kind}, when their order is ${how}`, async () => {
        const mug = await item();
        const order = await pickedOrder(service.admin, sites.source, [{ item: mug, quantity: 2, ...(lot && { lot }) }]);
        await expires(mug.item_id, "2027-02-03");
        const path = `/api/admin/sales-orders/${order.so_id}`;
        const { pick_tasks } = await service.admin.ok("GET", path);
        const release_pick_task_ids = pick_tasks.map((task: { pick_task_id: number }) => task.pick_task_id);
        if (how === "cancelled") await service.admin.ok("POST", `${path}/cancel`);
        else await service.admin.ok("POST", `${path}/revert-status`, { new_status: "OPEN", release_pick_task_ids });
        const rows = await db.rows<{ lot_number: string | null; expiry_date: string; units: number }>(
          `select lot_number, expiry_date, quantity_on_hand as units from inventory
           where item_id = $1 and quantity_on_hand > 0`,
          [mug.item_id],
        );
        assert.deepEqual(rows, [{ lot_number: lot, expiry_date: "2027-02-03", units: 2 }]);
      });

    it(`${kind}, as they are received again after a wrong expiry was taken back`, async () => {
      const goods = await item();
      const [dock, shelf] = [await bin(sites.source, { type: "Staging" }), await bin(sites.source)];
      const { po_id } = await purchaseOrder(sites.source, [{ item_id: goods.item_id, quantity: 6 }]);
      const receive = async (expiry_date: string) => {
        const units = { item_id: goods.item_id, quantity: 6, bin_id: dock, expiry_date, lot_number: lot };
        const { receipt_ids } = await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [units] });
        await service.admin.ok("POST", "/api/transfers/move", {
          ...{ item_id: goods.item_id, from_bin_id: dock, to_bin_id: shelf, quantity: 6, lot_number: lot },
        });
        return receipt_ids[0] as number;
      };
      const wrong = await receive("2026-12-01");
      assert.deepEqual(await there(goods.item_id, shelf), [[lot, "2026-12-01", 6]]);
      await service.admin.ok("POST", `/api/admin/receipts/${wrong}/unreceive`, {});
      await receive("2028-12-01");
      assert.deepEqual(await there(goods.item_id, shelf), [[lot, "2028-12-01", 6]]);
    });
  }

  it("of a lot that is in the house, where nobody said when they expire", async () => {
    const goods = await item();
    const [first, second] = [await bin(sites.source), await bin(sites.source)];
    await stock(sites.source, first, goods.item_id, 5, "L-2");
    await expires(goods.item_id, "2027-05-05");
    const { po_id } = await purchaseOrder(sites.source, [{ item_id: goods.item_id, quantity: 1 }]);
    const units = { item_id: goods.item_id, quantity: 1, bin_id: second, lot_number: "L-2" };
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [units] });
    assert.deepEqual(await there(goods.item_id, second), [["L-2", "2027-05-05", 1]]);
  });
});
