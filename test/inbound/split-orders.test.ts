import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, stock, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { closedParcel } from "../support/parcels.js";
import { testService } from "../support/service.js";
import { pack, packBackorder, splitOff } from "../support/split-orders.js";

describe("what a source pushes of an order that was split here", () => {
  const service = testService({ worker: true });
  let erp: Caller;
  let warehouse_id: number;
  before(async () => {
    await useTestMappings();
    warehouse_id = await warehouse();
    erp = await sender(service, { warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());

  /** An order of 5, of which 2 wait as a backorder; its source pushes versions of it. */
  async function split() {
    const item = await pushedItem(erp);
    await stock(warehouse_id, await bin(warehouse_id), item.item_id, 3);
    const id = fresh("order");
    let version = 0;
    const said = { so_number: id, warehouse_id, lines: [{ item_id: item.external_id, quantity_ordered: 5 }] };
    const told = (fields: object = {}) => push(erp, "sales_orders", id, ++version, { ...said, ...fields });
    assert.equal((await told()).status, 201);
    const { so_id } = (await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [
      id,
    ])) as { so_id: number };
    const backorder = await splitOff(service.admin, so_id, 2);
    const { sku } = (await db.row<{ sku: string }>("select sku from items where item_id = $1", [item.item_id])) as {
      sku: string;
    };
    const goods = { item_id: item.item_id, sku };
    return {
      ...{ told, so_id, backorder, goods },
      ship: (of: number) =>
        service.admin.ok("POST", "/api/shipping/fulfill", { so_id: of, tracking_number: fresh("T"), carrier: "UPS" }),
      statuses: () =>
        db.column<string>("select status from sales_orders where so_id = $1 or parent_so_id = $1 order by so_id", [
          so_id,
        ]),
    };
  }

  it("cancels the order and what was split off it", async () => {
    const { told, statuses } = await split();
    assert.equal((await told({ status: "CANCELLED" })).status, 201);
    assert.deepEqual(await statuses(), ["CANCELLED", "CANCELLED"]);
  });

  it("cancels what is not shipped yet, packed or not, once a part of it is", async () => {
    for (const packed of [false, true]) {
      const { told, statuses, so_id, backorder, goods, ship } = await split();
      await pack(service.admin, warehouse_id, { so_id }, goods, 3);
      await ship(so_id);
      if (packed) await packBackorder(service.admin, warehouse_id, backorder, goods);
      assert.equal((await told({ status: "CANCELLED" })).status, 201);
      assert.deepEqual(await statuses(), ["SHIPPED", "CANCELLED"]);
      assert.equal((await told({ status: "CANCELLED", memo: "again" })).status, 201);
      const shipped = await service.admin.post("/api/shipping/fulfill", {
        ...{ so_id: backorder.so_id, tracking_number: fresh("T"), carrier: "UPS" },
      });
      assert.equal(shipped.status, 400);
    }
  });

  it("cancels nothing while parcels of an order have left and others have not", async () => {
    const { told, statuses, so_id, goods } = await split();
    await pack(service.admin, warehouse_id, { so_id }, goods, 3);
    // It is packed in none, and now anew: in two.
    const { parcel_id } = await partOf(so_id, goods.sku);
    await service.admin.ok("POST", `/api/shipping/parcels/${parcel_id}/ship`, {
      tracking_number: "1Z",
      carrier: "UPS",
    });
    const answer = await told({ status: "CANCELLED" });
    assert.deepEqual([answer.status, answer.body.error_kind], [422, "canonical_constraint_violation"]);
    assert.match(answer.body.message, /were shipped: it cannot be cancelled/);
    assert.ok(!(await statuses()).includes("CANCELLED"));
  });

  /** A parcel with a part of an order that is packed, which is packed anew. */
  async function partOf(so_id: number, sku: string) {
    const revert = { new_status: "PICKED", release_pick_task_ids: [] };
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, revert);
    return closedParcel(service.admin, so_id, sku);
  }

  it("cancels what is still to ship where the backorder went first", async () => {
    const { told, statuses, backorder, goods, ship } = await split();
    await packBackorder(service.admin, warehouse_id, backorder, goods);
    await ship(backorder.so_id);
    assert.equal((await told({ status: "CANCELLED" })).status, 201);
    assert.deepEqual(await statuses(), ["CANCELLED", "SHIPPED"]);
  });

  it("is refused by name once all parts are shipped", async () => {
    const { told, statuses, so_id, backorder, goods, ship } = await split();
    await pack(service.admin, warehouse_id, { so_id }, goods, 3);
    await ship(so_id);
    await packBackorder(service.admin, warehouse_id, backorder, goods);
    await ship(backorder.so_id);
    const { status, body } = await told({ status: "CANCELLED" });
    assert.deepEqual([status, body.error_kind], [422, "canonical_constraint_violation"]);
    assert.match(body.message, /is SHIPPED: it cannot be cancelled/);
    assert.deepEqual(await statuses(), ["SHIPPED", "SHIPPED"]);
  });

  it("brings another address to all that is not shipped, and other lines to nothing: 409", async () => {
    const { told, so_id, backorder, goods, ship } = await split();
    await pack(service.admin, warehouse_id, { so_id }, goods, 3);
    await ship(so_id);
    const changed = await told({ shipping_address_line1: "2 New Street" });
    assert.equal(changed.status, 201);
    const row = await db.row<{ street: string }>(
      "select shipping_address_line1 as street from sales_orders where so_id = $1",
      [backorder.so_id],
    );
    assert.equal(row?.street, "2 New Street");
    const fewer = await told({ lines: [{ item_id: goods.sku, quantity_ordered: 4 }] });
    assert.equal(fewer.status, 409);
  });
});
