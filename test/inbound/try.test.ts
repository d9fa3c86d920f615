import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { differing, versions } from "../support/everything.js";
import { bin, stock, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { documentWith } from "../support/mappings.js";
import { testService } from "../support/service.js";

const TRY = "/api/admin/inbound/try";

describe("a push that is tried", () => {
  const service = testService();
  let shop: Caller;
  let here: number;
  let there: number;
  let item: { external_id: string; item_id: number };
  before(async () => {
    await useTestMappings();
    here = await warehouse();
    there = await warehouse();
    shop = await sender(service, { warehouse_ids: [here] });
    item = await pushedItem(shop);
    await stock(here, await bin(here), item.item_id, 50);
  });

  const orderOf = (so_number: string, more: object = {}) => ({
    ...{ so_number, customer_name: "Ann" },
    lines: [{ item_id: item.external_id, quantity_ordered: 2 }],
    ...more,
  });
  const attempt = (source_payload: object, more: object = {}) => ({
    ...{ source_system: "shop", resource: "sales_orders", warehouse_id: here, source_payload },
    ...more,
  });
  const tried = (body: object, by: Caller = service.admin) => by.ok("POST", TRY, body);
  const pushedOrder = async (version = "1", more: object = {}) => {
    const id = fresh("order");
    const { status, body } = await push(shop, "sales_orders", id, version, orderOf(id, more));
    assert.equal(status, 201, JSON.stringify(body));
    return { id, canonical_id: body.canonical_id as string };
  };

  it("would be a new record, whose values are as they would be stored", async () => {
    const answer = await tried(
      attempt(orderOf("NEW-1", { order_total: "12.505", order_date: "2026-05-06T10:00:00Z" })),
    );
    // The mapping allows two places.
    assert.equal(answer.outcome, "refused");
    const fitting = await tried(attempt(orderOf("NEW-1", { order_total: 12.5, order_date: "2026-05-06T10:00:00Z" })));
    assert.equal(fitting.outcome, "create");
    const { so_number, order_total, order_date, warehouse_id, memo } = fitting.values;
    assert.deepEqual(
      { so_number, order_total, order_date, warehouse_id, memo },
      { so_number: "NEW-1", order_total: "12.5", order_date: "2026-05-06", warehouse_id: here, memo: null },
    );
    assert.deepEqual(fitting.lines, [
      { item_id: fitting.lookups[0].canonical_id, quantity_ordered: 2, line_number: null, properties: null },
    ]);
    assert.deepEqual([fitting.existing, fitting.refusal, fitting.warnings], [null, null, []]);
  });

  it("names each record that it looks up, and whether it is known", async () => {
    const payload = orderOf("NEW-2", { customer_id: "C-unknown" });
    payload.lines.push({ item_id: "nothing", quantity_ordered: 1 });
    const { outcome, lookups, warnings, refusal, values, lines } = await tried(attempt(payload));
    const named = lookups.map((one: Record<string, unknown>) => [one.field, one.source_id, one.canonical_id !== null]);
    assert.deepEqual(named, [
      ["customer_id", "C-unknown", false],
      ["lines[0].item_id", item.external_id, true],
      ["lines[1].item_id", "nothing", false],
    ]);
    assert.deepEqual(warnings, ["customer_id: stays empty, because shop has not sent customer C-unknown"]);
    assert.deepEqual(
      [outcome, refusal],
      [
        "refused",
        {
          ...{ http_status: 409, error_kind: "cross_system_lookup_miss" },
          message: "shop has not sent item nothing yet",
          missing: { source_system: "shop", source_type: "item", source_id: "nothing" },
        },
      ],
    );
    assert.deepEqual([values.so_number, lines.length, lines[1].item_id], ["NEW-2", 2, null]);
  });

  it("meets the record that was pushed before, by a newer, older, same or no version", async () => {
    const { id, canonical_id } = await pushedOrder("5");
    const at = (external_version?: string) =>
      tried(attempt(orderOf(id, { memo: "x" }), { external_id: id, external_version }));
    const newer = await at("6");
    assert.equal(newer.outcome, "update");
    const { received_at, ...existing } = newer.existing;
    assert.deepEqual(existing, { canonical_id, name: id, external_version: "5" });
    const older = await at("4");
    assert.deepEqual([older.outcome, older.existing, older.values.memo], ["stale", newer.existing, "x"]);
    assert.deepEqual(older.refusal, {
      ...{ http_status: 409, error_kind: "stale_version", current_version: "5", current_received_at: received_at },
      message: "Version 4 is older than 5, which is here already",
    });
    assert.equal((await at("5")).outcome, "repeat");
    assert.equal((await at()).outcome, "update");
  });

  it("is refused as a push would be", async () => {
    const { id } = await pushedOrder();
    const refusal = async (payload: object, more: object = {}) => {
      const external_id = fresh("other");
      const tell = await tried(attempt(payload, { external_id, external_version: "1", ...more }));
      const pushed = await push(shop, "sales_orders", external_id, 1, payload);
      const { http_status, code: _, ...body } = tell.refusal;
      assert.deepEqual([http_status, body], [pushed.status, pushed.body]);
      return body.error_kind;
    };
    assert.equal(await refusal(orderOf(id, { order_total: "many" })), "mapping_apply_error");
    assert.equal(await refusal(orderOf("x".repeat(200))), "canonical_constraint_violation");
    assert.equal(await refusal(orderOf(fresh("order"), { warehouse_id: there })), "warehouse_scope_violation");
    const twin = { sku: item.external_id, item_name: "twin" };
    const again = await tried({ source_system: "shop", resource: "items", source_payload: twin });
    assert.equal(again.refusal.error_kind, "canonical_constraint_violation");
    assert.match(again.refusal.message, /\(sku\)=.* already exists/);
    const none = await tried(attempt({}, { source_system: "nowhere" }));
    assert.deepEqual([none.outcome, none.refusal.http_status, none.values], ["refused", 503, null]);
    assert.equal(none.refusal.error_kind, "mapping_document_not_loaded");
  });

  it("changes nothing, whatever it would do", async () => {
    const { id } = await pushedOrder("5");
    const bodies = [
      attempt(orderOf(fresh("order"))),
      attempt(orderOf(id, { memo: "changed" }), { external_id: id, external_version: "6" }),
      attempt(orderOf(id, { status: "CANCELLED" }), { external_id: id, external_version: "6" }),
      attempt({ ...orderOf(id), lines: [{ item_id: item.external_id, quantity_ordered: 3 }] }, { external_id: id }),
      attempt(orderOf(id), { external_id: id, external_version: "4" }),
      attempt(orderOf(id), { external_id: id, external_version: "5" }),
      attempt({ so_number: 5 }, { external_id: "nothing" }),
      { source_system: "shop", resource: "items", source_payload: { sku: "T-1", item_name: "T" } },
      { source_system: "shop", resource: "customers", source_payload: { customer_name: "T" } },
      { source_system: "shop", resource: "vendors", source_payload: { vendor_name: "T" } },
      attempt(
        { po_number: "T", lines: [{ item_id: item.external_id, quantity_ordered: 1 }] },
        { resource: "purchase_orders" },
      ),
    ];
    const before = await versions();
    const outcomes: string[] = [];
    for (const body of bodies) outcomes.push((await tried(body)).outcome);
    assert.deepEqual(differing(before, await versions()), []);
    assert.deepEqual(outcomes, [
      ...["create", "update", "update", "refused", "stale", "repeat", "create"],
      ...["create", "create", "create", "create"],
    ]);
  });

  it("is mapped by a draft, before it is deployed", async () => {
    const draft = {
      ...documentWith(
        {
          sales_orders: {
            canonical_type: "sales_order",
            fields: [{ canonical: "so_number", type: "string", source_path: "$.nr" }],
          },
        },
        "new-shop",
      ),
    };
    const body = (mapping_document: string) => attempt({ nr: "N-1" }, { source_system: "new-shop", mapping_document });
    const yaml = [
      ...["mapping_version: '1'", "source_system: new-shop", "version_compare: integer", "resources:"],
      ...["  sales_orders:", "    canonical_type: sales_order", "    fields:"],
      "      - { canonical: so_number, type: string, source_path: $.nr }",
    ].join("\n");
    for (const text of [JSON.stringify(draft), JSON.stringify(draft, null, "\t"), yaml]) {
      const { outcome, values, warnings } = await tried(body(text));
      assert.deepEqual([outcome, values.so_number], ["create", "N-1"]);
      assert.deepEqual(warnings, ["new-shop is not on the list of source systems, so it has no tokens that push"]);
    }
    const other = await tried(attempt({}, { source_system: "new-shop", resource: "items", mapping_document: yaml }));
    assert.equal(other.refusal.error_kind, "mapping_document_not_loaded");
  });

  it("tells all faults of a draft", async () => {
    const faults = async (mapping_document: string) => {
      const { status, code, body } = await service.admin.post(TRY, attempt({}, { mapping_document }));
      assert.deepEqual([status, code], [422, "mapping_document_invalid"]);
      return body.faults as string[];
    };
    const wrong = documentWith({
      sales_orders: {
        canonical_type: "sales_order",
        fields: [{ canonical: "nothing", type: "string", source_path: "x" }],
      },
    });
    assert.deepEqual(await faults(JSON.stringify(wrong)).then((all) => all.map((fault) => fault.slice(0, 60))), [
      "shop.yaml, sales_orders, field nothing, source_path: x is not a JSONPath, from".slice(0, 60),
      "shop.yaml, sales_orders, field nothing: there is no such column to map".slice(0, 60),
    ]);
    assert.match(String(await faults("a: [")), /^shop\.yaml: cannot be read: /);
    assert.match(
      String(await faults(JSON.stringify(documentWith({}, "other")))),
      /source_system: other has to stand in/,
    );
    assert.match(String(await faults("[".repeat(60_000))), /nested more than 20 levels/);
  });

  it("warns of an order without lines", async () => {
    const { outcome, warnings } = await tried(attempt({ so_number: "EMPTY", lines: [] }));
    assert.deepEqual([outcome, warnings], ["create", ["the order has no lines"]]);
  });

  it("warns of an update without lines, which leaves the old ones", async () => {
    const { id } = await pushedOrder();
    const { outcome, warnings } = await tried(attempt(orderOf(id, { lines: [] }), { external_id: id }));
    assert.deepEqual(
      [outcome, warnings],
      ["update", ["the payload has no lines, so the order keeps those that it has"]],
    );
  });

  it("warns of a status that is not the source's to decide", async () => {
    const { id } = await pushedOrder();
    const warningsOf = async (status: string, more: object = { external_id: id }) =>
      (await tried(attempt(orderOf(id, { status }), more))).warnings;
    assert.deepEqual(await warningsOf("SHIPPED"), ["status: the order is OPEN, not SHIPPED"]);
    assert.deepEqual(await warningsOf("CANCELLED"), []);
    const { status } = await push(shop, "sales_orders", id, "2", orderOf(id, { status: "CANCELLED" }));
    assert.equal(status, 201);
    assert.deepEqual(await warningsOf("OPEN"), ["status: the order is CANCELLED, not OPEN"]);
  });

  it("warns of a version that is not what versions are compared as", async () => {
    const warningsOf = async (external_version: string) =>
      (await tried(attempt(orderOf(fresh("order")), { external_version }))).warnings;
    assert.deepEqual(await warningsOf("v11"), ["external_version: v11 is no integer, so it is compared as text"]);
    assert.deepEqual(await warningsOf("11"), []);
  });

  it("is of own warehouses alone for a user who has not every one", async () => {
    const { id } = await pushedOrder();
    const user = (warehouse_ids: number[]) => service.user({ warehouse_ids, page_keys: ["inbound"] });
    const [mine, other] = [await user([here]), await user([there])];
    const body = { source_system: "shop", resource: "sales_orders", source_payload: orderOf(id), external_id: id };
    assert.equal((await tried(body, mine)).outcome, "update");
    const denied = async (by: Caller, asked: object) => {
      const { status, code } = await by.post(TRY, asked);
      assert.deepEqual([status, code], [403, "warehouse_denied"]);
    };
    await denied(other, body);
    await denied(mine, { ...body, warehouse_id: there });
    await denied(mine, { ...body, resource: "items", source_payload: { sku: "S", item_name: "S" } });
    const elsewhere = await tried(
      { ...body, external_id: fresh("o"), source_payload: orderOf("E", { warehouse_id: here }) },
      other,
    );
    assert.equal(elsewhere.refusal.error_kind, "warehouse_scope_violation");
    assert.equal((await (await service.user({ warehouse_ids: [here] })).post(TRY, body)).status, 403);
  });
});
