import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { pluck } from "../support/pluck.js";
import { PUSHES, pushesOf, pushingShop } from "../support/pushes.js";
import { checkOut, openShop, saleOf } from "../support/till.js";
import { listedAs } from "../support/workflow-environment.js";

const SALES_ORDERS = "/api/admin/sales-orders";

describe("shipments of a shop's orders", () => {
  const shops = pushingShop();
  const { at, packed, reached, workflowOf } = shops;
  const told = (order_id: string) => shops.shop.of(order_id);
  const fulfil = (so_id: number, tracking_number = "1Z1", more: object = {}) =>
    at.service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number, carrier: "UPS", ...more });

  it("are told to the shop, once, with tracking, carrier and service level", async () => {
    const { so_id, so_number, order_id, goods } = await packed();
    await fulfil(so_id, "1Z777", { ship_method: "UPS Ground" });
    await reached(so_id, "ship pushed");
    const [first, ...others] = told(order_id);
    assert.deepEqual(others, []);
    const { id, ...parcel } = first ?? assert.fail("nothing was told");
    const [push] = await pushesOf(so_id);
    assert.ok(push);
    assert.equal(Date.parse(push.shipped_at), Date.parse(String((parcel as { shipped_at?: string }).shipped_at)));
    assert.deepEqual(
      { ...parcel, shipped_at: push.shipped_at },
      {
        ...{ so_number, order_id, tracking: ["1Z777"], carrier: "UPS", service_level: "UPS Ground", version: 1 },
        ...{ shipped_at: push.shipped_at, cancelled: false, part: false, complete: true },
        lines: [{ item: `item-${order_id}`, sku: goods.sku, quantity: 2 }],
      },
    );
    const listed = await at.service.admin.ok("GET", `${PUSHES}?warehouse_id=${at.here}&connector=test-shop&per_page=1`);
    const { push_id, kind, status, attempts, external_id, last_error, source_order_id } = listed.pushes[0];
    assert.deepEqual(
      { push_id, kind, status, attempts, external_id, last_error, source_order_id },
      {
        ...{ push_id: push.push_id, kind: "ship", status: "pushed", attempts: 1, external_id: id, last_error: null },
        source_order_id: order_id,
      },
    );
    const handle = workflowOf(push);
    assert.deepEqual(await handle.result(), { push_id: push.push_id, ended: "pushed" });
    assert.deepEqual(await listedAs(handle), { status: "COMPLETED", stage: "ended", outcome: "pushed" });
    const [audit] = await at.auditsOf(so_id, "FULFILLMENT_PUSH");
    assert.deepEqual(
      [audit?.user_id, audit?.warehouse_id, audit?.details.connector, audit?.details.external_id],
      ["system", at.here, "test-shop", id],
    );
  });

  it("are told whoever shipped them: a station, the desk, an edit of the order", async () => {
    const ways: Record<string, (order: { so_id: number; so_number: string }) => Promise<unknown>> = {
      station: ({ so_number }) => at.ship(so_number, { tracking: "1Z2" }),
      desk: async ({ so_id }) => {
        await db.run("update sales_orders set tracking_number = '1Z2', ship_method = 'UPS' where so_id = $1", [so_id]);
        return at.service.admin.ok("POST", `${SALES_ORDERS}/${so_id}/admin-ship`);
      },
      edit: ({ so_id }) =>
        at.service.admin.ok("PUT", `${SALES_ORDERS}/${so_id}`, {
          ...{ status: "SHIPPED", tracking_number: "1Z2", ship_method: "UPS" },
        }),
    };
    for (const [way, ship] of Object.entries(ways)) {
      const order = await packed();
      await ship(order);
      await reached(order.so_id, "ship pushed");
      const parcels = told(order.order_id).map(({ tracking, carrier }) => [tracking, carrier]);
      assert.deepEqual(parcels, [[["1Z2"], "UPS"]], way);
    }
  });

  it("have no tracking number where the customer picks the parcel up", async () => {
    const { so_id, order_id } = await packed();
    await at.service.admin.ok("PUT", `${SALES_ORDERS}/${so_id}`, { status: "SHIPPED", ship_method: "Local pickup" });
    await reached(so_id, "ship pushed");
    assert.deepEqual(pluck(told(order_id), "tracking"), [[]]);
  });

  it("are taken back when they are voided, and each further one is told in its turn", async () => {
    const { so_id, so_number, order_id } = await packed();
    const parcels = () => told(order_id).map(({ tracking, cancelled }) => [tracking[0], cancelled]);
    await at.ship(so_number, { tracking: "A" });
    await reached(so_id, "ship pushed");
    await at.voidShip(so_number);
    await reached(so_id, "ship pushed", "void pushed");
    assert.deepEqual(parcels(), [["A", true]]);
    await at.ship(so_number, { tracking: "B" });
    await reached(so_id, "ship pushed", "void pushed", "ship pushed");
    assert.deepEqual(parcels(), [
      ["A", true],
      ["B", false],
    ]);
    const [shipped, voided] = await pushesOf(so_id);
    assert.equal(voided?.external_id, shipped?.external_id);
  });

  it("are taken back when the order is reverted at the desk, before the next one is told", async () => {
    const { so_id, so_number, order_id } = await packed();
    await fulfil(so_id, "A");
    await reached(so_id, "ship pushed");
    await at.service.admin.ok("POST", `${SALES_ORDERS}/${so_id}/revert-status`, {
      ...{ new_status: "PACKED", release_pick_task_ids: [] },
    });
    await at.ship(so_number, { tracking: "B" });
    await reached(so_id, "ship pushed", "void pushed", "ship pushed");
    assert.deepEqual(
      told(order_id).map(({ tracking, cancelled }) => [tracking[0], cancelled]),
      [
        ["A", true],
        ["B", false],
      ],
    );
  });

  it("are not told when they were voided before anybody looked, nor those of orders from elsewhere", async () => {
    const voided = await packed();
    await at.ship(voided.so_number);
    await at.voidShip(voided.so_number);
    const byHand = await at.packedMug();
    await at.ship(byHand.so_number);
    const byToken = await at.packedMug();
    await db.run(
      `with s as (insert into inbound_source_systems_allowlist (source_system, kind) values ('acme', 'connector'))
       insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       select 'acme', 'sales_order', '7', 'sales_order', external_id from sales_orders where so_id = $1`,
      [byToken.so_id],
    );
    await at.ship(byToken.so_number);
    const counter = await openShop(at.service);
    assert.equal((await checkOut(counter.till, saleOf(counter))).status, 200);
    // Events are looked at in their order, so all of those were looked at when this one is told.
    const last = await packed();
    await at.ship(last.so_number);
    await reached(last.so_id, "ship pushed");
    for (const { so_id } of [voided, byHand, byToken]) assert.deepEqual(await pushesOf(so_id), []);
    const others = await db.row("select from fulfillment_pushes where warehouse_id <> $1", [at.here]);
    assert.equal(others, undefined);
  });
});
