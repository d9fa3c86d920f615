import assert from "node:assert/strict";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, push, pushedItem, sender } from "../support/inbound.js";
import { documentWith, useMappings } from "../support/mappings.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const field = (canonical: string, more: object = {}) => ({
  ...{ canonical, type: "string", source_path: `$.${canonical}` },
  ...more,
});
const line_items = {
  ...{ source_path: "$.lines", canonical_path: "lines" },
  fields: [
    field("item_id", { type: "uuid", required: true, cross_system_lookup: { source_type: "item" } }),
    field("quantity_ordered", { type: "integer", required: true }),
  ],
};
const adopting = (source_system: string) =>
  documentWith(
    {
      customers: { canonical_type: "customer", adopt_by: "email", fields: [field("customer_name"), field("email")] },
      items: { canonical_type: "item", adopt_by: "sku", fields: [field("sku"), field("item_name"), field("upc")] },
      vendors: { canonical_type: "vendor", adopt_by: "vendor_name", fields: [field("vendor_name"), field("email")] },
      purchase_orders: {
        ...{ canonical_type: "purchase_order", adopt_by: "po_number", line_items },
        fields: [field("po_number"), field("notes"), field("status"), field("warehouse_id", { type: "integer" })],
      },
      sales_orders: {
        ...{ canonical_type: "sales_order", adopt_by: "so_number", line_items },
        fields: [field("so_number"), field("memo"), field("status"), field("warehouse_id", { type: "integer" })],
      },
    },
    source_system,
  );

describe("a record that is here when its source sends it first", () => {
  const service = testService();
  let here: number;
  let shop: Caller;
  let market: Caller;
  before(async () => {
    const plain = documentWith(
      { items: { canonical_type: "item", fields: [field("sku"), field("item_name")] } },
      "needy",
    );
    await useMappings({ shop: adopting("shop"), clock: adopting("clock"), needy: plain });
    here = await fixtures.warehouse();
    shop = await sender(service, { warehouse_ids: [here] });
    market = await sender(service, { warehouse_ids: [here], source_system: "clock" });
  });

  const linksOf = (canonical_id: string) =>
    db.rows<{ source_system: string; source_id: string }>(
      "select source_system, source_id from cross_system_mappings where canonical_id = $1 order by mapping_id",
      [canonical_id],
    );
  const item = async () => {
    const { item_id, sku } = await fixtures.item();
    return { sku, ...(await itemRow(item_id)) };
  };
  const itemRow = async (item_id: number) =>
    (await db.row<{ item_id: number; external_id: string; item_name: string }>(
      "select item_id, external_id, item_name from items where item_id = $1",
      [item_id],
    )) as { item_id: number; external_id: string; item_name: string };
  const isTaken = ({ status, body }: Answer, canonical_id: string) =>
    assert.deepEqual([status, body.canonical_id], [201, canonical_id], JSON.stringify(body));
  it("is a sale of that source or of nobody: returns, backorders and other sources' orders are refused", async () => {
    const { item_id, external_id } = await item();
    await service.admin.ok("POST", "/api/admin/source-links", {
      ...{ source_system: "shop", source_type: "item", source_id: external_id, canonical_id: external_id },
    });
    const takes = async (order_type: string, source_system: string | null) => {
      const { so_id, so_number } = await fixtures.salesOrder(here, [{ item_id, quantity: 2 }]);
      await db.run(
        `update sales_orders set order_type = $2, source_system = $3, updated_at = clock_timestamp() where so_id = $1`,
        [so_id, order_type, source_system],
      );
      const lines = [{ item_id: external_id, quantity_ordered: 5 }];
      const answer = await push(shop, "sales_orders", fresh("order"), 1, { so_number, lines });
      const row = await db.row<{ quantity_ordered: number }>(
        "select quantity_ordered from sales_order_lines where so_id = $1",
        [so_id],
      );
      return [answer.status, row?.quantity_ordered];
    };
    for (const type of ["return", "refund", "backorder"]) assert.deepEqual(await takes(type, null), [422, 2], type);
    assert.deepEqual(await takes("sale", "clock"), [422, 2]);
    for (const source of [null, "shop"]) assert.deepEqual(await takes("sale", source), [201, 5]);
  });

  it("is named to whoever tries that push, and stays without a link", async () => {
    const { sku, external_id } = await item();
    const attempt = { source_system: "shop", resource: "items", source_payload: { sku, item_name: "Kettle" } };
    const tried = await service.admin.ok("POST", "/api/admin/inbound/try", attempt);
    assert.deepEqual([tried.outcome, tried.existing.canonical_id], ["adopt", external_id]);
    assert.deepEqual(await linksOf(external_id), []);
  });

  const isRefused = ({ status, body }: Answer, says: RegExp) => {
    assert.deepEqual([status, body.error_kind], [422, "canonical_constraint_violation"], JSON.stringify(body));
    assert.match(body.message, says);
  };

  it("is linked to its id and takes what it says, and the audit trail says by what it was found", async () => {
    const { item_id, sku, external_id } = await item();
    const id = fresh("4711");
    const mark = await auditMark();
    isTaken(await push(shop, "items", id, 1, { sku, item_name: "Adopted" }), external_id);
    assert.equal((await itemRow(item_id)).item_name, "Adopted");
    assert.deepEqual(await linksOf(external_id), [{ source_system: "shop", source_id: id }]);
    const rows = await auditSince(mark);
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.entity_type, row.details.adopted_by]),
      [
        ["LINK", "SOURCE_LINK", "sku"],
        ["UPDATE", "INBOUND_ITEM", "sku"],
      ],
    );
    isTaken(await push(shop, "items", id, 2, { sku, item_name: "Again" }), external_id);
    assert.equal((await push(shop, "items", id, 1, { sku })).status, 200);
    assert.equal((await itemRow(item_id)).item_name, "Again");
  });

  it("may have an id of each source", async () => {
    const { sku, external_id } = await item();
    isTaken(await push(shop, "items", fresh("s"), 1, { sku, item_name: "Shop" }), external_id);
    isTaken(await push(market, "items", fresh("m"), 1, { sku, item_name: "Market" }), external_id);
    assert.equal((await linksOf(external_id)).length, 2);
  });

  it("has one id of a source: another is refused, and nothing of it is kept", async () => {
    const { sku, external_id } = await item();
    isTaken(await push(shop, "items", fresh("s"), 1, { sku, item_name: "First" }), external_id);
    const answer = await push(shop, "items", fresh("s"), 1, { sku, item_name: "Second" });
    isRefused(answer, new RegExp(`^sku: the record with ${sku} is linked to another id of shop already$`));
    assert.equal((await linksOf(external_id)).length, 1);
    const own = await pushedItem(shop);
    isRefused(await push(shop, "items", fresh("s"), 1, { sku: own.external_id, item_name: "X" }), /another id of shop/);
  });

  it("is not looked for without adopt_by", async () => {
    const { sku } = await item();
    const needy = await sender(service, { source_system: "needy" });
    isRefused(await push(needy, "items", fresh("n"), 1, { sku, item_name: "X" }), /already exists/);
  });

  it("is made when nothing has the key, also where the payload has none", async () => {
    const sku = fresh("NEW");
    const made = await push(shop, "items", fresh("s"), 1, { sku, item_name: "New" });
    assert.equal(made.status, 201);
    const nobody = await push(shop, "customers", fresh("c"), 1, { customer_name: "No mail" });
    const other = await push(shop, "customers", fresh("c"), 1, { customer_name: "No mail" });
    assert.deepEqual([nobody.status, other.status], [201, 201]);
    assert.notEqual(nobody.body.canonical_id, other.body.canonical_id);
  });

  it("is found by what the token sets in place of the payload's key", async () => {
    const { sku, external_id } = await item();
    const sly = await sender(service, { mapping_override: true, mapping_overrides: { sku } });
    isTaken(await push(sly, "items", fresh("s"), 1, { sku: "ANY", item_name: "X" }), external_id);
  });

  it("is not one of several with the same name", async () => {
    const vendor_name = fresh("Vendor");
    for (let i = 0; i < 2; i++) await db.run("insert into vendors (vendor_name) values ($1)", [vendor_name]);
    isRefused(
      await push(shop, "vendors", fresh("v"), 1, { vendor_name }),
      new RegExp(`^vendor_name: several records have ${vendor_name}, `),
    );
  });

  it("may be a vendor or a customer", async () => {
    const [vendor_name, email] = [fresh("Vendor"), `${fresh("mail")}@example.com`];
    for (const [resource, column, value] of [
      ["vendors", "vendor_name", vendor_name],
      ["customers", "email", email],
    ] as const) {
      const row = await db.row<{ canonical_id: string }>(
        `insert into ${resource} (${resource === "vendors" ? "vendor_name" : "customer_name, email"})
         values (${resource === "vendors" ? "$1" : "'C', $1"}) returning canonical_id`,
        [value],
      );
      const sent = { [column]: value, ...(resource === "customers" && { customer_name: "Adopted" }) };
      isTaken(await push(shop, resource, fresh("id"), 1, sent), row?.canonical_id as string);
    }
  });

  describe("as an order", () => {
    const ordered = async (warehouse_id: number) => {
      const goods = await pushedItem(shop);
      await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), goods.item_id, 5);
      const number = fresh("SO");
      await service.admin.ok("POST", "/api/admin/sales-orders", {
        ...{ so_number: number, warehouse_id },
        lines: [{ item_id: goods.item_id, quantity_ordered: 2 }],
      });
      const row = await db.row<{ so_id: number; external_id: string }>(
        "select so_id, external_id from sales_orders where so_number = $1",
        [number],
      );
      if (!row) throw new Error("no order");
      return { ...row, number, goods };
    };
    const stateOf = (so_id: number) =>
      db.row<{ status: string; memo: string; allocated: number }>(
        `select status, memo, (select sum(quantity_allocated) from sales_order_lines where so_id = $1) as allocated
         from sales_orders so where so_id = $1`,
        [so_id],
      );

    it("keeps its lines and the stock that they hold when the source says the same", async () => {
      const { so_id, number, external_id, goods } = await ordered(here);
      const lines = [{ item_id: goods.external_id, quantity_ordered: 2 }];
      isTaken(await push(shop, "sales_orders", fresh("o"), 1, { so_number: number, memo: "hi", lines }), external_id);
      assert.deepEqual(await stateOf(so_id), { status: "OPEN", memo: "hi", allocated: 2 });
    });

    it("is not replaced by other lines while stock is held for it, and then not linked", async () => {
      const { so_id, number, external_id, goods } = await ordered(here);
      const lines = [{ item_id: goods.external_id, quantity_ordered: 3 }];
      const answer = await push(shop, "sales_orders", fresh("o"), 1, { so_number: number, lines });
      assert.deepEqual([answer.status, answer.body.error_kind], [409, "lines_in_flight"]);
      assert.deepEqual(await linksOf(external_id), []);
      assert.equal((await stateOf(so_id))?.allocated, 2);
    });

    it("is cancelled by its first push", async () => {
      const { so_id, number, external_id } = await ordered(here);
      const sent = { so_number: number, status: "CANCELLED" };
      isTaken(await push(shop, "sales_orders", fresh("o"), 1, sent), external_id);
      assert.equal((await stateOf(so_id))?.status, "CANCELLED");
    });

    for (const kind of ["sales_orders", "purchase_orders"] as const)
      it(`of another warehouse is not for the token (${kind})`, async () => {
        const there = await fixtures.warehouse();
        const column = kind === "sales_orders" ? "so_number" : "po_number";
        const number = fresh("N");
        const made = await db.row<{ external_id: string }>(
          kind === "sales_orders"
            ? "insert into sales_orders (so_number, warehouse_id) values ($1, $2) returning external_id"
            : `insert into purchase_orders (po_number, po_barcode, warehouse_id) values ($1, $1, $2)
               returning external_id`,
          [number, there],
        );
        for (const sent of [{}, { warehouse_id: here }, { status: "CANCELLED" }]) {
          const answer = await push(shop, kind, fresh("o"), 1, { [column]: number, ...sent });
          assert.deepEqual([answer.status, answer.body.error_kind], [403, "warehouse_scope_violation"]);
        }
        assert.deepEqual(await linksOf(made?.external_id as string), []);
        const both = await sender(service, { warehouse_ids: [here, there] });
        isTaken(await push(both, kind, fresh("o"), 1, { [column]: number }), made?.external_id as string);
        const answer = await push(shop, kind, fresh("o"), 1, { [column]: number });
        assert.equal(answer.body.error_kind, "warehouse_scope_violation");
      });
  });

  describe("at the same time", () => {
    it("is linked to one of many ids of a source", async () => {
      const { sku, external_id } = await item();
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => push(shop, "items", fresh("s"), 1, { sku, item_name: "X" })),
      );
      const taken = answers.filter(({ status }) => status === 201);
      assert.equal(taken.length, 1);
      for (const answer of answers) if (answer.status !== 201) isRefused(answer, /another id of shop already/);
      assert.equal((await linksOf(external_id)).length, 1);
    });

    it("is made by the first and found by the other source", async () => {
      for (let i = 0; i < 5; i++) {
        const sku = fresh("RACE");
        const answers = await Promise.all(
          [shop, market].map((by) => push(by, "items", fresh("r"), 1, { sku, item_name: "X" })),
        );
        assert.deepEqual(pluck(answers, "status"), [201, 201], JSON.stringify(answers[1]?.body));
        assert.equal(answers[0]?.body.canonical_id, answers[1]?.body.canonical_id);
      }
    });

    it("of no unique key is made once, too", async () => {
      const vendor_name = fresh("Vendor");
      const answers = await Promise.all(
        [shop, market, shop, market].map((by) => push(by, "vendors", fresh("v"), 1, { vendor_name })),
      );
      assert.equal(new Set(answers.flatMap(({ body }) => body.canonical_id ?? [])).size, 1);
      assert.equal(answers.filter(({ status }) => status === 201).length, 2);
    });
  });

  it("takes the place of a record that the id named, and that is gone", async () => {
    const id = fresh("s");
    const sku = fresh("SKU");
    const made = await push(shop, "items", id, 1, { sku, item_name: "X" });
    await db.run("delete from items where external_id = $1", [made.body.canonical_id]);
    const again = await db.row<{ external_id: string }>(
      "insert into items (sku, item_name) values ($1, 'By hand') returning external_id",
      [sku],
    );
    isTaken(await push(shop, "items", id, 2, { sku, item_name: "X" }), again?.external_id as string);
    assert.deepEqual(await linksOf(made.body.canonical_id), []);
  });
});
