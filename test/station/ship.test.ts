import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { closedParcel } from "../support/parcels.js";
import { shippingStation } from "../support/station.js";
import { pickedOrder } from "../support/walk.js";

describe("shipping at a station", () => {
  const at = shippingStation();
  const refused = (answer: Answer, status: number, kind: string, details: object = {}) => {
    const { error_kind, details: given, message } = answer.body;
    assert.deepEqual([answer.status, error_kind, given], [status, kind, details], message);
    assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
  };

  it("ships nothing where nothing was picked", async () => {
    const { so_id, so_number } = await pickedOrder(at.service.admin, at.here, [
      { item: await fixtures.item(), quantity: 3, found: 0 },
    ]);
    await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [so_id]);
    refused(await at.ship(so_number, { tracking: "1Z2", carrier: "UPS" }), 409, "nothing_to_ship");
    assert.deepEqual(await at.fulfilmentsOf(so_id), []);
  });

  it("ships the order: header, lines, fulfilment, audit row and event say so", async () => {
    const [mug, jug] = [await fixtures.item({ weight: "1.5" }), await fixtures.item()];
    const order = await at.packed([
      { item: mug, quantity: 3 },
      { item: jug, quantity: 4, found: 1 },
    ]);
    const { so_id, so_number } = order;
    const key = randomUUID();
    const answer = await at.ship(so_number, {
      ...{ idempotency_key: key.toUpperCase(), tracking: "1Z1", carrier: "UPS", ship_method: "Ground" },
      ...{ shipping_cost: 8.4, weight: 2.25, dims: { l: 10, w: 5.5, h: 2 }, manual_link: true },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
    const { shipped_at, fulfillment_id, audit_log_id, ...rest } = answer.body;
    assert.deepEqual(rest, { status: "SHIPPED", tracking: "1Z1" });
    assert.match(shipped_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(await at.headerOf(so_id), {
      ...{ status: "SHIPPED", carrier: "UPS", tracking_number: "1Z1", ship_method: "Ground", shipped: true },
    });
    assert.deepEqual(await at.linesOf(so_id), [
      { picked: 3, packed: 3, shipped: 3, status: "SHIPPED" },
      { picked: 1, packed: 1, shipped: 1, status: "SHIPPED" },
    ]);
    const [made] = await at.fulfilmentsOf(so_id);
    const { shipped_by, shipping_cost, station_label, pre_ship_status } = made ?? {};
    assert.deepEqual(
      [made?.fulfillment_id, shipped_by, shipping_cost, station_label, pre_ship_status],
      [fulfillment_id, "otto", "8.40", "Bench 4", "PACKED"],
    );
    const [audit, ...more] = await at.auditsOf(so_id, "SHIP%");
    assert.equal(more.length, 0);
    assert.deepEqual(
      { ...audit },
      {
        ...{ log_id: audit_log_id, user_id: "otto", warehouse_id: at.here },
        details: {
          ...{ so_number, tracking_number: "1Z1", carrier: "UPS", fulfillment_id, shipping_cost: "8.4" },
          ...{ station_label: "Bench 4", operator_username: "otto", idempotency_key: key },
          ...{ weight: 2.25, dims: { l: 10, w: 5.5, h: 2 }, manual_link: true },
        },
      },
    );
    const operator = await db.row<{ id: string }>("select external_id as id from users where username = 'otto'");
    const [event] = await at.eventsOf(so_id, "ship.%");
    assert.deepEqual([event?.type, event?.source_txn_id, event?.warehouse_id], ["ship.confirmed", key, at.here]);
    const { tracking_numbers, carrier, service_level, completed_by_user_external_id, packages } = event?.data ?? {};
    assert.deepEqual(
      [tracking_numbers, carrier, service_level, completed_by_user_external_id],
      [["1Z1"], "UPS", "Ground", operator?.id],
    );
    const [{ weight_lb, lines }] = packages as [{ weight_lb: number; lines: { quantity_packed: number }[] }];
    assert.deepEqual([weight_lb, lines.map((line) => line.quantity_packed)], [4.5, [3, 1]]);
    await assertEventsMatchSchemas();
    const seen = (await at.look(so_number)).body;
    assert.deepEqual([seen.shipped_at, seen.shipped_by, seen.tracking_number], [shipped_at, "otto", "1Z1"]);
  });

  it("keeps the order's ship method where none is sent", async () => {
    const { so_id, so_number } = await at.packedMug();
    await db.run("update sales_orders set ship_method = 'Express' where so_id = $1", [so_id]);
    assert.equal((await at.ship(so_number)).status, 200);
    assert.equal(((await at.headerOf(so_id)) as { ship_method: string }).ship_method, "Express");
    assert.equal((await at.eventsOf(so_id, "ship.%"))[0]?.data.service_level, "Express");
  });

  it("ships a picked order only where packing is not required", async () => {
    const { so_number } = await pickedOrder(at.service.admin, at.here, [{ item: await fixtures.item(), quantity: 1 }]);
    refused(await at.ship(so_number), 410, "not_in_shippable_status", {
      current_status: "PICKED",
      allowed_statuses: ["PACKED"],
    });
    await at.setPackingRequired(false);
    try {
      assert.equal((await at.ship(so_number)).status, 200);
      const open = await fixtures.salesOrder(at.here, []);
      refused(await at.ship(open.so_number), 410, "not_in_shippable_status", {
        current_status: "OPEN",
        allowed_statuses: ["PICKED", "PACKED"],
      });
    } finally {
      await at.setPackingRequired(true);
    }
  });

  for (const [status, order_type] of [
    ["CANCELLED", "sale"],
    ["REFUNDED", "sale"],
    ["PACKED", "return"],
  ])
    it(`refuses a ${order_type} that is ${status}`, async () => {
      const { so_id, so_number } = await fixtures.salesOrder(at.here, []);
      const set = "update sales_orders set status = $2, order_type = $3 where so_id = $1";
      await db.run(set, [so_id, status, order_type]);
      const details = { current_status: status, allowed_statuses: ["PACKED"] };
      refused(await at.ship(so_number), 410, "not_in_shippable_status", details);
      assert.equal((await at.look(so_number)).body.shippable, false);
      await db.run("delete from sales_orders where so_id = $1", [so_id]);
    });

  it("tells how an order was shipped already", async () => {
    const { so_id, so_number } = await at.packedMug();
    const { body } = await at.ship(so_number, { tracking: "FIRST", carrier: "DHL" });
    const details = {
      ...{ existing_tracking: "FIRST", carrier: "DHL", shipped_at: body.shipped_at },
      ...{ shipped_by: "otto", station_label: "Bench 4" },
    };
    refused(await at.ship(so_number), 409, "already_shipped", details);
    assert.equal((await at.fulfilmentsOf(so_id)).length, 1);
  });

  it("tells so of an order without a shipment of its own, such as a counter sale", async () => {
    const { so_number } = await fixtures.shippedOrder(at.here, [
      { item_id: (await fixtures.item()).item_id, quantity: 1 },
    ]);
    await db.run(
      "update sales_orders set carrier = null, tracking_number = null, shipped_at = null where so_number = $1",
      [so_number],
    );
    await db.run(`delete from item_fulfillments where so_id = (select so_id from sales_orders where so_number = $1)`, [
      so_number,
    ]);
    refused(await at.ship(so_number), 409, "already_shipped", {
      ...{ existing_tracking: null, carrier: null, shipped_at: null, shipped_by: null, station_label: null },
    });
  });

  it("refuses lines that nobody reported as short", async () => {
    const mug = await fixtures.item();
    const { so_id, so_number } = await at.packed([{ item: mug, quantity: 3 }]);
    await db.run("update sales_order_lines set quantity_ordered = 5 where so_id = $1", [so_id]);
    refused(await at.ship(so_number), 409, "silent_shortfall", { lines: [{ sku: mug.sku, ordered: 5, picked: 3 }] });
    assert.equal(((await at.headerOf(so_id)) as { status: string }).status, "PACKED");
  });

  it("takes no operator who is unknown, inactive, or called otherwise, and the key stays free", async () => {
    const { so_number } = await at.packedMug();
    const gone = await at.service.user({ username: "gone" });
    await db.run("update users set is_active = false where user_id = $1", [gone.userId]);
    const key = { idempotency_key: randomUUID() };
    for (const operator_username of ["nobody", "gone", "OTTO"])
      refused(await at.ship(so_number, { ...key, operator_username }), 422, "unknown_operator", {
        field: "operator_username",
      });
    assert.equal((await at.ship(so_number, key)).status, 200);
  });

  it("does not know an order of another warehouse, or of none", async () => {
    const far = await at.packedMug(at.elsewhere);
    for (const number of [far.so_number, "SO-NOWHERE", "x".repeat(128), "A_b-1#2.3"])
      refused(await at.ship(number), 404, "not_found");
    const both = await at.newStation({ warehouse_ids: [at.here, at.elsewhere] });
    assert.equal((await at.ship(far.so_number, {}, both)).status, 200);
    const none = await at.newStation({ warehouse_ids: [] });
    refused(await at.ship((await at.packedMug()).so_number, {}, none), 404, "not_found");
  });

  it("refuses what is no order number", async () => {
    for (const number of [" SO1", "SO\t1", "x".repeat(129)]) refused(await at.ship(number), 422, "invalid_so_number");
  });

  const long = (length: number) => "x".repeat(length);
  const wrong: [field: string, value: unknown, reason: string][] = [
    ...["tracking", "carrier", "operator_username", "idempotency_key"].map((field): [string, unknown, string] => [
      field,
      undefined,
      "missing",
    ]),
    ["tracking", "", "string_too_short"],
    ["tracking", long(101), "string_too_long"],
    ["tracking", 7, "string_type"],
    ["carrier", " ", "string_too_short"],
    ["carrier", long(51), "string_too_long"],
    ["ship_method", long(51), "string_too_long"],
    ["operator_username", "", "string_too_short"],
    ["operator_username", long(101), "string_too_long"],
    ["shipping_cost", -1, "greater_than_equal"],
    ["shipping_cost", 1.234, "string_pattern_mismatch"],
    ["shipping_cost", "10000000000", "string_pattern_mismatch"],
    ["weight", 0, "greater_than"],
    ["weight", "2", "int_type"],
    ["dims", {}, "missing"],
    ["dims", { l: 1, w: 1, h: 0 }, "greater_than"],
    ["dims", { l: 1, w: 1, h: 1, d: 1 }, "extra_forbidden"],
    ["manual_link", "yes", "bool_type"],
    ["manual_link", null, "bool_type"],
    ["idempotency_key", "not a uuid", "string_pattern_mismatch"],
    ["idempotency_key", "3f2b6c1e-9a4d-1c58-8f0e-5d7a1b2c3d4e", "string_pattern_mismatch"],
    ["station_label", "mine", "extra_forbidden"],
    ["tracking", "a\0b", "value_error"],
  ];
  for (const [field, value, reason] of wrong)
    it(`refuses ${field} as ${JSON.stringify(value)?.slice(0, 40)}`, async () => {
      const answer = await at.ship("SO-ANY", { [field]: value });
      const { field: named, reason: given } = answer.body.details;
      assert.deepEqual([answer.status, answer.body.error_kind, given], [422, "invalid_body", reason]);
      assert.equal(named.split(".")[0], field);
    });

  it("takes each field at its limit, and null for what is optional", async () => {
    const widest = {
      ...{ tracking: long(100), carrier: long(50), ship_method: long(50), shipping_cost: "9999999999.99" },
      ...{ weight: 0.001, dims: null, manual_link: false },
    };
    const { so_id, so_number } = await at.packedMug();
    assert.equal((await at.ship(so_number, widest)).status, 200);
    assert.equal((await at.fulfilmentsOf(so_id))[0]?.shipping_cost, "9999999999.99");
    const { so_number: other } = await at.packedMug();
    const none = { ship_method: null, shipping_cost: null, weight: null, dims: null };
    assert.equal((await at.ship(other, none)).status, 200);
  });

  it("takes no body that is not JSON, or that is no object", async () => {
    for (const body of ["{", "[]", '"text"', "7"]) {
      const { status, body: answer } = await at.station.post(at.pathOf("SO-1", "ship"), body);
      assert.deepEqual([status, answer.error_kind], [422, "invalid_body"], body);
    }
  });

  it("ships one order once when sixteen ask with keys of their own", async () => {
    const { so_id, so_number } = await at.packedMug();
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => at.ship(so_number, { tracking: `T${i}` })));
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [200, ...Array(15).fill(409)]);
    const winner = answers.find(({ status }) => status === 200)?.body.tracking;
    for (const { status, body } of answers)
      if (status === 409)
        assert.deepEqual([body.error_kind, body.details.existing_tracking], ["already_shipped", winner]);
    assert.equal((await at.fulfilmentsOf(so_id)).length, 1);
    assert.equal((await at.eventsOf(so_id, "ship.%")).length, 1);
    assert.equal((await at.auditsOf(so_id, "SHIP%")).length, 1);
  });

  describe("an order that is packed in parcels", () => {
    async function inParcels(...quantities: number[]) {
      const mug = await fixtures.item();
      const quantity = quantities.reduce((sum, units) => sum + units, 0);
      const order = await pickedOrder(at.service.admin, at.here, [{ item: mug, quantity }]);
      const parcels = [];
      for (const units of quantities) parcels.push(await closedParcel(at.service.admin, order.so_id, mug.sku, units));
      await at.service.admin.ok("POST", "/api/packing/complete", { so_id: order.so_id });
      return { ...order, parcels };
    }
    const shipped = (so_id: number) =>
      db.rows("select quantity_packed as packed, quantity_shipped as shipped from sales_order_lines where so_id = $1", [
        so_id,
      ]);

    it("goes as the one parcel that is left, and is refused while there are more", async () => {
      const { so_id, so_number, parcels } = await inParcels(2, 1);
      const shippable = async () => (await at.look(so_number)).body.shippable;
      assert.equal(await shippable(), false);
      refused(await at.ship(so_number), 409, "order_in_parcels", { so_number, closed: 2, open: 0 });
      const [first] = parcels;
      await at.service.admin.ok("POST", `/api/shipping/parcels/${first?.parcel_id}/ship`, {
        ...{ tracking_number: "1Z-1", carrier: "UPS" },
      });
      assert.equal(await shippable(), true);
      const answer = await at.ship(so_number, { tracking: "1Z-2", shipping_cost: 4.5 });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const fulfilments = await at.fulfilmentsOf(so_id);
      assert.deepEqual(
        fulfilments.map((made) => [made.tracking_number, made.shipping_cost, made.station_label]),
        [
          ["1Z-1", null, null],
          ["1Z-2", "4.50", "Bench 4"],
        ],
      );
      const [audit] = await at.auditsOf(so_id, "SHIP");
      assert.equal(audit?.log_id, answer.body.audit_log_id);
      // Voiding takes back the newest, and what left with it alone.
      assert.deepEqual((await at.voidShip(so_number)).body.status, "PACKED");
      assert.deepEqual(await shipped(so_id), [{ packed: 3, shipped: 2 }]);
      assert.deepEqual(
        (await at.fulfilmentsOf(so_id)).map(({ status }) => status),
        ["SHIPPED", "VOIDED"],
      );
      assert.equal((await at.voidShip(so_number)).body.error_kind, "not_shipped");
    });

    it("is refused while something of it is in none", async () => {
      const { so_id, so_number } = await inParcels(1);
      await db.run("update sales_order_lines set quantity_ordered = 2, quantity_allocated = 2 where so_id = $1", [
        so_id,
      ]);
      await db.run("update sales_order_lines set quantity_picked = 2 where so_id = $1", [so_id]);
      refused(await at.ship(so_number), 400, "not_in_closed_parcel", { so_number, count: 1 });
      const asPacked = "quantity_picked = 1, quantity_ordered = 1, quantity_allocated = 1";
      await db.run(`update sales_order_lines set ${asPacked} where so_id = $1`, [so_id]);
    });
  });
});
