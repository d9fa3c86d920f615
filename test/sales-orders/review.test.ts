import assert from "node:assert/strict";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import { statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";

describe("an order's address", () => {
  const { at, order, trusted } = desk();
  const read = async (path: string) => (await at().service.admin.ok("GET", path)).sales_order;

  it("is corrected part by part by any user of the warehouse, with an audit row for each", async () => {
    const { path, so_id, so_number } = await order({
      ...{ billing_address_name: "Bob", shipping_address_phone: "1" },
      shipping_address_country: "GB",
    });
    const { service, here } = at();
    const picker = await service.user({ warehouse_ids: [here] });
    const mark = await auditMark();
    const sent = Object.fromEntries(addressColumns.map((c) => [c, `new ${c}`]));
    const { edited_fields, ...answer } = await picker.ok("PATCH", `${path}/address`, {
      ...{ ...sent, billing_address_name: "", shipping_address_phone: null },
      shipping_address_country: "GB",
    });
    assert.deepEqual(answer, { so_id });
    assert.deepEqual([...edited_fields].sort(), addressColumns.filter((c) => c !== "shipping_address_country").sort());
    const after = await read(path);
    assert.deepEqual(
      addressColumns.map((column) => after[column]),
      addressColumns.map((column) => {
        if (column === "shipping_address_country") return "GB";
        const cleared = ["billing_address_name", "shipping_address_phone"];
        return cleared.includes(column) ? null : `new ${column}`;
      }),
    );
    const audits = await auditSince(mark);
    assert.equal(audits.length, 15);
    assert.deepEqual(audits[0], {
      action_type: "SO_ADDRESS_EDITED",
      entity_type: "SO",
      entity_id: so_id,
      user_id: picker.username,
      warehouse_id: here,
      details: { so_number, field: "billing_address_name", old_value: "Bob", new_value: null },
    });
    const again = { shipping_address_country: "GB", billing_address_name: "" };
    assert.deepEqual(await picker.ok("PATCH", `${path}/address`, again), { unchanged: true });
  });

  it("is an ADMIN's alone once the order is not OPEN", async () => {
    const { path, so_number } = await order({ status: "PICKED" });
    const body = { shipping_address_city: "Paris" };
    for (const who of [at().clerk, await trusted()]) {
      const answer = await who.patch(`${path}/address`, body);
      assert.deepEqual(statusAndBody(answer), [
        403,
        { error: `Sales order ${so_number} is PICKED: you may not edit it`, current_status: "PICKED" },
      ]);
    }
    await at().service.admin.ok("PATCH", `${path}/address`, body);
    assert.equal((await read(path)).shipping_address_city, "Paris");
  });

  it("keeps what two correct at the same moment", async () => {
    const { path } = await order();
    const { service, clerk } = at();
    await Promise.all([
      clerk.ok("PATCH", `${path}/address`, { billing_address_city: "Rome" }),
      service.admin.ok("PATCH", `${path}/address`, { shipping_address_city: "Oslo" }),
    ]);
    const after = await read(path);
    assert.deepEqual([after.billing_address_city, after.shipping_address_city], ["Rome", "Oslo"]);
  });

  it("has parts of limited width, of which one at least is sent", async () => {
    const { path } = await order();
    const widths = { name: 200, line2: 200, state: 100, postal_code: 32 };
    const bodies = Object.entries({ ...widths, country: 64, phone: 64 }).map(([part, width]) => ({
      [`billing_address_${part}`]: "x".repeat(width + 1),
    }));
    for (const body of [...bodies, {}]) {
      assert.deepEqual(statusAndError(await at().clerk.patch(`${path}/address`, body)), [400, "validation_error"]);
    }
  });

  it("is of an order that there is, in a warehouse of the user", async () => {
    const { clerk, elsewhere } = at();
    const body = { shipping_address_city: "Paris" };
    assert.equal((await clerk.patch("/api/admin/sales-orders/999999/address", body)).status, 404);
    const { path } = await order({ warehouse_id: elsewhere });
    assert.equal((await clerk.patch(`${path}/address`, body)).status, 403);
  });
});

describe("the fraud queue", () => {
  const { at, order, linesOf, reserved } = desk();
  const queue = async () => {
    const path = "/api/admin/sales-orders?status=FRAUD_REVIEW";
    const { sales_orders } = await at().clerk.ok("GET", path);
    return sales_orders.map((so: { so_id: number }) => so.so_id);
  };

  it("lists what is held, and lets it go to be picked with what is reserved for it", async () => {
    const { so_id, so_number, path } = await reserved(3, 10);
    await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_id = $1", [so_id]);
    assert.deepEqual(await queue(), [so_id]);
    const mark = await auditMark();
    const { clerk } = at();
    assert.deepEqual(await clerk.ok("POST", `${path}/push-to-queue`), { so_id, status: "OPEN" });
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
      ["SO_STATUS_CHANGED", { so_number, field: "status", old_value: "FRAUD_REVIEW", new_value: "OPEN" }],
    ]);
    assert.deepEqual(await queue(), []);
    assert.equal((await linesOf(path))[0]?.quantity_allocated, 3);
  });

  it("is listed by who has its page alone, and nothing else is", async () => {
    const { service, here } = at();
    const { so_id } = await order({ status: "FRAUD_REVIEW" });
    const reviewer = await service.user({ warehouse_ids: [here], page_keys: ["fraud"] });
    const path = "/api/admin/sales-orders";
    const { sales_orders } = await reviewer.ok("GET", `${path}?status=FRAUD_REVIEW&per_page=1000`);
    assert.ok(sales_orders.some((so: { so_id: number }) => so.so_id === so_id));
    assert.ok(sales_orders.every((so: { status: string }) => so.status === "FRAUD_REVIEW"));
    for (const query of ["", "?status=OPEN", "?status=FRAUD_REVIEW,OPEN", "?status=FRAUD_REVIEW&status=OPEN"]) {
      const { status, body } = await reviewer.get(`${path}${query}`);
      assert.deepEqual([status, body.error, body.page], [403, "permission_denied", "sales-orders"], query);
    }
    assert.equal((await reviewer.get(`${path}/${so_id}`)).status, 403);
    await reviewer.ok("PATCH", `${path}/${so_id}/memo`, { memo: "called" });
    await reviewer.ok("POST", `${path}/${so_id}/push-to-queue`);
  });

  it("refuses to push what is not held", async () => {
    const { path, so_number } = await order({ status: "CANCELLED" });
    const answer = await at().clerk.post(`${path}/push-to-queue`);
    assert.deepEqual(statusAndBody(answer), [
      409,
      { error: `Sales order ${so_number} is CANCELLED, not FRAUD_REVIEW`, current_status: "CANCELLED" },
    ]);
  });

  it("lets the memo be changed in any status", async () => {
    const { path, so_id, so_number } = await order({ status: "SHIPPED" });
    const mark = await auditMark();
    const { clerk } = at();
    const memo = (text: string) => clerk.ok("PATCH", `${path}/memo`, { memo: text });
    assert.deepEqual(await memo("called"), { so_id, memo: "called" });
    assert.deepEqual(await memo("called"), { unchanged: true, memo: "called" });
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
      ["SO_HEADER_EDITED", { so_number, field: "memo", old_value: null, new_value: "called" }],
    ]);
    assert.deepEqual(await memo(""), { so_id, memo: null });
    assert.deepEqual(await memo(""), { unchanged: true, memo: null });
    for (const body of [{}, { memo: null }, { memo: "x".repeat(4097) }]) {
      const answer = await clerk.patch(`${path}/memo`, body);
      assert.equal(answer.body.error, "validation_error");
    }
  });

  it("is of orders that there are, in warehouses of the user", async () => {
    const { clerk, elsewhere } = at();
    const away = await order({ warehouse_id: elsewhere });
    for (const [path, status] of [
      ["/api/admin/sales-orders/999999", 404],
      [away.path, 403],
    ] as const) {
      const memo = await clerk.patch(`${path}/memo`, { memo: "x" });
      const push = await clerk.post(`${path}/push-to-queue`);
      assert.deepEqual([memo.status, push.status], [status, status]);
    }
  });
});
