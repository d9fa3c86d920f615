import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/items";

describe("an item", () => {
  const service = testService({ worker: true });
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    [warehouse_id, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
    keeper = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["items"] });
  });

  const read = async (item_id: number) => (await service.admin.ok("GET", `${ROUTE}/${item_id}`)).item;
  const LOCK = "select from items where item_id = $1 for update";

  describe("that is edited", () => {
    it("changes what is sent of it, answers flat, and is audited", async () => {
      const { item_id, sku } = await fixtures.item();
      const before = await read(item_id);
      const default_bin_id = await fixtures.bin(warehouse_id, { code: "HOME-1" });
      const mark = await auditMark();
      const changes = {
        item_name: " Red mug ",
        description: "holds 500 ml",
        mpn: "RM-500",
        barcode_aliases: ["0400000000022"],
        category: "Kitchen",
        weight_lbs: 1.25,
        default_bin_id,
        reorder_point: 5,
        reorder_qty: 50,
        ...{ lot_policy: "required", requires_expiry: true, serial_policy: "at_shipping", lot_picking: "any_of_bin" },
        ...{ length_in: 4.5, width_in: 3.25, height_in: 4, is_hazardous: true, hs_code: "691200" },
        ...{ origin_country: "PT", customs_value_minor: 1290, customs_currency: "EUR" },
        ...{ shelf_life_days: 90, shelf_life_from: "receipt", min_days_at_receipt: 60, min_days_at_shipping: 30 },
      };
      const saved = await keeper.put(`${ROUTE}/${item_id}`, changes);
      assert.equal(saved.status, 200);
      const { updated_at, ...flat } = saved.body;
      assert.deepEqual(flat, {
        item_id,
        external_id: before.external_id,
        sku,
        item_name: "Red mug",
        description: "holds 500 ml",
        upc: before.upc,
        category: "Kitchen",
        weight_lbs: 1.25,
        default_bin_id,
        is_active: true,
        created_at: before.created_at,
      });
      assert.ok(updated_at > before.updated_at);
      assert.deepEqual(await read(item_id), {
        ...{ ...before, ...changes },
        ...{ item_name: "Red mug", default_bin_code: "HOME-1", updated_at },
      });
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "entity_type", "entity_id"), [["UPDATE", "ITEM", item_id]]);
      const changed = rows[0]?.details.changed as Record<string, object>;
      assert.deepEqual(
        [Object.keys(changed).sort(), changed.reorder_point],
        [Object.keys(changes).sort(), { old: 0, new: 5 }],
      );
    });

    it("gets fields emptied by null, and its UPC by an empty text, too", async () => {
      const { item_id } = await fixtures.item({ weight: "2.5" });
      const path = `${ROUTE}/${item_id}`;
      for (const upc of [null, " "]) {
        await keeper.ok("PUT", path, { upc: "12" });
        const saved = await keeper.ok("PUT", path, { upc, weight_lbs: null });
        assert.deepEqual([saved.upc, saved.weight_lbs], [null, null]);
      }
    });

    it("keeps a SKU and a UPC of its own, which it may send again", async () => {
      const [first, second] = [await fixtures.item(), await fixtures.item()];
      const path = `${ROUTE}/${second.item_id}`;
      for (const [body, error] of [
        [{ sku: first.sku }, `Duplicate SKU: ${first.sku} already exists`],
        [{ upc: first.upc }, `Duplicate UPC: ${first.upc} already exists`],
      ] as const) {
        assert.deepEqual(statusAndBody(await keeper.put(path, body)), [400, { error }]);
      }
      const { sku, upc } = second;
      assert.equal((await keeper.put(path, { sku, upc })).status, 200);
      const renamed = { sku: `${sku}-2`, upc: `${upc}-2` };
      await keeper.ok("PUT", path, renamed);
      const { item_id } = await fixtures.item();
      assert.equal((await keeper.put(`${ROUTE}/${item_id}`, { sku, upc })).status, 200);
    });

    it("gets its UPC alone, however many ask for it at once", async () => {
      const items = await Promise.all([1, 2, 3, 4].map(() => fixtures.item()));
      const answers = await Promise.all(items.map(({ item_id }) => keeper.put(`${ROUTE}/${item_id}`, { upc: "999" })));
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 400, 400, 400]);
    });

    it("by two at once keeps what each of them changed", async () => {
      const { item_id } = await fixtures.item();
      const edit = (body: object) => () => keeper.put(`${ROUTE}/${item_id}`, body);
      await queuedBehindLock(LOCK, [item_id], edit({ category: "Garden" }), edit({ reorder_point: 3 }));
      const { category, reorder_point } = await read(item_id);
      assert.deepEqual([category, reorder_point], ["Garden", 3]);
    });

    it("is refused a default bin that is unknown or not the user's", async () => {
      const path = `${ROUTE}/${(await fixtures.item()).item_id}`;
      const unknown = await keeper.put(path, { default_bin_id: 999_999 });
      assert.deepEqual([unknown.status, unknown.body], [400, { error: "Bin 999999 not found" }]);
      const far = await fixtures.bin(elsewhere);
      assert.equal((await keeper.put(path, { default_bin_id: far })).status, 403);
    });

    it("that is not there is 404", async () => {
      const path = `${ROUTE}/999999`;
      for (const missing of [
        await keeper.put(path, { sku: "X" }),
        await keeper.post(`${path}/archive`),
        await keeper.delete(path),
      ])
        assert.deepEqual([missing.status, missing.body], [404, { error: "Item not found" }]);
    });
  });

  it("is archived, and taken back the same way", async () => {
    const { item_id, sku } = await fixtures.item();
    const mark = await auditMark();
    const toggle = () => keeper.post(`${ROUTE}/${item_id}/archive`);
    const archived = await toggle();
    assert.deepEqual([archived.status, archived.body], [200, { message: `Item ${sku} archived`, is_active: false }]);
    assert.equal((await read(item_id)).is_active, false);
    assert.equal((await toggle()).body.is_active, true);
    assert.deepEqual(
      (await auditSince(mark)).map((row) => row.details.changed),
      [{ is_active: { old: true, new: false } }, { is_active: { old: false, new: true } }],
    );
  });

  describe("that is deleted", () => {
    const remove = async (item_id: number) => {
      const { status, body } = await keeper.delete(`${ROUTE}/${item_id}`);
      const [, reason] = (body.error ?? "").split(" cannot be deleted: ");
      return [status, reason ?? body.message];
    };
    /** An item with some units in a bin. */
    async function stocked(units: number) {
      const { item_id, sku } = await fixtures.item();
      const bin_id = await fixtures.bin(warehouse_id);
      await fixtures.stock(warehouse_id, bin_id, item_id, units);
      return { item_id, sku, bin_id };
    }
    const adjust = (item_id: number, bin_id: number, adjustment_type: string) =>
      service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id, bin_id, warehouse_id, adjustment_type },
        ...{ quantity: 4, reason: "found" },
      });

    it("takes its preferred bins, counts, adjustments and empty stock rows along", async () => {
      const { item_id, sku, bin_id } = await stocked(0);
      await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id });
      await adjust(item_id, bin_id, "ADD");
      await service.admin.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [bin_id] });
      await adjust(item_id, bin_id, "REMOVE");
      const mark = await auditMark();
      assert.deepEqual(await remove(item_id), [200, "Item deleted"]);
      for (const table of ["items", "preferred_bins", "inventory", "cycle_count_lines", "inventory_adjustments"]) {
        const left = await db.rows(`select from ${table} where item_id = $1`, [item_id]);
        assert.equal(left.length, 0, table);
      }
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
        ["DELETE", { sku, item_name: `Item ${sku}` }],
      ]);
    });

    it("has no stock on hand", async () => {
      const { item_id } = await stocked(1);
      assert.deepEqual(await remove(item_id), [400, "it has quantity on hand"]);
    });

    it("was never ordered", async () => {
      const { item_id } = await fixtures.item();
      const lines = [{ item_id, quantity: 1 }];
      const { po_id } = await fixtures.purchaseOrder(warehouse_id, lines);
      const advice = "orders name it; archive it instead";
      assert.deepEqual(await remove(item_id), [400, `purchase ${advice}`]);
      await db.run("delete from purchase_order_lines where po_id = $1", [po_id]);
      await fixtures.salesOrder(warehouse_id, lines);
      assert.deepEqual(await remove(item_id), [400, `sales ${advice}`]);
    });

    it("waits for the review of what was counted", async () => {
      const { item_id, bin_id } = await stocked(4);
      const path = "/api/inventory/cycle-count";
      const { counts } = await service.admin.ok("POST", `${path}/create`, { warehouse_id, bin_ids: [bin_id] });
      const { count_id } = counts[0];
      const { lines } = await service.admin.ok("GET", `${path}/${count_id}`);
      const { count_line_id } = lines[0];
      await service.admin.ok("POST", `${path}/submit`, { count_id, lines: [{ count_line_id, counted_quantity: 3 }] });
      await adjust(item_id, bin_id, "REMOVE");
      assert.deepEqual(await remove(item_id), [400, "adjustments of its stock wait for review"]);
    });

    it("was never moved", async () => {
      const { item_id, bin_id } = await stocked(4);
      const to_bin_id = await fixtures.bin(warehouse_id);
      await service.admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: bin_id, to_bin_id, quantity: 4 });
      await adjust(item_id, to_bin_id, "REMOVE");
      assert.deepEqual(await remove(item_id), [409, "moves of its stock name it; archive it instead"]);
      await read(item_id);
    });

    it("while units of it come: the first wins, the other is refused with the reason", async () => {
      const both = async () => {
        const { item_id } = await fixtures.item();
        const bin_id = await fixtures.bin(warehouse_id);
        return {
          item_id,
          add: () =>
            service.admin.post("/api/admin/adjustments/direct", {
              ...{ item_id, bin_id, warehouse_id, quantity: 4 },
              ...{ adjustment_type: "ADD", reason: "found" },
            }),
          remove: () => service.admin.delete(`${ROUTE}/${item_id}`),
        };
      };
      const kept = await both();
      const stayed = await queuedBehindLock(LOCK, [kept.item_id], kept.add, kept.remove);
      const gone = await both();
      const went = await queuedBehindLock(LOCK, [gone.item_id], gone.remove, gone.add);
      assert.deepEqual(pluck([...stayed, ...went], "status"), [201, 400, 200, 404]);
    });
  });
});
