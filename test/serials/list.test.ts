import assert from "node:assert/strict";
import { warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { labelOf, pickedFromStock, receiving, serialItem } from "../support/serials.js";
import { testService } from "../support/service.js";

/** docs/serials.md, Where they are */
describe("the list of serials", () => {
  const service = testService();
  let here: number;
  before(async () => {
    here = await warehouse();
  });

  const list = (query: object, by = service.admin) =>
    by.ok("GET", `/api/admin/serials?${new URLSearchParams(query as Record<string, string>)}`);
  const numbers = async (query: object, by = service.admin) =>
    pluck((await list({ sort: "serial_number", ...query }, by)).serials, "serial_number");

  /** Units of an item of its own, received in one go. */
  async function received(serials: string[], { at = here, lot_number = "L-1" } = {}) {
    const goods = await serialItem(at, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, serials, { lot_number }));
    return goods;
  }

  it("tells of each unit its item, state, warehouse, lot and order, the newest first", async () => {
    const goods = await received(["A-1", "A-2"]);
    const { so_id, so_number } = await pickedFromStock(service.admin, goods, 1);
    const pack = { so_id, scanned_barcode: goods.sku, serial_number: "A-1" };
    await service.admin.ok("POST", "/api/packing/verify", pack);
    const { serials, total } = await list({ item_id: goods.item_id });
    assert.equal(total, 2);
    const told = ["serial_number", "sku", "state", "warehouse_id", "lot_number", "so_id", "so_number"];
    assert.deepEqual(
      serials.map((unit: Record<string, unknown>) => told.map((field) => unit[field])),
      [
        ["A-2", goods.sku, "IN_STOCK", here, "L-1", null, null],
        ["A-1", goods.sku, "PACKED", here, "L-1", so_id, so_number],
      ],
    );
    assert.deepEqual(await numbers({ so_id }), ["A-1"]);
    assert.deepEqual(await numbers({ item_id: goods.item_id, state: "IN_STOCK" }), ["A-2"]);
  });

  it("finds them by item, lot and the beginning of the number, in capitals or not", async () => {
    const goods = await received(["FIND-1", "FIND-10", "XFIND-1"], { lot_number: "LF-1" });
    const other = await received(["FIND-1", "FIND_2"], { lot_number: "LF-2" });
    assert.deepEqual(await numbers({ sku: goods.sku }), ["FIND-1", "FIND-10", "XFIND-1"]);
    assert.deepEqual(await numbers({ lot_number: "LF-2" }), ["FIND-1", "FIND_2"]);
    assert.deepEqual(await numbers({ q: "find-1" }), ["FIND-1", "FIND-1", "FIND-10"]);
    assert.deepEqual(await numbers({ q: "FIND_" }), ["FIND_2"], "a wildcard is taken as it is written");
    assert.deepEqual(await numbers({ q: labelOf(other, "FIND_2") }), ["FIND_2"], "the label of a unit");
  });

  it("has what the user's warehouses saw last", async () => {
    const there = await warehouse();
    await received(["W-1"]);
    await received(["W-2"], { at: there });
    const local = await service.user({ warehouse_ids: [here], page_keys: ["inventory"] });
    assert.deepEqual(await numbers({ q: "W-" }), ["W-1", "W-2"]);
    assert.deepEqual(await numbers({ q: "W-" }, local), ["W-1"]);
    assert.deepEqual(await numbers({ q: "W-", warehouse_id: String(there) }), ["W-2"]);
  });
});
