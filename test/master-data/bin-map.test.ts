import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";

const MAP = "/api/admin/bins/map";

describe("the map of a warehouse's bins", () => {
  const { at } = pickFloor();
  let house: number;
  let user: Caller;
  beforeEach(async () => {
    house = await fixtures.warehouse();
    user = await at().service.user({ warehouse_ids: [house], page_keys: ["bins"] });
  });

  const place = async (aisle: string, row: string, level: string, fields: object = {}) => {
    const bin_id = await fixtures.bin(house, fields);
    await db.run(
      `update bins set aisle = $2, row_num = $3, level_num = $4,
         zone_id = (select min(zone_id) from bins b where b.warehouse_id = bins.warehouse_id) where bin_id = $1`,
      [bin_id, aisle, row, level],
    );
    return bin_id;
  };
  const map = async (query = "") => (await user.ok("GET", `${MAP}?warehouse_id=${house}${query}`)).bins;

  it("has the active ones by aisle, row and level, with what lies in them", async () => {
    const [second, third, first] = [
      await place("A", "02", "1"),
      await place("B", "01", "1"),
      await place("A", "01", "2"),
    ];
    const gone = await place("A", "01", "1");
    await db.run("update bins set is_active = false where bin_id = $1", [gone]);
    await db.run("update bins set max_units = 40 where bin_id = $1", [first]);
    const [mug, pen] = [await fixtures.item(), await fixtures.item()];
    await fixtures.stock(house, first, mug.item_id, 7);
    const still = await fixtures.stock(house, first, pen.item_id, 3);
    await fixtures.stock(house, second, pen.item_id, 5);
    await db.run("update inventory set updated_at = now() - interval '9 days 1 hour' where bin_id = $1", [first]);
    const bins = await map();
    assert.deepEqual(pluck(bins, "bin_id"), [first, second, third]);
    const { bin_code, zone_id, zone_name, ...shown } = bins[0];
    assert.ok(bin_code && zone_id && zone_name && still);
    assert.deepEqual(shown, {
      ...{ bin_id: first, bin_type: "Pickable", aisle: "A", row_num: "01", level_num: "2", is_reserve: false },
      ...{ units: 10, items: 2, fill_percent: 25, picks_7d: 0, still_days: 9 },
    });
    assert.deepEqual([bins[1].fill_percent, bins[2].units, bins[2].still_days], [null, 0, null]);
    const other = await fixtures.bin(house);
    assert.deepEqual(pluck(await map(`&zone_id=${zone_id}`), "bin_id"), [first, second, third]);
    assert.ok(pluck(await map(), "bin_id").includes(other));
  });

  it("counts the picks of waves that ended within a week", async () => {
    const bin_id = await place("A", "01", "1");
    const { item_id, sku } = await fixtures.item();
    await fixtures.stock(house, bin_id, item_id, 9);
    const { so_id } = await fixtures.salesOrder(house, [{ item_id, quantity: 2 }]);
    const { admin } = at().service;
    const { batch_id, first_pick } = await admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id: house },
    });
    const { pick_task_id } = first_pick;
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: 2 };
    await admin.ok("POST", "/api/picking/confirm", scan);
    assert.equal((await map())[0].picks_7d, 0);
    await admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.equal((await map())[0].picks_7d, 1);
    await db.run("update pick_batches set completed_at = now() - interval '8 days' where batch_id = $1", [batch_id]);
    assert.equal((await map())[0].picks_7d, 0);
  });

  it("is of the caller's warehouses", async () => {
    const elsewhere = await fixtures.warehouse();
    const stranger = await at().service.user({ warehouse_ids: [elsewhere], page_keys: ["bins"] });
    const { status, code } = await stranger.get(`${MAP}?warehouse_id=${house}`);
    assert.deepEqual([status, code], [403, "warehouse_denied"]);
  });
});
