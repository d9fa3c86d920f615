import assert from "node:assert/strict";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/purchase-orders";
type Goods = Awaited<ReturnType<typeof fixtures.item>>;

describe("editing a purchase order", () => {
  const service = testService();
  let buyer: Caller;
  let stranger: Caller;
  let here: number;
  let bin_id: number;
  before(async () => {
    here = await fixtures.warehouse();
    bin_id = await fixtures.bin(here);
    buyer = await service.user({ warehouse_ids: [here], page_keys: ["purchase-orders"] });
    stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()], page_keys: ["purchase-orders"] });
  });
  afterEach(() => assertInvariants());

  /** An order of so many units of each of some items. */
  async function ordered(...quantities: number[]) {
    const goods: (Goods & { quantity: number })[] = [];
    for (const quantity of quantities) goods.push({ ...(await fixtures.item()), quantity });
    const { po_id, po_number } = await fixtures.purchaseOrder(here, goods);
    const path = `${ROUTE}/${po_id}`;
    const { lines } = await buyer.ok("GET", path);
    const linePath = (i: number) => `${path}/lines/${lines[i].po_line_id}`;
    const receive = (i: number, quantity: number) =>
      buyer.post("/api/receiving/receive", { po_id, items: [{ item_id: goods[i]?.item_id, bin_id, quantity }] });
    return { po_id, po_number, path, goods, lines, linePath, receive };
  }
  type Ordered = Awaited<ReturnType<typeof ordered>>;

  const close = ({ path }: Ordered) => buyer.ok("POST", `${path}/close`);
  const archive = async (order: Ordered) => {
    await close(order);
    await buyer.ok("PUT", order.path, { status: "ARCHIVED" });
  };
  const statusOf = async ({ path }: Ordered) => (await buyer.ok("GET", path)).purchase_order.status;
  const eventsOf = ({ po_id }: Ordered) =>
    db.rows<{ payload: Record<string, unknown> }>(
      `select event_data(integration_events) as payload from integration_events
       where event_type = 'purchaseorderedit.completed' and entity_id = $1 order by outbox_id`,
      [po_id],
    );
  const changesOf = async (order: Ordered) => (await eventsOf(order)).map(({ payload }) => payload.changes);
  const change = (field: string, old_value: string | null, new_value: string | null) => ({
    field,
    old_value,
    new_value,
  });

  describe("the header", () => {
    it("changes in what is sent and answers the whole", async () => {
      const order = await ordered(10);
      const mark = await auditMark();
      const { external_id, created_at, ...answer } = await buyer.ok("PUT", order.path, {
        po_number: `${order.po_number}-B`,
        po_barcode: "4711",
        vendor_name: null,
        expected_date: "2026-05-06T10:00:00",
        notes: "dock 2",
        warehouse_id: here,
      });
      assert.deepEqual(answer, {
        po_id: order.po_id,
        po_number: `${order.po_number}-B`,
        po_barcode: "4711",
        vendor_name: null,
        status: "OPEN",
        expected_date: "2026-05-06",
        warehouse_id: here,
        notes: "dock 2",
      });
      const read = await buyer.ok("GET", order.path);
      assert.deepEqual(read.purchase_order, { ...answer, external_id, created_at });
      const changes = [
        change("po_number", order.po_number, `${order.po_number}-B`),
        change("po_barcode", order.po_number, "4711"),
        change("vendor_name", "Vendor", null),
        change("expected_date", null, "2026-05-06"),
        change("notes", null, "dock 2"),
      ];
      assert.deepEqual(await auditSince(mark), [
        {
          ...{ action_type: "UPDATE", entity_type: "PO" },
          ...{ entity_id: order.po_id, user_id: buyer.username },
          warehouse_id: here,
          details: { po_number: `${order.po_number}-B`, changes },
        },
      ]);
      const [event, ...more] = await eventsOf(order);
      const { edited_at, ...payload } = event?.payload ?? {};
      assert.deepEqual(more, []);
      const ids = await db.row<{ po: string; buyer: string }>(
        `select po.external_id as po, u.external_id as buyer from purchase_orders po, users u
         where po_id = $1 and user_id = $2`,
        [order.po_id, buyer.userId],
      );
      assert.deepEqual(payload, {
        purchase_order_external_id: ids?.po,
        po_number: `${order.po_number}-B`,
        status: "OPEN",
        changes,
        edited_by_user_external_id: ids?.buyer,
      });
    });

    it("says nothing of an edit that changes nothing", async () => {
      const order = await ordered(10);
      const mark = await auditMark();
      await buyer.ok("PUT", order.path, {
        ...{ po_number: order.po_number, vendor_name: "Vendor" },
        ...{ expected_date: null, status: "OPEN" },
      });
      assert.deepEqual(await auditSince(mark), []);
      assert.deepEqual(await eventsOf(order), []);
    });

    it("needs a field", async () => {
      const { path } = await ordered(10);
      for (const body of [{}, { warehouse_id: here }])
        assert.deepEqual(statusAndError(await buyer.put(path, body)), [400, "No field to change was sent"]);
    });

    it("keeps numbers apart, also when two want the same one", async () => {
      const [a, b, c] = [await ordered(1), await ordered(1), await ordered(1)];
      const taken = [400, `Purchase order ${a.po_number} already exists`];
      const { po_number } = a;
      assert.deepEqual(statusAndError(await buyer.put(b.path, { po_number })), taken);
      const wanted = { po_number: `${a.po_number}-NEW` };
      const answers = await Promise.all([a, b, c].map(({ path }) => buyer.put(path, wanted)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    });

    it("of a closed or archived order stays as it is", async () => {
      const order = await ordered(10);
      await close(order);
      const refused = (status: string) => [400, `Purchase order is ${status}: reopen it before you change it`];
      const edit = { status: "OPEN", notes: "dock 2" };
      assert.deepEqual(statusAndError(await buyer.put(order.path, edit)), [...refused("CLOSED")]);
      await buyer.ok("PUT", order.path, { status: "ARCHIVED" });
      assert.deepEqual(statusAndError(await buyer.put(order.path, { notes: "x" })), [...refused("ARCHIVED")]);
    });
  });

  describe("the status", () => {
    it("is closed, archived and taken up again by an edit, each with one event", async () => {
      const order = await ordered(10);
      await order.receive(0, 4);
      const mark = await auditMark();
      for (const status of ["CLOSED", "ARCHIVED", "CLOSED", "OPEN"]) await buyer.ok("PUT", order.path, { status });
      assert.equal(await statusOf(order), "PARTIAL");
      const steps = [
        ["PARTIAL", "CLOSED"],
        ["CLOSED", "ARCHIVED"],
        ["ARCHIVED", "CLOSED"],
        ["CLOSED", "PARTIAL"],
      ] as const;
      assert.deepEqual(
        pluckAll(await auditSince(mark), "action_type", "details"),
        steps.map(([old_value, new_value]) => [
          "PO_STATUS_CHANGED",
          { po_number: order.po_number, old_value, new_value },
        ]),
      );
      assert.deepEqual(
        await changesOf(order),
        steps.map((step) => [change("status", step[0], step[1])]),
      );
    });

    it("is ARCHIVED only after CLOSED", async () => {
      const order = await ordered(10);
      const answer = await buyer.put(order.path, { status: "ARCHIVED" });
      assert.deepEqual(statusAndError(answer), [400, "Purchase order is OPEN: only a closed one can be archived"]);
      await archive(order);
      assert.equal((await buyer.put(order.path, { status: "ARCHIVED" })).status, 200);
      const hidden = await buyer.ok("GET", `${ROUTE}?q=${order.po_number}`);
      assert.equal(hidden.total, 0);
      const q = `${ROUTE}?q=${order.po_number}&include_archived=true`;
      assert.equal((await buyer.ok("GET", q)).total, 1);
    });

    it("is never chosen against the lines", async () => {
      const order = await ordered(10);
      await order.receive(0, 4);
      assert.deepEqual(statusAndError(await buyer.put(order.path, { status: "RECEIVED" })), [
        400,
        "By its lines the purchase order is PARTIAL, not RECEIVED",
      ]);
      const same = await buyer.ok("PUT", order.path, { status: "OPEN" });
      assert.equal(same.status, "PARTIAL");
    });

    it("closes and reopens by routes of their own", async () => {
      const order = await ordered(10);
      assert.deepEqual(await close(order), { message: "Purchase order closed", status: "CLOSED" });
      assert.deepEqual(statusAndError(await buyer.post(`${order.path}/close`)), [
        ...[409, "Purchase order is already CLOSED"],
      ]);
      const received = await order.receive(0, 1);
      assert.deepEqual(statusAndError(received), [400, "Purchase order is CLOSED"]);
      const reopen = () => buyer.post(`${order.path}/reopen`);
      assert.deepEqual((await reopen()).body, { message: "Purchase order reopened", status: "OPEN" });
      assert.deepEqual(statusAndError(await reopen()), [409, "Purchase order is OPEN, not CLOSED"]);
      await archive(order);
      assert.equal((await reopen()).status, 409);
      assert.equal((await buyer.post(`${order.path}/close`)).status, 409);
      assert.deepEqual(await changesOf(order), [
        [change("status", "OPEN", "CLOSED")],
        [change("status", "CLOSED", "OPEN")],
        [change("status", "OPEN", "CLOSED")],
        [change("status", "CLOSED", "ARCHIVED")],
      ]);
    });

    it("of a reopened order is what its lines say", async () => {
      const order = await ordered(10);
      await order.receive(0, 10);
      await close(order);
      const { status } = await buyer.ok("POST", `${order.path}/reopen`);
      assert.equal(status, "RECEIVED");
      const row = await db.row<{ received_at: string | null }>(
        "select received_at from purchase_orders where po_id = $1",
        [order.po_id],
      );
      assert.ok(row?.received_at);
    });
  });

  describe("lines", () => {
    it("that are added reopen a received order", async () => {
      const order = await ordered(10);
      await order.receive(0, 10);
      assert.equal(await statusOf(order), "RECEIVED");
      const { item_id, sku } = await fixtures.item();
      const mark = await auditMark();
      const added = await buyer.post(`${order.path}/lines`, { item_id, quantity_ordered: 3, unit_cost: "19.90" });
      const { po_line_id, ...line } = added.body;
      assert.equal(added.status, 201);
      assert.deepEqual(line, {
        po_id: order.po_id,
        item_id,
        sku,
        quantity_ordered: 3,
        quantity_received: 0,
        line_number: 2,
        po_status: "PARTIAL",
      });
      const { lines } = await buyer.ok("GET", order.path);
      assert.equal(lines[1].po_line_id, po_line_id);
      assert.deepEqual([lines[1].unit_cost, lines[1].status], [19.9, "PENDING"]);
      const changes = [change(`line[${sku}]`, null, "3")];
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
        ["UPDATE", { po_number: order.po_number, item_id, changes }],
        ["PO_STATUS_CHANGED", { po_number: order.po_number, old_value: "RECEIVED", new_value: "PARTIAL" }],
      ]);
      assert.deepEqual(await changesOf(order), [[...changes, change("status", "RECEIVED", "PARTIAL")]]);
    });

    it("are added for a known item that is not there yet, with units", async () => {
      const order = await ordered(10);
      const add = (body: object) => buyer.post(`${order.path}/lines`, body);
      const { item_id, sku } = order.goods[0] ?? assert.fail();
      assert.deepEqual(statusAndError(await add({ item_id, quantity_ordered: 1 })), [
        ...[400, `${sku} is already on the purchase order`],
      ]);
      assert.deepEqual(statusAndError(await add({ item_id: 1_999_999_999, quantity_ordered: 1 })), [
        400,
        "Item 1999999999 not found",
      ]);
      for (const quantity_ordered of [0, 1_000_001, "three"]) {
        const answer = await add({ item_id, quantity_ordered });
        assert.deepEqual(statusAndError(answer), [400, "validation_error"]);
      }
    });

    it("order more or fewer units, and the header follows", async () => {
      const order = await ordered(10);
      await order.receive(0, 10);
      const patch = (quantity_ordered: number) => buyer.ok("PATCH", order.linePath(0), { quantity_ordered });
      const { po_line_id } = order.lines[0];
      assert.deepEqual(await patch(12), {
        po_line_id,
        quantity_ordered: 12,
        line_status: "PARTIAL",
        po_status: "PARTIAL",
      });
      await patch(12);
      const received = await order.receive(0, 1);
      assert.equal(received.body.po_status, "PARTIAL");
      assert.deepEqual(await patch(11), {
        po_line_id,
        quantity_ordered: 11,
        line_status: "RECEIVED",
        po_status: "RECEIVED",
      });
      const field = `line[${order.goods[0]?.sku}].quantity_ordered`;
      assert.deepEqual(await changesOf(order), [
        [change(field, "10", "12"), change("status", "RECEIVED", "PARTIAL")],
        [change(field, "12", "11"), change("status", "PARTIAL", "RECEIVED")],
      ]);
    });

    it("never order fewer units than came", async () => {
      const order = await ordered(10);
      await order.receive(0, 4);
      const sku = order.goods[0]?.sku;
      const answer = await buyer.patch(order.linePath(0), { quantity_ordered: 3 });
      assert.deepEqual(statusAndError(answer), [400, `4 of ${sku} were received already: no fewer can be ordered`]);
      assert.deepEqual(statusAndError(await buyer.delete(order.linePath(0))), [
        ...[400, `4 of ${sku} were received already: the line cannot be removed`],
      ]);
    });

    it("are removed, and the header follows", async () => {
      const order = await ordered(10, 5);
      await order.receive(0, 10);
      assert.equal(await statusOf(order), "PARTIAL");
      const { po_line_id } = order.lines[1];
      assert.deepEqual(await buyer.ok("DELETE", order.linePath(1)), {
        ...{ po_line_id, deleted: true, po_status: "RECEIVED" },
      });
      const gone = await buyer.delete(order.linePath(1));
      assert.deepEqual(statusAndError(gone), [404, "Purchase order line not found"]);
      assert.deepEqual(await changesOf(order), [
        [change(`line[${order.goods[1]?.sku}]`, "5", null), change("status", "PARTIAL", "RECEIVED")],
      ]);
    });

    it("may all be removed: an order without lines is OPEN", async () => {
      const order = await ordered(10);
      const { po_status } = await buyer.ok("DELETE", order.linePath(0));
      assert.equal(po_status, "OPEN");
    });

    it("belong to their order", async () => {
      const [one, other] = [await ordered(10), await ordered(10)];
      const path = `${one.path}/lines/${other.lines[0].po_line_id}`;
      const answer = await buyer.patch(path, { quantity_ordered: 1 });
      assert.deepEqual(statusAndError(answer), [404, "Purchase order line not found"]);
    });

    it("of a closed order stay as they are", async () => {
      const order = await ordered(10);
      await close(order);
      const { item_id } = await fixtures.item();
      const line = { item_id, quantity_ordered: 1 };
      for (const answer of [
        await buyer.post(`${order.path}/lines`, line),
        await buyer.patch(order.linePath(0), { quantity_ordered: 1 }),
        await buyer.delete(order.linePath(0)),
      ])
        assert.deepEqual(statusAndError(answer), [400, "Purchase order is CLOSED: reopen it before you change it"]);
    });
  });

  it("needs an order that is there and in a warehouse of the user's", async () => {
    const order = await ordered(10);
    const { item_id } = await fixtures.item();
    const edits = (caller: Caller, path: string, linePath: string) => [
      caller.put(path, { notes: "x" }),
      caller.post(`${path}/close`),
      caller.post(`${path}/reopen`),
      caller.post(`${path}/lines`, { item_id, quantity_ordered: 1 }),
      caller.patch(linePath, { quantity_ordered: 1 }),
      caller.delete(linePath),
    ];
    const nowhere = `${ROUTE}/1999999999`;
    for (const answer of edits(buyer, nowhere, `${nowhere}/lines/1`))
      assert.deepEqual(statusAndError(await answer), [404, "Purchase order not found"]);
    for (const answer of edits(stranger, order.path, order.linePath(0))) assert.equal((await answer).status, 403);
  });

  describe("by several at once", () => {
    it("loses nobody's change, and each event names what was there before", async () => {
      const order = await ordered(10);
      const [admin, other] = [service.admin, buyer];
      await Promise.all([
        admin.ok("PUT", order.path, { vendor_name: "Acme" }),
        other.ok("PUT", order.path, { notes: "dock 2" }),
        admin.ok("PATCH", order.linePath(0), { quantity_ordered: 20 }),
        other.ok("PUT", order.path, { po_barcode: "4711" }),
      ]);
      const { purchase_order, lines } = await buyer.ok("GET", order.path);
      const { vendor_name, notes, po_barcode } = purchase_order;
      assert.deepEqual([vendor_name, notes, po_barcode, lines[0].quantity_ordered], ["Acme", "dock 2", "4711", 20]);
      const values = Array.from({ length: 8 }, (_, i) => `note ${i}`);
      await Promise.all(values.map((notes, i) => (i % 2 ? admin : other).ok("PUT", order.path, { notes })));
      const edits = (await changesOf(order)).slice(4) as ReturnType<typeof change>[][];
      assert.equal(edits.length, 8);
      let before: string | null = "dock 2";
      for (const [step] of edits) {
        assert.equal(step?.old_value, before);
        before = step?.new_value ?? null;
      }
    });

    it("adds an item once", async () => {
      const order = await ordered(10);
      const { item_id } = await fixtures.item();
      const line = { item_id, quantity_ordered: 1 };
      const answers = await Promise.all(
        [service.admin, buyer, service.admin, buyer].map((caller) => caller.post(`${order.path}/lines`, line)),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400]);
    });

    it("receives before it is closed or not at all", async () => {
      const order = await ordered(100);
      const [closed, ...received] = await Promise.all([
        buyer.post(`${order.path}/close`),
        ...Array.from({ length: 8 }, () => order.receive(0, 10)),
      ]);
      assert.equal(closed.status, 200);
      const came = received.filter(({ status }) => status === 200).length;
      for (const answer of received)
        if (answer.status !== 200) assert.deepEqual(statusAndError(answer), [400, "Purchase order is CLOSED"]);
      const { purchase_order, lines } = await buyer.ok("GET", order.path);
      assert.deepEqual([purchase_order.status, lines[0].quantity_received], ["CLOSED", came * 10]);
    });

    it("receives no more than a line orders while it is cut down", async () => {
      const order = await ordered(40);
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "false" } });
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => order.receive(0, 10)),
        buyer.patch(order.linePath(0), { quantity_ordered: 20 }),
      ]);
      const { lines } = await buyer.ok("GET", order.path);
      const cut = answers[4]?.status === 200;
      assert.equal(lines[0].quantity_ordered, cut ? 20 : 40);
      assert.ok(lines[0].quantity_received <= lines[0].quantity_ordered);
    });
  });

  describe("each time", () => {
    it("emits events that fit their schema", assertEventsMatchSchemas);
  });
});
