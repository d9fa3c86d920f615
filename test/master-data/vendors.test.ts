import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/vendors";

describe("vendors", () => {
  const service = testService();
  let keeper: Caller;
  before(async () => {
    keeper = await service.user({ page_keys: ["vendors"] });
  });

  const full = {
    vendor_name: "Potter & Sons",
    contact_name: "Pat Potter",
    email: "orders@potter.example",
    phone: "+1 555 0100",
    billing_address: "1 Kiln Lane",
    remit_to_address: "PO Box 7",
    tax_id: "12-3456789",
    payment_terms: "NET30",
  };
  const make = (fields: object = {}) => keeper.ok("POST", ROUTE, { vendor_name: "Weaver", ...fields });
  const names = async (query: string) =>
    (await keeper.ok("GET", `${ROUTE}?${query}`)).vendors.map((vendor: { vendor_name: string }) => vendor.vendor_name);

  it("are made active, and read as they were answered", async () => {
    const mark = await auditMark();
    const made = await keeper.post(ROUTE, full);
    assert.equal(made.status, 201);
    const { canonical_id, external_id, created_at, updated_at, ...rest } = made.body;
    assert.deepEqual(rest, { ...full, is_active: true, latest_inbound_id: null });
    assert.notEqual(canonical_id, external_id);
    assert.equal(created_at, updated_at);
    assert.deepEqual(await keeper.ok("GET", `${ROUTE}/${canonical_id}`), made.body);
    assert.deepEqual(await auditSince(mark), [
      {
        action_type: "CREATE",
        entity_type: "VENDOR",
        entity_id: 0,
        user_id: keeper.username,
        warehouse_id: null,
        details: { canonical_id, vendor_name: "Potter & Sons" },
      },
    ]);
    const { contact_name, email } = await make({ is_active: false });
    assert.deepEqual([contact_name, email], [null, null]);
  });

  it("may have the same name", async () => {
    const [first, second] = [await make(), await make()];
    assert.notEqual(first.canonical_id, second.canonical_id);
  });

  it("are listed by name, page by page, and found by name, contact and email", async () => {
    for (const letter of ["C", "A", "B"])
      await make({
        vendor_name: `Listed ${letter} 100%`,
        contact_name: `Contact ${letter}`,
        email: `${letter}@listed.example`,
      });
    assert.deepEqual(await names("q=listed%20&per_page=2"), ["Listed A 100%", "Listed B 100%"]);
    const second = await keeper.ok("GET", `${ROUTE}?q=LISTED&per_page=2&page=2`);
    const { vendors, ...rest } = second;
    assert.equal(vendors.length, 1);
    assert.deepEqual(rest, { total: 3, page: 2, per_page: 2, pages: 2 });
    assert.deepEqual(await names("q=contact%20b"), ["Listed B 100%"]);
    assert.deepEqual(await names("q=c@listed"), ["Listed C 100%"]);
    assert.deepEqual(await names("q=ed%20a%20100%25"), ["Listed A 100%"]);
    assert.deepEqual(await names("q=listed_a"), []);
  });

  it("change what is sent of them", async () => {
    const made = await make(full);
    const mark = await auditMark();
    const saved = await keeper.put(`${ROUTE}/${made.canonical_id}`, {
      vendor_name: "Potter & Daughters",
      email: null,
      is_active: false,
    });
    const { updated_at } = saved.body;
    assert.ok(updated_at > made.updated_at);
    assert.deepEqual(statusAndBody(saved), [
      200,
      { ...made, vendor_name: "Potter & Daughters", email: null, is_active: false, updated_at },
    ]);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.details],
      [
        "UPDATE",
        {
          canonical_id: made.canonical_id,
          vendor_name: "Potter & Daughters",
          changed: {
            vendor_name: { old: "Potter & Sons", new: "Potter & Daughters" },
            email: { old: full.email, new: null },
            is_active: { old: true, new: false },
          },
        },
      ],
    );
  });

  it("that are not there are 404", async () => {
    const path = `${ROUTE}/${randomUUID()}`;
    for (const missing of [await keeper.get(path), await keeper.put(path, { phone: "1" }), await keeper.delete(path)])
      assert.deepEqual([missing.status, missing.body], [404, { error: "Vendor not found" }]);
    assert.equal((await keeper.get(`${ROUTE}/1`)).status, 404);
  });

  it("are deleted unless a purchase order names them", async () => {
    const { canonical_id } = await make();
    const { po_id } = await fixtures.purchaseOrder(await fixtures.warehouse(), []);
    await db.run("update purchase_orders set vendor_id = $2 where po_id = $1", [po_id, canonical_id]);
    const path = `${ROUTE}/${canonical_id}`;
    const refused = await keeper.delete(path);
    assert.deepEqual(statusAndBody(refused), [
      400,
      { error: "Vendor Weaver cannot be deleted: purchase orders name it; deactivate it instead" },
    ]);
    await db.run("update purchase_orders set vendor_id = null");
    const mark = await auditMark();
    assert.deepEqual(statusAndBody(await keeper.delete(path)), [200, { message: "Vendor Weaver deleted" }]);
    assert.equal((await keeper.get(path)).status, 404);
    assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["DELETE"]);
  });
});
