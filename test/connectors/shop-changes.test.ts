import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { bin, item, stock } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { idOf, ShopifyPair, variantsOf } from "../support/shopify.js";
import { LOCATION, newId } from "../support/shops/shopify-orders.js";
import { splitOff } from "../support/split-orders.js";
import { tokenCaller } from "../support/tokens.js";
import { startWave, walked } from "../support/walk.js";

/** What a shop changes of an order that is here, and what people changed here meanwhile. */
describe("a change in a shop", function () {
  this.timeout(120_000);
  const service = testService({ worker: true });
  let pair: ShopifyPair;
  before(async () => {
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { require_packing_before_shipping: "false" } });
  });
  beforeEach(async () => {
    pair = await ShopifyPair.open(service);
  });
  afterEach(async () => {
    await pair.close();
    await assertInvariants();
  });

  const address = (line: string) => ({
    ...{ first_name: "Bob", last_name: "Norman", address1: line, city: "Ottawa", zip: "K2P0V6", country: "Canada" },
    ...{ province: "Ontario", country_code: "CA", province_code: "ON", name: "Bob Norman", company: null, phone: null },
  });
  /** A variant of the shop and its item here, with units on a shelf. */
  async function sold(units = 20) {
    const sku = `S-${randomUUID().slice(0, 13)}`;
    const [variant] = variantsOf(pair.shop.addProduct([{ sku }]));
    await pair.sync("items");
    const row = await db.row<{ item_id: number }>("select item_id from items where sku = $1", [sku]);
    const item_id = row?.item_id ?? assert.fail("no item");
    if (units > 0) await stock(pair.warehouse_id, await bin(pair.warehouse_id), item_id, units);
    return { variant: { sku, variant_id: variant?.id ?? assert.fail() }, item: { item_id, sku } };
  }
  type Sold = Awaited<ReturnType<typeof sold>>;
  /** An order of the shop that has come here. */
  async function ordered(lines: [Sold, number][], fields: object = {}) {
    const shown = { shipping_address: address("1 Old Street"), note: null, ...fields };
    const id = idOf(
      pair.shop.addOrder(
        lines.map(([{ variant }, quantity]) => ({ ...variant, quantity })),
        shown,
      ),
    );
    await pair.sync("orders");
    const { so_id, so_number } = (await pair.order(id)) ?? assert.fail("the order did not come");
    return { id, so_id, so_number };
  }
  const change = (id: number, fields: object) =>
    pair.shop.changeOrder(id, (order) => void Object.assign(order.fields, fields));
  const header = (so_id: number) =>
    db.row<Record<string, unknown>>("select * from sales_orders where so_id = $1", [so_id]) as Promise<
      Record<string, unknown>
    >;
  const units = async (so_id: number) => {
    const rows = await db.rows<{ sku: string; quantity_ordered: number }>(
      "select sku, quantity_ordered from sales_order_lines join items using (item_id) where so_id = $1",
      [so_id],
    );
    return Object.fromEntries(rows.map((row) => [row.sku, row.quantity_ordered]));
  };
  const shown = async (so_id: number) =>
    (await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).sales_order as Record<string, unknown>;
  const ship = (so_id: number) =>
    service.admin.post("/api/shipping/fulfill", { so_id, tracking_number: randomUUID(), carrier: "UPS" });
  const pick = (order: { so_id: number }) => walked(service.admin, pair.warehouse_id, order, []);
  const children = (so_id: number) =>
    db.rows<{ so_id: number; so_number: string; status: string }>(
      "select so_id, so_number, status from sales_orders where parent_so_id = $1 order by so_id",
      [so_id],
    );

  it("keeps what the customer wants of each line: what is taken off or added is of that line", async () => {
    const mug = await sold();
    const engraved = (value: string) => ({ ...mug.variant, quantity: 2, properties: [{ name: "Engraving", value }] });
    const id = idOf(pair.shop.addOrder([engraved("Ann"), engraved("Bob")], { note: null }));
    await pair.sync("orders");
    const { so_id } = (await pair.order(id)) ?? assert.fail("the order did not come");
    const wanted = async (of: number) => {
      const rows = await db.rows<{ quantity_ordered: number; properties: { value: string }[] }>(
        "select quantity_ordered, properties from sales_order_lines where so_id = $1 order by line_number",
        [of],
      );
      return rows.map((row) => [row.quantity_ordered, ...row.properties.map(({ value }) => value)]);
    };
    assert.deepEqual(await wanted(so_id), [
      [2, "Ann"],
      [2, "Bob"],
    ]);
    // Of a divided order units are taken one by one.
    const part = await splitOff(service.admin, so_id, 1);
    assert.deepEqual(await wanted(part.so_id), [[1, "Ann"]]);
    pair.shop.refund(id, 0, 1);
    await pair.sync("orders");
    pair.shop.refund(id, 0, 1);
    await pair.sync("orders");
    assert.deepEqual(await wanted(so_id), [[2, "Bob"]]);
    assert.equal((await children(so_id))[0]?.status, "CANCELLED");
    await pick({ so_id });
    pair.shop.changeOrder(id, (order) => {
      const [, bob] = order.lines;
      order.lines.push({ ...(bob ?? assert.fail()), ...engraved("Cleo"), id: newId(), removed: 0 });
    });
    await pair.sync("orders");
    const added = (await children(so_id)).at(-1);
    assert.match(added?.so_number ?? "", /-ADD$/);
    assert.deepEqual(await wanted(added?.so_id as number), [[2, "Cleo"]]);
  });

  it("leaves what people corrected here as it is", async () => {
    const [mug, cup] = [await sold(), await sold()];
    const { id, so_id } = await ordered([
      [mug, 3],
      [cup, 2],
    ]);
    await service.admin.ok("PATCH", `/api/admin/sales-orders/${so_id}/address`, {
      shipping_address_line1: "2 Right Street",
    });
    await service.admin.ok("PATCH", `/api/admin/sales-orders/${so_id}/memo`, { memo: "Call before" });
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    const line = lines.find((one: { sku: string }) => one.sku === mug.item.sku);
    await service.admin.ok("PATCH", `/api/admin/sales-orders/${so_id}/lines/${line.so_line_id}`, {
      quantity_ordered: 1,
    });
    change(id, { tags: "vip" });
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    change(id, { email: "new@example.com" });
    pair.shop.refund(id, 1, 1);
    await pair.sync("orders");
    const after = await header(so_id);
    assert.deepEqual(
      [after.shipping_address_line1, after.memo, after.customer_email],
      ["2 Right Street", "Call before", "new@example.com"],
    );
    assert.deepEqual(await units(so_id), { [mug.item.sku]: 1, [cup.item.sku]: 1 });
  });

  it("leaves what people corrected of an item, and writes nothing where only a tag is new", async () => {
    const product = pair.shop.addProduct([{ sku: `S-${randomUUID().slice(0, 13)}`, weight: 2 }], { title: "Mug" });
    await pair.sync("items");
    const sku = variantsOf(product)[0]?.sku;
    const read = () => db.row<Record<string, unknown>>("select * from items where sku = $1", [sku]);
    const { item_id } = (await read()) ?? assert.fail();
    await service.admin.ok("PUT", `/api/admin/items/${item_id}`, { item_name: "Big mug", weight_lbs: 2.5 });
    const audits = () => db.value<number>("select count(*) from audit_log where entity_type = 'INBOUND_ITEM'");
    const [before, count] = [await read(), await audits()];
    pair.shop.changeProduct(idOf(product), (one) => void Object.assign(one, { tags: "new" }));
    assert.deepEqual(await pair.sync("items"), ["written"]);
    assert.equal(await audits(), count);
    const { latest_inbound_id: _, ...kept } = before as Record<string, unknown>;
    assert.deepEqual({ ...(await read()), ...kept }, await read());
    pair.shop.changeProduct(idOf(product), (one) => void Object.assign(one, { title: "Cup", status: "archived" }));
    await pair.sync("items");
    const after = (await read()) ?? assert.fail();
    assert.deepEqual([after.item_name, after.is_active, after.weight_lbs], ["Cup", false, "2.5000"]);
  });

  it("is taken while stock is merely reserved: another address, an item less, another more", async () => {
    const [mug, cup, bowl] = [await sold(), await sold(), await sold()];
    const { id, so_id } = await ordered([
      [mug, 3],
      [cup, 2],
    ]);
    change(id, { shipping_address: address("2 New Street") });
    pair.shop.refund(id, 0, 3);
    pair.shop.changeOrder(id, ({ lines }) => {
      lines.push({ ...(lines[1] as (typeof lines)[0]), ...bowl.variant, id: 9_000_000 + id, quantity: 4, removed: 0 });
    });
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.deepEqual(await units(so_id), { [cup.item.sku]: 2, [bowl.item.sku]: 4 });
    assert.equal((await header(so_id)).shipping_address_line1, "2 New Street");
    const held = await db.rows("select quantity_allocated from sales_order_lines where so_id = $1 order by 1", [so_id]);
    assert.deepEqual(held, [{ quantity_allocated: 2 }, { quantity_allocated: 4 }]);
    assert.deepEqual(await pair.refusals(), []);
  });

  it("of units that were picked holds the order until somebody decides", async () => {
    const mug = await sold();
    const { id, so_id, so_number } = await ordered([[mug, 3]]);
    await pick({ so_id });
    change(id, { shipping_address: address("2 New Street") });
    pair.shop.refund(id, 0, 2);
    await pair.sync("orders");
    const order = await shown(so_id);
    assert.equal(order.hold_reason, "differs_from_shop");
    assert.deepEqual(pluckAll(order.shop_difference as { sku: string; units: number }[], "sku", "units"), [
      [mug.item.sku, -2],
    ]);
    assert.equal((await header(so_id)).shipping_address_line1, "2 New Street");
    const verify = { so_id, scanned_barcode: mug.item.sku, quantity: 1 };
    const { caller: station } = await tokenCaller(service, {
      ...{ endpoints: ["station.dispatch"], warehouse_ids: [pair.warehouse_id] },
    });
    const parcel = { tracking: "1Z", carrier: "UPS", operator_username: service.admin.username };
    const answers = [
      await service.admin.post("/api/packing/verify", verify),
      await service.admin.get(`/api/packing/order/${so_number}`),
      await service.admin.post("/api/packing/complete", { so_id }),
      await ship(so_id),
      await service.admin.get(`/api/shipping/order/${so_number}`),
      await service.admin.post(`/api/admin/sales-orders/${so_id}/admin-ship`, {}),
      await service.admin.call("PUT", `/api/admin/sales-orders/${so_id}`, { status: "SHIPPED", tracking_number: "1Z" }),
      await station.post(`/api/v1/station/orders/${so_number}/ship`, { ...parcel, idempotency_key: randomUUID() }),
    ];
    assert.deepEqual(
      answers.map(({ status, body, code }) => [status, code ?? body.error_kind]),
      answers.map(() => [409, "order_held"]),
    );
    // The row stays, whatever else is read meanwhile.
    change(id, { tags: "vip" });
    await pair.sync("orders");
    assert.deepEqual(pluckAll(await pair.refusals(), "external_id", "error_kind"), [[`${id}`, "differs_from_shop"]]);
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/release-hold`, {});
    assert.deepEqual(await pair.refusals(), []);
    assert.equal((await ship(so_id)).status, 200);
  });

  it("of an order in a wave holds it, and is taken once the wave is over", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 3]]);
    const { batch_id, tasks } = await startWave(service.admin, pair.warehouse_id, [so_id], false);
    pair.shop.refund(id, 0, 1);
    await pair.sync("orders");
    const confirm = { pick_task_id: tasks[0]?.pick_task_id, scanned_barcode: mug.item.sku, quantity_picked: 3 };
    assert.equal((await service.admin.post("/api/picking/confirm", confirm)).code, "order_held");
    await service.admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
    const wave = { so_ids: [so_id], warehouse_id: pair.warehouse_id };
    assert.equal((await service.admin.post("/api/picking/wave-create", wave)).code, "order_held");
    change(id, { tags: "vip" });
    await pair.sync("orders");
    assert.deepEqual([(await shown(so_id)).hold_reason, await units(so_id)], [null, { [mug.item.sku]: 2 }]);
    assert.equal((await service.admin.post("/api/picking/wave-create", wave)).status, 200);
  });

  it("of an order that was split takes what is open first, and reaches all of it", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 5]]);
    const backorder = await splitOff(service.admin, so_id, 3);
    await pick({ so_id });
    pair.shop.refund(id, 0, 2);
    change(id, { shipping_address: address("2 New Street") });
    await pair.sync("orders");
    assert.deepEqual(await units(backorder.so_id), { [mug.item.sku]: 1 });
    for (const one of [so_id, backorder.so_id]) {
      const { shipping_address_line1, hold_reason } = await header(one);
      assert.deepEqual([shipping_address_line1, hold_reason], ["2 New Street", null]);
    }
    pair.shop.refund(id, 0, 2);
    await pair.sync("orders");
    assert.equal((await header(backorder.so_id)).status, "CANCELLED");
    assert.equal((await header(so_id)).hold_reason, "differs_from_shop");
  });

  it("that cancels an order which was shipped in part cancels the rest", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 5]]);
    const backorder = await splitOff(service.admin, so_id, 3);
    await pick({ so_id });
    await ship(so_id);
    pair.shop.cancelOrder(id);
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.deepEqual([(await header(so_id)).status, (await header(backorder.so_id)).status], ["SHIPPED", "CANCELLED"]);
  });

  it("that fulfils units by hand takes them off the order, and nothing ships twice", async () => {
    const mug = await sold();
    const [some, all] = [await ordered([[mug, 5]]), await ordered([[mug, 2]])];
    pair.shop.fulfilByHand(some.id, 0, 3);
    pair.shop.fulfilByHand(all.id, 0, 2);
    await pair.sync("orders");
    assert.deepEqual(await units(some.so_id), { [mug.item.sku]: 2 });
    const { status, cancellation_reason } = await header(all.so_id);
    assert.deepEqual([status, cancellation_reason], ["CANCELLED", "fulfilled_in_shop"]);
  });

  it("that adds units to a shipped order makes an order of its own for them", async () => {
    const [mug, cup] = [await sold(), await sold()];
    const { id, so_id, so_number } = await ordered([[mug, 2]]);
    await pick({ so_id });
    await ship(so_id);
    pair.shop.changeOrder(id, ({ lines }) => {
      lines.push({ ...(lines[0] as (typeof lines)[0]), ...cup.variant, id: 9_000_000 + id, quantity: 1 });
    });
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    const [added] = await children(so_id);
    assert.deepEqual([added?.so_number, added?.status], [`${so_number}-ADD`, "OPEN"]);
    assert.deepEqual(await units(added?.so_id ?? 0), { [cup.item.sku]: 1 });
    assert.deepEqual(await pair.sync("orders"), ["known"]);
    assert.equal((await children(so_id)).length, 1);
  });

  it("brings an order back that everything was taken out of", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 2]]);
    pair.shop.refund(id, 0, 2);
    await pair.sync("orders");
    assert.equal((await header(so_id)).status, "CANCELLED");
    pair.shop.changeOrder(id, ({ lines, fields }) => {
      (lines[0] as (typeof lines)[0]).removed = 0;
      fields.financial_status = "paid";
    });
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.deepEqual([(await header(so_id)).status, await units(so_id)], ["OPEN", { [mug.item.sku]: 2 }]);
    const held = await db.row("select quantity_allocated from sales_order_lines where so_id = $1", [so_id]);
    assert.deepEqual(held, { quantity_allocated: 2 });
    // What people cancelled here stays so.
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`, {});
    change(id, { tags: "vip" });
    await pair.sync("orders");
    assert.equal((await header(so_id)).status, "CANCELLED");
  });

  it("has an order released that is there, held, and of the user's warehouses", async () => {
    const mug = await sold();
    const { so_id } = await ordered([[mug, 1]]);
    const release = async (id: number, by = service.admin) =>
      (await by.post(`/api/admin/sales-orders/${id}/release-hold`, {})).code;
    assert.equal(await release(so_id), "order_not_held");
    assert.equal(await release(99_999_999), "so_not_found");
    assert.equal(await release(so_id, await service.user({ page_keys: ["sales-orders"] })), "warehouse_denied");
  });

  it("leaves what a person holds on hold", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 2]]);
    const path = `/api/admin/sales-orders/${so_id}`;
    await service.admin.ok("POST", `${path}/hold`, { reason: "the card is checked" });
    for (const isHeld of [true, false]) {
      pair.shop.hold(id, isHeld);
      await pair.sync("orders");
      assert.equal((await shown(so_id)).hold_reason, "by_hand");
    }
    await service.admin.ok("POST", `${path}/release-hold`, {});
    assert.equal((await shown(so_id)).hold_reason, null);
  });

  it("puts an order on hold, and releases it", async () => {
    const mug = await sold();
    const { id, so_id } = await ordered([[mug, 2]]);
    const wave = { so_ids: [so_id], warehouse_id: pair.warehouse_id };
    pair.shop.hold(id);
    await pair.sync("orders");
    assert.equal((await shown(so_id)).hold_reason, "on_hold_in_shop");
    const [line] = (await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).lines;
    const { so_number } = await header(so_id);
    const place = await db.row<{ bin_id: number }>("select bin_id from inventory where item_id = $1", [
      mug.item.item_id,
    ]);
    for (const [path, body] of [
      ["/api/picking/wave-create", wave],
      ["/api/picking/create-batch", { so_identifiers: [so_number], warehouse_id: pair.warehouse_id }],
      ["/api/picking/wave-validate", { barcode: so_number, warehouse_id: pair.warehouse_id }],
      [
        `/api/admin/sales-orders/${so_id}/admin-pick`,
        { lines: [{ so_line_id: line.so_line_id, bin_id: place?.bin_id, quantity: 1 }] },
      ],
    ] as const)
      assert.equal((await service.admin.post(path, body)).code, "order_held", path);
    pair.shop.hold(id, false);
    await pair.sync("orders");
    assert.equal((await shown(so_id)).hold_reason, null);
    assert.equal((await service.admin.post("/api/picking/wave-create", wave)).status, 200);
  });

  describe("of what is to be shipped from here", () => {
    const OTHER = 655_441_492;
    const comes = async (id: number) => (await pair.order(id))?.lines.map(({ quantity }) => quantity);

    it("leaves out what other locations ship, and without a location what third parties do", async () => {
      const mug = await sold();
      const lines = [
        { ...mug.variant, quantity: 1 },
        { ...mug.variant, quantity: 2, location_id: OTHER },
        { ...mug.variant, quantity: 4, location_id: OTHER, fulfillment_service: "parcel-house" },
      ];
      const id = idOf(pair.shop.addOrder(lines));
      await pair.sync("orders");
      assert.deepEqual(await comes(id), [1, 2]);
      await storeConfig("shopify", pair.warehouse_id, { location_id: `${LOCATION}` }, service.config);
      const another = idOf(pair.shop.addOrder(lines));
      const elsewhere = idOf(pair.shop.addOrder(lines.slice(1)));
      await pair.sync("orders");
      assert.deepEqual([await comes(another), await comes(elsewhere)], [[1], undefined]);
      // It is moved here in the shop.
      pair.shop.changeOrder(elsewhere, (order) => {
        for (const line of order.lines) line.location_id = LOCATION;
      });
      await pair.sync("orders");
      assert.deepEqual(await comes(elsewhere), [2, 4]);
    });

    it("leaves out what is on hold or scheduled, until it is neither, and what is a test", async () => {
      const mug = await sold();
      const order = (fields = {}) => idOf(pair.shop.addOrder([{ ...mug.variant, quantity: 2 }], fields));
      const [held, scheduled, test] = [order(), order(), order({ test: true })];
      pair.shop.hold(held);
      pair.shop.changeOrder(scheduled, (one) => {
        one.waiting = new Map([[LOCATION, "scheduled"]]);
      });
      await pair.sync("orders");
      assert.deepEqual(await Promise.all([held, scheduled, test].map(comes)), [undefined, undefined, undefined]);
      pair.shop.hold(held, false);
      pair.shop.hold(scheduled, false);
      await pair.sync("orders");
      assert.deepEqual(await Promise.all([held, scheduled, test].map(comes)), [[2], [2], undefined]);
    });

    it("has what a company pays on terms, but not what is due on receipt", async () => {
      const mug = await sold();
      const order = (payment_terms_type: string) =>
        idOf(
          pair.shop.addOrder([{ ...mug.variant, quantity: 2 }], {
            ...{ financial_status: "pending", payment_terms: { payment_terms_type, due_in_days: 30 } },
          }),
        );
      const [net, receipt] = [order("net"), order("receipt")];
      await pair.sync("orders");
      assert.deepEqual([await comes(net), await comes(receipt)], [[2], undefined]);
    });

    it("comes to one warehouse alone where two read the same shop without locations", async () => {
      const mug = await sold();
      const other = await ShopifyPair.open(service);
      for (const one of [pair, other])
        await db.run("insert into connector_shops values ('shopify', $1, 1, 'johns.myshopify.com', true)", [
          one.warehouse_id,
        ]);
      const document = pair.shop.addOrder([{ ...mug.variant, quantity: 2 }], { name: `#${randomUUID()}` });
      await pair.sync("orders");
      const [record] = (await pair.pages("orders")).flatMap(({ records }) => records);
      const elsewhere = { ...(record ?? assert.fail()), values: { ...record?.values, so_number: randomUUID() } };
      assert.equal(await other.write(elsewhere), "order_in_another_warehouse");
      assert.equal(await other.order(idOf(document)), undefined);
      // What the shop assigned to that warehouse comes there, under a number of its own.
      const assigned = { ...elsewhere, values: { ...record?.values }, assigned: true };
      assert.equal(await other.write(assigned), "written");
      const { warehouse_code } = (await db.row<{ warehouse_code: string }>(
        "select warehouse_code from warehouses where warehouse_id = $1",
        [other.warehouse_id],
      )) as { warehouse_code: string };
      const number = `${record?.values.so_number}-${warehouse_code}`;
      assert.equal((await other.order(idOf(document)))?.so_number, number);
      await other.close();
    });
  });

  it("is of no item that is known by its SKU alone", async () => {
    const { sku } = await item();
    const id = idOf(pair.shop.addOrder([{ sku, variant_id: 4711, quantity: 2 }]));
    await pair.sync("orders");
    pair.shop.fulfilByHand(id, 0, 1);
    await pair.sync("orders");
    assert.equal((await pair.order(id))?.lines[0]?.quantity, 1);
  });
});
