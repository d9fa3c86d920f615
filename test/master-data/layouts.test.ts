import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const LAYOUT = {
  cross_aisles: [0, 14.25, 28.5],
  aisles: [
    { aisle: "A", metres: 0 },
    { aisle: "B", metres: 3.5 },
  ],
  rows: [
    { row: "01", metres: 1.5 },
    { row: "02", metres: 2.8 },
  ],
  depot: { metres: 1.75 },
};

describe("the layout of a warehouse", () => {
  const service = testService();
  let admin: Caller;
  let warehouse_id: number;
  let path: string;
  beforeEach(async () => {
    admin = service.admin;
    warehouse_id = await fixtures.warehouse();
    path = `/api/admin/warehouses/${warehouse_id}/layout`;
    for (const [aisle, row] of [
      ["A", "01"],
      ["B", "02"],
      ["B", "2"],
      ["C", "01"],
    ]) {
      const bin_id = await fixtures.bin(warehouse_id);
      await db.run("update bins set aisle = $2, row_num = $3 where bin_id = $1", [bin_id, aisle, row]);
    }
  });

  it("is kept whole, says which bins have a place in it, and is audited", async () => {
    const mark = await auditMark();
    const { updated_at, ...kept } = await admin.ok("PUT", path, LAYOUT);
    // Labels are text: row "2" is not row "02", and aisle C is not in the layout.
    assert.deepEqual(kept, { warehouse_id, layout: LAYOUT, placed_bins: 2, unplaced_bins: 2, updated_by: "admin" });
    assert.deepEqual(await admin.ok("GET", path), { ...kept, updated_at });
    await admin.ok("PUT", path, { ...LAYOUT, depot: { metres: 2 } });
    await admin.ok("DELETE", path);
    const rows = (await auditSince(mark)).map(({ action_type, entity_type, details }) => [
      ...[action_type, entity_type, details],
    ]);
    const entity = "WAREHOUSE_LAYOUT";
    assert.deepEqual(rows, [
      ["CREATE", entity, LAYOUT],
      ["UPDATE", entity, { changed: { depot: { old: { metres: 1.75 }, new: { metres: 2 } } } }],
      ["DELETE", entity, { ...LAYOUT, depot: { metres: 2 } }],
    ]);
    assert.deepEqual(await statusAndBody(await admin.get(path)), [404, { error: "The warehouse has no layout" }]);
  });

  it("is refused where its aisles have no bins, or its distances make no sense", async () => {
    const aisles = [...LAYOUT.aisles, { aisle: "X", metres: 9 }];
    const unknown = await admin.put(path, { ...LAYOUT, aisles });
    assert.deepEqual([unknown.status, unknown.body.error], [400, "No bin of the warehouse is in these aisles: X"]);
    for (const wrong of [
      { cross_aisles: [0] },
      { cross_aisles: [0, 5, 10, 15] },
      { cross_aisles: [1, 28.5] },
      { cross_aisles: [0, 28.5, 14] },
      { cross_aisles: [0, 2] },
      { aisles: LAYOUT.aisles.toReversed() },
      { aisles: [...LAYOUT.aisles, { aisle: "A", metres: 9 }] },
      { rows: [...LAYOUT.rows, { row: "01", metres: 9 }] },
      { rows: [{ row: "01", metres: -1 }] },
      { rows: [{ row: "01", metres: 1.005 }] },
    ]) {
      const { status, body } = await admin.put(path, { ...LAYOUT, ...wrong });
      assert.deepEqual([status, body.error], [400, "validation_error"], JSON.stringify(wrong));
    }
    assert.equal((await admin.get(path)).status, 404);
  });

  it("belongs to a warehouse, and there is nothing to delete without one", async () => {
    const nowhere = "/api/admin/warehouses/2000000000/layout";
    assert.deepEqual(await statusAndBody(await admin.get(nowhere)), [404, { error: "The warehouse has no layout" }]);
    assert.deepEqual(await statusAndBody(await admin.put(nowhere, LAYOUT)), [404, { error: "Warehouse not found" }]);
    assert.deepEqual(await statusAndBody(await admin.delete(nowhere)), [404, { error: "Warehouse not found" }]);
    assert.deepEqual(await statusAndBody(await admin.delete(path)), [404, { error: "The warehouse has no layout" }]);
  });
});
