import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/purchase-orders";

describe("purchase orders", () => {
  const service = testService();
  let buyer: Caller;
  let warehouse_id: number;
  let mug: Awaited<ReturnType<typeof fixtures.item>>;
  let bowl: Awaited<ReturnType<typeof fixtures.item>>;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    [mug, bowl] = await Promise.all([fixtures.item(), fixtures.item({ upc: null })]);
    buyer = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["purchase-orders"] });
  });

  let count = 0;
  const order = (fields: object = {}) => ({
    po_number: `PO-${++count}`,
    warehouse_id,
    lines: [{ item_id: mug.item_id, quantity_ordered: 10 }],
    ...fields,
  });

  describe("create", () => {
    it("answers the order with its lines, as a later read does", async () => {
      const body = order({
        vendor_name: "Northwind",
        expected_date: "2026-05-06T10:00:00",
        notes: "dock 2",
        lines: [
          { item_id: mug.item_id, quantity_ordered: 10, unit_cost: 2.5 },
          { item_id: mug.item_id, quantity_ordered: 4, unit_cost: "123456.7891", line_number: 7 },
          { item_id: bowl.item_id, quantity_ordered: 1, unit_cost: 0 },
        ],
      });
      const made = await buyer.post(ROUTE, body);
      assert.equal(made.status, 200);
      const { po_id, external_id, created_at, ...header } = made.body.purchase_order;
      assert.deepEqual(header, {
        po_number: body.po_number,
        po_barcode: body.po_number,
        vendor_name: "Northwind",
        status: "OPEN",
        expected_date: "2026-05-06",
        warehouse_id,
        notes: "dock 2",
      });
      assert.ok(Date.parse(created_at) > 0);
      assert.deepEqual(
        made.body.lines.map(({ po_line_id, item_name, ...line }: Record<string, unknown>) => line),
        [
          { ...line(1, mug, 10), unit_cost: 2.5 },
          { ...line(3, bowl, 1), unit_cost: null },
          { ...line(7, mug, 4), unit_cost: 123456.7891 },
        ],
      );
      assert.deepEqual(await buyer.ok("GET", `${ROUTE}/${po_id}`), made.body);
    });

    const line = (line_number: number, { item_id, sku, upc }: typeof mug, quantity_ordered: number) => ({
      line_number,
      item_id,
      sku,
      upc,
      mpn: null,
      quantity_ordered,
      quantity_received: 0,
      status: "PENDING",
    });

    it("stores costs exactly", async () => {
      const { lines } = await service.admin.ok(
        "POST",
        ROUTE,
        order({ lines: [{ item_id: mug.item_id, quantity_ordered: 1, unit_cost: "999999.9999" }] }),
      );
      assert.deepEqual(
        await db.row("select unit_cost from purchase_order_lines where po_line_id = $1", [lines[0].po_line_id]),
        { unit_cost: "999999.9999" },
      );
    });

    it("keeps a barcode of its own, writes an audit row and no event", async () => {
      const { purchase_order } = await buyer.ok("POST", ROUTE, order({ po_barcode: "4711" }));
      assert.equal(purchase_order.po_barcode, "4711");
      assert.deepEqual(
        await db.rows(
          `select action_type, user_id, warehouse_id, details from audit_log where entity_type = 'PO'
            and entity_id = $1`,
          [purchase_order.po_id],
        ),
        [
          {
            action_type: "CREATE",
            user_id: buyer.username,
            warehouse_id,
            details: { po_number: purchase_order.po_number, lines: 1 },
          },
        ],
      );
      assert.deepEqual(await db.rows("select from integration_events"), []);
    });

    it("can be received at once", async () => {
      const { purchase_order } = await buyer.ok("POST", ROUTE, order());
      const found = await buyer.ok("GET", `/api/receiving/po/${purchase_order.po_number}`);
      assert.equal(found.lines[0].quantity_remaining, 10);
    });

    it("refuses a number that is taken, also when two come at the same moment", async () => {
      const body = order();
      const answers = await Promise.all([buyer.post(ROUTE, body), buyer.post(ROUTE, body)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      const refused = answers.find(({ status }) => status === 400);
      assert.deepEqual(refused?.body, { error: `Purchase order ${body.po_number} already exists` });
    });

    it("refuses an unknown item and leaves nothing behind", async () => {
      const body = order({
        lines: [
          { item_id: mug.item_id, quantity_ordered: 1 },
          { item_id: 999_999, quantity_ordered: 1 },
        ],
      });
      const { status, body: answer } = await buyer.post(ROUTE, body);
      assert.deepEqual([status, answer], [400, { error: "Item 999999 not found" }]);
      assert.deepEqual(await db.rows("select from purchase_orders where po_number = $1", [body.po_number]), []);
    });

    it("refuses an unknown warehouse", async () => {
      const { status, body } = await service.admin.post(ROUTE, order({ warehouse_id: 999_999 }));
      assert.deepEqual([status, body], [400, { error: "Warehouse 999999 not found" }]);
    });

    it("refuses a cost with more places than can be stored", async () => {
      const lines = [{ item_id: 1, quantity_ordered: 1, unit_cost: "0.00001" }];
      const { status, body } = await buyer.post(ROUTE, order({ lines }));
      assert.deepEqual([status, body.details[0].loc], [400, ["lines", 0, "unit_cost"]]);
    });
  });

  describe("read", () => {
    it("answers 404 for an unknown order and for a path that is no id", async () => {
      assert.deepEqual((await buyer.get(`${ROUTE}/999999`)).body, { error: "Purchase order not found" });
      assert.equal((await buyer.get(`${ROUTE}/abc`)).status, 404);
    });
  });

  describe("list", () => {
    let here: number;
    let reader: Caller;
    before(async () => {
      here = await fixtures.warehouse();
      reader = await service.user({ warehouse_ids: [here], page_keys: ["purchase-orders"] });
      for (const [number, vendor_name] of [
        ["A", "Harbor 100%"],
        ["B", "Fern & Oak"],
        ["C", "Harbor"],
      ] as const) {
        await reader.ok("POST", ROUTE, { ...order(), po_number: `LIST-${number}`, warehouse_id: here, vendor_name });
      }
      await db.run("update purchase_orders set status = 'ARCHIVED' where po_number = 'LIST-B'");
      await db.run("update purchase_orders set status = 'PARTIAL' where po_number = 'LIST-C'");
    });

    const numbers = async (query: string, caller = reader) =>
      (await caller.ok("GET", `${ROUTE}${query}`)).purchase_orders.map((po: { po_number: string }) => po.po_number);

    it("gives the newest first, of the user's warehouses, without archived ones", async () => {
      const { purchase_orders, ...paging } = await reader.ok("GET", ROUTE);
      assert.deepEqual(paging, { total: 2, page: 1, per_page: 50, pages: 1 });
      const { po_id, external_id, created_at, updated_at, warehouse_code, ...newest } = purchase_orders[0];
      assert.deepEqual(newest, {
        po_number: "LIST-C",
        po_barcode: "LIST-C",
        vendor_name: "Harbor",
        status: "PARTIAL",
        expected_date: null,
        warehouse_id: here,
        notes: null,
        received_at: null,
        created_by: reader.username,
      });
      assert.equal(purchase_orders[1].po_number, "LIST-A");
    });

    it("shows archived ones when asked", async () => {
      assert.deepEqual(await numbers("?include_archived=true"), ["LIST-C", "LIST-B", "LIST-A"]);
      assert.deepEqual(await numbers("?status=ARCHIVED"), ["LIST-B"]);
    });

    it("filters by status, warehouse and words in number or vendor", async () => {
      assert.deepEqual(await numbers("?status=OPEN,PARTIAL"), ["LIST-C", "LIST-A"]);
      assert.deepEqual(await numbers("?status=PARTIAL"), ["LIST-C"]);
      assert.deepEqual(await numbers("?q=list-a"), ["LIST-A"]);
      assert.deepEqual(await numbers("?q=harbor"), ["LIST-C", "LIST-A"]);
      assert.deepEqual(await numbers("?q=0%25"), ["LIST-A"], "a wildcard is a letter like others");
      assert.deepEqual(await numbers(`?warehouse_id=${here}`, service.admin), ["LIST-C", "LIST-A"]);
    });
  });
});
