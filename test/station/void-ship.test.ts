import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertOrders } from "../support/order-invariants.js";
import { pluckAll } from "../support/pluck.js";
import { shippingStation } from "../support/station.js";
import { pickedOrder } from "../support/walk.js";

describe("voiding a shipment at a station", () => {
  const at = shippingStation();
  const refused = (answer: Answer, status: number, kind: string, details: object = {}) => {
    assert.deepEqual([answer.status, answer.body.error_kind, answer.body.details], [status, kind, details]);
    assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
  };
  const statusOf = async (so_id: number) => ((await at.headerOf(so_id)) as { status: string }).status;

  it("puts header, lines and fulfilment back, with audit row and event", async () => {
    const [mug, jug] = [await fixtures.item(), await fixtures.item()];
    const { so_id, so_number } = await at.packed([
      { item: mug, quantity: 3 },
      { item: jug, quantity: 4, found: 0 },
    ]);
    const before = [await at.headerOf(so_id), await at.linesOf(so_id)];
    const shipped = (await at.ship(so_number)).body;
    const key = randomUUID();
    const answer = await at.voidShip(so_number, { reason: " wrong label ", idempotency_key: key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
    const { voided_at, audit_log_id, ...rest } = answer.body;
    assert.deepEqual(rest, { status: "PACKED" });
    assert.match(voided_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual([await at.headerOf(so_id), await at.linesOf(so_id)], before);
    const [made] = await at.fulfilmentsOf(so_id);
    assert.deepEqual(
      // Postgres leaves zeros at the end of a fraction out.
      [made?.status, made?.voided_by, made?.void_reason, String(made?.voided_at).replace("+00:00", "Z")],
      ["VOIDED", "otto", "wrong label", voided_at.replace(/\.?0*Z$/, "Z")],
    );
    const [audit] = await at.auditsOf(so_id, "SHIP_VOID");
    assert.deepEqual(
      { ...audit },
      {
        ...{ log_id: audit_log_id, user_id: "otto", warehouse_id: at.here },
        details: {
          ...{ so_number, fulfillment_id: shipped.fulfillment_id, reason: "wrong label" },
          ...{ reverted_to_status: "PACKED", station_label: "Bench 4", operator_username: "otto" },
          idempotency_key: key,
        },
      },
    );
    const operator = await db.row<{ id: string }>("select external_id as id from users where username = 'otto'");
    const [event] = await at.eventsOf(so_id, "ship.voided");
    const { sales_order_external_id, voided_at: at_, ...data } = event?.data ?? {};
    assert.deepEqual([event?.source_txn_id, event?.warehouse_id], [key, at.here]);
    assert.deepEqual(data, {
      ...{ so_number, voided_by_user_external_id: operator?.id, reason: "wrong label", reverted_to_status: "PACKED" },
    });
    assert.equal(typeof sales_order_external_id, "string");
    assert.equal(typeof at_, "string");
    await assertEventsMatchSchemas();
    await assertOrders(at.here);
    const seen = (await at.look(so_number)).body;
    assert.deepEqual([seen.shippable, seen.shipped_by, seen.shipped_at], [true, null, null]);
  });

  it("lets the order be shipped and voided again", async () => {
    const { so_id, so_number } = await at.packedMug();
    for (const tracking of ["A", "B"]) {
      assert.equal((await at.ship(so_number, { tracking })).status, 200);
      assert.equal((await at.voidShip(so_number)).status, 200);
    }
    assert.equal((await at.ship(so_number, { tracking: "C" })).status, 200);
    const made = await at.fulfilmentsOf(so_id);
    assert.deepEqual(pluckAll(made, "tracking_number", "status"), [
      ["A", "VOIDED"],
      ["B", "VOIDED"],
      ["C", "SHIPPED"],
    ]);
    await assertOrders(at.here);
  });

  it("makes an order PICKED again that was shipped unpacked", async () => {
    await at.setPackingRequired(false);
    const item = await fixtures.item();
    const { so_id, so_number } = await pickedOrder(at.service.admin, at.here, [{ item, quantity: 2 }]);
    assert.equal((await at.ship(so_number)).status, 200);
    assert.equal((await at.voidShip(so_number)).body.status, "PICKED");
    assert.deepEqual(await at.linesOf(so_id), [{ picked: 2, packed: 0, shipped: 0, status: "PICKED" }]);
    assert.equal((await at.eventsOf(so_id, "ship.voided"))[0]?.data.reverted_to_status, "PICKED");
    await at.setPackingRequired(true);
  });

  it("voids what the floor shipped, too", async () => {
    const { so_id, so_number } = await at.packedMug();
    const parcel = { so_id, tracking_number: "1Z", carrier: "UPS" };
    await at.service.admin.ok("POST", "/api/shipping/fulfill", parcel);
    assert.equal((await at.voidShip(so_number)).body.status, "PACKED");
  });

  it("leaves an order SHIPPED, with its carriage, that was SHIPPED before it got the shipment", async () => {
    const both = await at.newStation({ warehouse_ids: [at.here, at.elsewhere] });
    const { so_id, so_number } = await at.packedMug(at.elsewhere);
    await db.run(
      `update sales_orders set status = 'SHIPPED', carrier = 'UPS', tracking_number = '1Z7', ship_method = 'UPS Ground'
       where so_id = $1`,
      [so_id],
    );
    await at.service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/admin-ship`);
    assert.equal((await at.fulfilmentsOf(so_id))[0]?.pre_ship_status, "SHIPPED");
    assert.equal((await at.voidShip(so_number, {}, both)).body.status, "SHIPPED");
    assert.deepEqual(await at.headerOf(so_id), {
      ...{ status: "SHIPPED", carrier: "UPS", tracking_number: "1Z7", ship_method: "UPS Ground", shipped: true },
    });
    assert.deepEqual(
      (await at.linesOf(so_id)).map((line) => (line as { shipped: number }).shipped),
      [0],
    );
    assert.equal((await at.eventsOf(so_id, "ship.voided"))[0]?.data.reverted_to_status, "SHIPPED");
    refused(await at.voidShip(so_number, {}, both), 409, "not_shipped", { current_status: "SHIPPED" });
  });

  it("refuses an order that is not shipped, or without a shipment", async () => {
    const { so_id, so_number } = await at.packedMug();
    refused(await at.voidShip(so_number), 409, "not_shipped", { current_status: "PACKED" });
    const sold = await fixtures.salesOrder(at.here, []);
    await db.run("update sales_orders set status = 'SHIPPED' where so_id = $1", [sold.so_id]);
    refused(await at.voidShip(sold.so_number), 409, "not_shipped", { current_status: "SHIPPED" });
    await db.run("delete from sales_orders where so_id = $1", [sold.so_id]);
    await at.ship(so_number);
    await at.voidShip(so_number);
    refused(await at.voidShip(so_number), 409, "not_shipped", { current_status: "PACKED" });
    assert.equal((await at.auditsOf(so_id, "SHIP_VOID")).length, 1);
  });

  it("refuses an order whose goods come back, until the return is voided", async () => {
    const mug = await fixtures.item();
    const { so_id, so_number } = await at.packed([{ item: mug, quantity: 2 }]);
    await at.ship(so_number);
    const path = `/api/admin/sales-orders/${so_id}/create-rma`;
    const made = await at.service.admin.ok("POST", path, { lines: [{ item_id: mug.item_id, quantity: 1 }] });
    refused(await at.voidShip(so_number), 409, "has_returns", { returns: [made.so_number] });
    assert.equal(await statusOf(so_id), "SHIPPED");
    await at.service.admin.ok("POST", `/api/admin/sales-orders/${made.so_id}/void-return`);
    assert.equal((await at.voidShip(so_number)).status, 200);
  });

  it("does not know an order of another warehouse, an operator who is none, or a number that is none", async () => {
    const far = await at.packedMug(at.elsewhere);
    refused(await at.voidShip(far.so_number), 404, "not_found");
    refused(await at.voidShip("SO-NOWHERE"), 404, "not_found");
    refused(await at.voidShip("SO\t1"), 422, "invalid_so_number");
    const { so_number } = await at.packedMug();
    await at.ship(so_number);
    refused(await at.voidShip(so_number, { operator_username: "nobody" }), 422, "unknown_operator", {
      field: "operator_username",
    });
  });

  const wrong: [field: string, value: unknown, reason: string][] = [
    ["reason", undefined, "missing"],
    ["reason", "  ", "string_too_short"],
    ["reason", "x".repeat(501), "string_too_long"],
    ["operator_username", undefined, "missing"],
    ["idempotency_key", undefined, "missing"],
    ["idempotency_key", "3f2b6c1e", "string_pattern_mismatch"],
    ["tracking", "1Z", "extra_forbidden"],
  ];
  for (const [field, value, reason] of wrong)
    it(`refuses ${field} as ${JSON.stringify(value)?.slice(0, 20)}`, async () =>
      refused(await at.voidShip("SO-ANY", { [field]: value }), 422, "invalid_body", { field, reason }));

  it("takes a reason of 500 characters, and answers a repeat with the first answer", async () => {
    const { so_id, so_number } = await at.packedMug();
    await at.ship(so_number);
    const sent = at.voiding({ reason: "x".repeat(500) });
    const first = await at.voidShip(so_number, sent);
    const again = await at.voidShip(so_number, sent);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(again.headers.get("x-idempotent-replay"), "true");
    assert.equal((await at.eventsOf(so_id, "ship.voided")).length, 1);
  });

  it("voids once when sixteen ask at once", async () => {
    const { so_id, so_number } = await at.packedMug();
    await at.ship(so_number);
    const answers = await Promise.all(Array.from({ length: 16 }, () => at.voidShip(so_number)));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(15).fill(409)]);
    assert.equal((await at.eventsOf(so_id, "ship.voided")).length, 1);
  });

  it("leaves one clear result when ships and voids meet", async () => {
    const { so_id, so_number } = await at.packedMug();
    await at.ship(so_number);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? at.ship(so_number) : at.voidShip(so_number))),
    );
    for (const { status, body } of answers)
      if (status !== 200) assert.ok(["already_shipped", "not_shipped"].includes(body.error_kind), body.error_kind);
    const types = (await at.eventsOf(so_id, "ship.%")).map((event) => event.type);
    const ships = types.filter((type) => type === "ship.confirmed").length;
    const voids = types.length - ships;
    assert.ok(voids > 0);
    assert.equal(await statusOf(so_id), ships > voids ? "SHIPPED" : "PACKED");
    assert.ok(ships - voids === 0 || ships - voids === 1, types.join());
    assert.equal(answers.filter(({ status }) => status === 200).length, types.length - 1);
    await assertOrders(at.here);
  });
});
