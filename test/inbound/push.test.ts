import assert from "node:assert/strict";
import { useDocuments } from "../../src/inbound/documents.js";
import { transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, type ResourceName, resources, sender, useTestMappings } from "../support/inbound.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

const types: Record<ResourceName, string> = {
  customers: "customer",
  items: "item",
  vendors: "vendor",
  purchase_orders: "purchase_order",
  sales_orders: "sales_order",
};
const keys: Record<ResourceName, string> = {
  customers: "canonical_id",
  items: "external_id",
  vendors: "canonical_id",
  purchase_orders: "external_id",
  sales_orders: "external_id",
};

describe("inbound writes", () => {
  const service = testService();
  let shop: Caller & { token_id: number };
  let warehouse_id: number;
  before(async () => {
    await useTestMappings();
    warehouse_id = await warehouse();
    shop = await sender(service, { warehouse_ids: [warehouse_id] });
  });

  /** A payload that the resource takes; its name differs by version. */
  const payload = (resource: ResourceName, name: string, version = 1) =>
    ({
      customers: { customer_name: `${name} v${version}` },
      items: { sku: name, item_name: `${name} v${version}` },
      vendors: { vendor_name: `${name} v${version}` },
      purchase_orders: { po_number: name, notes: `v${version}` },
      sales_orders: { so_number: name, memo: `v${version}` },
    })[resource];

  const rowOf = (resource: ResourceName, canonical_id: string) =>
    db.row<Record<string, unknown>>(`select * from ${resource} where ${keys[resource]} = $1`, [canonical_id]);
  const stagedOf = (resource: ResourceName, external_id: string) =>
    db.rows<Record<string, unknown>>(`select * from inbound_${resource} where external_id = $1 order by inbound_id`, [
      external_id,
    ]);
  const refusalsOf = (external_id: string) =>
    db.rows("select resource, status, error_kind, ingested_via_token_id from inbound_refusals where external_id = $1", [
      external_id,
    ]);
  const isRefused = (
    answer: { status: number; body: { error_kind: string; message: string } },
    status: number,
    kind: string,
    says: RegExp = /./,
  ) => {
    assert.deepEqual([answer.status, answer.body.error_kind], [status, kind]);
    assert.match(answer.body.message, says);
  };

  for (const resource of resources) {
    describe(resource, () => {
      it("are taken: the record, what came, the name its source has for it and the audit row are there", async () => {
        const id = fresh("new");
        const sent = payload(resource, id);
        const answer = await push(shop, resource, id, 1, sent);
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
        const { inbound_id, canonical_id, canonical_type, received_at } = answer.body;
        assert.equal(canonical_type, types[resource]);
        assert.equal((await rowOf(resource, canonical_id))?.latest_inbound_id, inbound_id);
        const [staged, ...others] = await stagedOf(resource, id);
        assert.deepEqual(others, []);
        assert.deepEqual(
          [staged?.status, staged?.source_payload, staged?.canonical_id],
          ["applied", sent, canonical_id],
        );
        assert.equal(staged?.received_at, received_at);
        assert.equal(staged?.ingested_via_token_id, shop.token_id);
        assert.deepEqual(
          await db.rows(
            `select source_system, source_type, canonical_type, canonical_id from cross_system_mappings
              where source_id = $1`,
            [id],
          ),
          [{ source_system: "shop", source_type: types[resource], canonical_type: types[resource], canonical_id }],
        );
        const [audit, ...more] = await db.rows<{
          action_type: string;
          user_id: string;
          details: Record<string, unknown>;
        }>("select action_type, user_id, details from audit_log where entity_type = $1 and entity_id = $2", [
          `INBOUND_${types[resource].toUpperCase()}`,
          inbound_id,
        ]);
        assert.deepEqual(more, []);
        assert.equal(audit?.action_type, "CREATE");
        assert.equal(audit?.user_id, `system:wms_token:${shop.token_id}`);
        const { source_system, external_id, override_fields, source_txn_id } = audit?.details ?? {};
        assert.deepEqual(
          [source_system, external_id, override_fields, source_txn_id],
          ["shop", id, [], answer.headers.get("x-request-id")],
        );
      });

      it("answer the same version again with the same bytes, and write nothing", async () => {
        const id = fresh("again");
        const ask = () =>
          fetch(`${service.url}/api/v1/inbound/${resource}`, {
            method: "POST",
            headers: { ...shop.headers, "content-type": "application/json" },
            body: JSON.stringify({ external_id: id, external_version: "1", source_payload: payload(resource, id) }),
          });
        const first = await ask();
        const text = await first.text();
        await push(shop, resource, id, 2, payload(resource, id, 2));
        const before = await traces();
        const second = await ask();
        assert.deepEqual([first.status, second.status], [201, 200]);
        assert.equal(await second.text(), text);
        assert.deepEqual(await traces(), before);
      });

      it("take a newer version, and keep the older one as superseded", async () => {
        const id = fresh("newer");
        const first = await push(shop, resource, id, 9, payload(resource, id));
        const second = await push(shop, resource, id, 10, payload(resource, id, 2));
        assert.equal(second.status, 201);
        assert.equal(second.body.canonical_id, first.body.canonical_id);
        const staged = await stagedOf(resource, id);
        assert.deepEqual(pluckAll(staged, "external_version", "status"), [
          ["9", "superseded"],
          ["10", "applied"],
        ]);
        assert.ok(staged[0]?.superseded_at);
        const row = await rowOf(resource, second.body.canonical_id);
        assert.equal(row?.latest_inbound_id, second.body.inbound_id);
        assert.ok(JSON.stringify(row).includes("v2"));
      });

      it("receive a version no earlier than the one it follows, whichever began first", async () => {
        const id = fresh("clock");
        const first = await push(shop, resource, id, 1, payload(resource, id));
        await db.run(`update inbound_${resource} set received_at = now() + interval '1 hour' where inbound_id = $1`, [
          first.body.inbound_id,
        ]);
        const second = await push(shop, resource, id, 2, payload(resource, id));
        const [before, after] = await stagedOf(resource, id);
        assert.equal(after?.received_at, second.body.received_at);
        assert.equal(after?.received_at, before?.received_at);
        assert.equal(before?.superseded_at, before?.received_at);
      });

      it("refuse an older version: 409 stale_version, and it is noted", async () => {
        const id = fresh("stale");
        await push(shop, resource, id, 9, payload(resource, id));
        const current = await push(shop, resource, id, 10, payload(resource, id, 2));
        const answer = await push(shop, resource, id, 8, payload(resource, id));
        isRefused(answer, 409, "stale_version");
        assert.equal(answer.body.current_version, "10");
        assert.equal(answer.body.current_received_at, current.body.received_at);
        assert.deepEqual(await refusalsOf(id), [
          { resource, status: "stale_version", error_kind: "stale_version", ingested_via_token_id: shop.token_id },
        ]);
      });

      it("do not wait for another request on the record: 409 lock_held, to be sent again", async () => {
        const id = fresh("held");
        const answer = await transaction(async (tx) => {
          await tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
            JSON.stringify([resource, "shop", id]),
          ]);
          return push(shop, resource, id, 1, payload(resource, id));
        });
        isRefused(answer, 409, "lock_held");
        assert.equal(answer.headers.get("retry-after"), "1");
        assert.deepEqual(await refusalsOf(id), []);
        const retried = await push(shop, resource, id, 1, payload(resource, id));
        assert.equal(retried.status, 201);
      });

      it("say which field is missing: 422 canonical_constraint_violation", async () => {
        const id = fresh("empty");
        const answer = await push(shop, resource, id, 1, {});
        isRefused(answer, 422, "canonical_constraint_violation", /is needed/);
        assert.deepEqual(
          (await refusalsOf(id)).map((row) => (row as { status: string }).status),
          ["rejected"],
        );
        assert.deepEqual(await stagedOf(resource, id), []);
      });

      it("say what a record names that is not here: 409 cross_system_lookup_miss", async () => {
        const needy = await sender(service, { source_system: "needy", warehouse_ids: [warehouse_id] });
        const id = fresh("miss");
        const name = {
          customers: "customer_name",
          items: "sku",
          vendors: "vendor_name",
          purchase_orders: "po_number",
          sales_orders: "so_number",
        }[resource];
        const column = {
          customers: "tax_id",
          items: "mpn",
          vendors: "tax_id",
          purchase_orders: "vendor_id",
          sales_orders: "customer_id",
        }[resource];
        const answer = await push(needy, resource, id, 1, { [name]: id, [column]: "V-77" });
        isRefused(answer, 409, "cross_system_lookup_miss", /V-77/);
        assert.deepEqual(answer.body.missing, { source_system: "needy", source_type: "vendor", source_id: "V-77" });
        assert.deepEqual(
          (await refusalsOf(id)).map((row) => (row as { status: string }).status),
          ["lookup_miss"],
        );
        const unmapped = await push(needy, resource, id, 1, {});
        isRefused(unmapped, 422, "mapping_apply_error", new RegExp(name));
      });

      it("are refused without a mapping document: 503 mapping_document_not_loaded", async () => {
        useDocuments(new Map());
        try {
          const answer = await push(shop, resource, fresh("none"), 1, {});
          isRefused(answer, 503, "mapping_document_not_loaded", /shop/);
        } finally {
          await useTestMappings();
        }
      });

      it("take no overrides from a request: 403, whatever the token may", async () => {
        const capable = await sender(service, { mapping_override: true });
        const body = {
          external_id: fresh("over"),
          external_version: "1",
          source_payload: {},
          mapping_overrides: { sku: "X" },
        };
        const path = `/api/v1/inbound/${resource}`;
        const [without, withIt] = [await shop.post(path, body), await capable.post(path, body)];
        isRefused(without, 403, "mapping_override_capability_required");
        assert.equal(without.body.error, without.body.error_kind);
        isRefused(withIt, 403, "mapping_overrides_not_supported_in_body");
        assert.equal(withIt.body.error, withIt.body.error_kind);
        assert.ok(withIt.body.detail);
      });

      it("refuse a body that is not theirs: 422 validation_error", async () => {
        const answer = await shop.post(`/api/v1/inbound/${resource}`, {
          external_id: "",
          source_payload: [],
          source_system: "other",
        });
        assert.equal(answer.status, 422);
        assert.equal(answer.body.error_kind, "validation_error");
        assert.deepEqual(
          answer.body.details.map((d: { loc: string[] }) => d.loc.join(".")),
          ["external_id", "external_version", "source_payload", "source_system"],
        );
      });
    });
  }

  /** How much there is of everything that a write leaves behind. */
  const traces = () =>
    db.row(
      `select (select count(*) from audit_log) as audits, (select count(*) from integration_events) as events,
              (select count(*) from command_log) as commands, (select count(*) from inbound_refusals) as refusals,
              (select sum(inbound_id) from inbound_items) as items,
              (select max(last_updated_at) from cross_system_mappings) as mapped`,
    );

  it("take what a source does not say for unsaid: columns that fill themselves stay, others become empty", async () => {
    const id = fresh("partial");
    const { body } = await push(shop, "items", id, 1, { sku: id, item_name: "Mug", upc: "123", reorder_point: 7 });
    await push(shop, "items", id, 2, { sku: id, item_name: "Mug" });
    const row = await rowOf("items", body.canonical_id);
    assert.deepEqual([row?.upc, row?.reorder_point, row?.is_active], [null, 7, true]);
  });

  it("leave columns alone that the document does not map", async () => {
    const id = fresh("own");
    const { body } = await push(shop, "items", id, 1, { sku: id, item_name: "Mug" });
    await db.run("update items set description = 'ours' where external_id = $1", [body.canonical_id]);
    await push(shop, "items", id, 2, { sku: id, item_name: "Cup" });
    const row = await rowOf("items", body.canonical_id);
    assert.deepEqual([row?.description, row?.item_name], ["ours", "Cup"]);
  });

  it("let the overrides of the token win over what is mapped", async () => {
    const other = await sender(service, { mapping_override: true, mapping_overrides: { item_name: "Always this" } });
    const id = fresh("override");
    const { body } = await push(other, "items", id, 1, { sku: id, item_name: "Mug" });
    const row = await rowOf("items", body.canonical_id);
    assert.equal(row?.item_name, "Always this");
    const [audit] = await db.rows<{ details: { override_fields: string[] } }>(
      "select details from audit_log where entity_type = 'INBOUND_ITEM' and entity_id = $1",
      [body.inbound_id],
    );
    assert.deepEqual(audit?.details.override_fields, ["item_name"]);
  });

  it("ignore overrides of a token that may have none", async () => {
    const other = await sender(service, { mapping_overrides: { item_name: "Never this" } });
    const id = fresh("flagless");
    const { body } = await push(other, "items", id, 1, { sku: id, item_name: "Mug" });
    assert.equal((await rowOf("items", body.canonical_id))?.item_name, "Mug");
  });

  it("name the column of a unique key, of a reference and of a value that does not fit", async () => {
    const taken = fresh("taken");
    await push(shop, "items", taken, 1, { sku: taken, item_name: "Mug" });
    const refused: [object, RegExp][] = [
      [{ sku: taken, item_name: "Cup" }, /sku/],
      [{ sku: fresh("s"), item_name: "C", default_bin_id: 2e9 }, /default_bin_id/],
      [{ sku: fresh("s"), item_name: "C", weight_lbs: "-1" }, /weight_lbs/],
      [{ sku: fresh("s"), item_name: "x".repeat(257) }, /item_name/],
      [{ sku: fresh("s"), item_name: { de: "Becher" } }, /item_name/],
      [{ sku: fresh("s"), item_name: "C", reorder_point: "many" }, /reorder_point/],
    ];
    for (const [sent, field] of refused)
      isRefused(await push(shop, "items", fresh("bad"), 1, sent), 422, "canonical_constraint_violation", field);
    const where = { po_number: fresh("po"), warehouse_id: 99_999 };
    const gone = await sender(service, { warehouse_ids: [99_999] });
    isRefused(
      await push(gone, "purchase_orders", fresh("po"), 1, where),
      422,
      "canonical_constraint_violation",
      /warehouse_id/,
    );
  });

  it("do not take the same id of another source system for the same record", async () => {
    const clock = await sender(service, { source_system: "clock" });
    const id = fresh("shared");
    const name = { vendor_name: "V" };
    const ours = await push(shop, "vendors", id, 1, name);
    const theirs = await push(clock, "vendors", id, "2026-01-01", name);
    assert.deepEqual([ours.status, theirs.status], [201, 201]);
    assert.notEqual(ours.body.canonical_id, theirs.body.canonical_id);
  });

  it("compare versions as the document says", async () => {
    const clock = await sender(service, { source_system: "clock" });
    const id = fresh("times");
    const at = (version: string) => push(clock, "vendors", id, version, { vendor_name: version });
    assert.equal((await at("2026-05-06T12:00:00Z")).status, 201);
    assert.equal((await at("2026-05-06T13:30:00+02:00")).status, 409);
    assert.equal((await at("2026-05-06T08:00:00.5-05:00")).status, 201);
  });

  it("keep a payload as it came, whatever names it has", async () => {
    const id = fresh("names");
    const payload = '{"vendor_name": "V", "__proto__": {"a": 1}, "constructor": "c"}';
    const sent = `{"external_id": "${id}", "external_version": "1", "source_payload": ${payload}}`;
    assert.equal((await shop.post("/api/v1/inbound/vendors", sent)).status, 201);
    const [staged] = await db.rows<{ names: string[] }>(
      "select array(select jsonb_object_keys(source_payload)) as names from inbound_vendors where external_id = $1",
      [id],
    );
    assert.deepEqual(staged?.names.toSorted(), ["__proto__", "constructor", "vendor_name"]);
  });

  it("make the record anew, under its old id, when somebody here deleted it", async () => {
    const id = fresh("deleted");
    const { body } = await push(shop, "items", id, 1, { sku: id, item_name: "Mug" });
    await db.run("delete from items where external_id = $1", [body.canonical_id]);
    const again = await push(shop, "items", id, 2, { sku: id, item_name: "Mug" });
    assert.deepEqual([again.status, again.body.canonical_id], [201, body.canonical_id]);
    assert.ok(await rowOf("items", body.canonical_id));
  });

  it("take one of two requests for a new record, and one row comes of it", async () => {
    const id = fresh("twice");
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((version) => push(shop, "vendors", id, version, { vendor_name: `V${version}` })),
    );
    const taken = answers.filter((answer) => answer.status === 201);
    assert.ok(taken.length >= 1);
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));
    assert.equal(new Set(taken.map((a) => a.body.canonical_id)).size, 1);
  });

  it("resolve what other records are called by their source", async () => {
    const vendor = fresh("vendor");
    const customer = fresh("customer");
    const made = [
      await push(shop, "vendors", vendor, 1, { vendor_name: "V" }),
      await push(shop, "customers", customer, 1, { customer_name: "C" }),
    ].map((answer) => answer.body.canonical_id);
    const { external_id, item_id } = await pushedItem(shop);
    const lines = [{ item_id: external_id, quantity_ordered: 3, unit_cost: "1.5" }];
    const po = await push(shop, "purchase_orders", fresh("po"), 1, {
      po_number: fresh("PO"),
      vendor_id: vendor,
      lines,
    });
    const so = await push(shop, "sales_orders", fresh("so"), 1, {
      so_number: fresh("SO"),
      customer_id: customer,
      lines,
    });
    const poRow = await rowOf("purchase_orders", po.body.canonical_id);
    const soRow = await rowOf("sales_orders", so.body.canonical_id);
    assert.deepEqual([poRow?.vendor_id, soRow?.customer_id], made);
    assert.deepEqual(
      await db.rows(
        `select item_id, quantity_ordered, quantity_received, unit_cost, line_number, status
          from purchase_order_lines where po_id = $1`,
        [poRow?.po_id],
      ),
      [{ item_id, quantity_ordered: 3, quantity_received: 0, unit_cost: "1.5000", line_number: 1, status: "PENDING" }],
    );
    const missed = await push(shop, "customers", fresh("c"), 1, { customer_name: "C", tax_id: "unknown" });
    const row = await rowOf("customers", missed.body.canonical_id);
    assert.deepEqual([missed.status, row?.tax_id], [201, null]);
  });

  it("use the first warehouse of the token where the source names none", async () => {
    const other = await warehouse();
    const both = await sender(service, { warehouse_ids: [other, warehouse_id] });
    const none = await sender(service);
    const sent = (more: object = {}) => ({ po_number: fresh("PO"), ...more });
    const [unsaid, said, nowhere] = [
      await push(both, "purchase_orders", fresh("po"), 1, sent()),
      await push(both, "purchase_orders", fresh("po"), 1, sent({ warehouse_id })),
      await push(none, "purchase_orders", fresh("po"), 1, sent()),
    ];
    const where = async (id: string) => (await rowOf("purchase_orders", id))?.warehouse_id;
    assert.equal(await where(unsaid.body.canonical_id), other);
    assert.equal(await where(said.body.canonical_id), warehouse_id);
    isRefused(nowhere, 422, "canonical_constraint_violation", /warehouse_id/);
  });

  it("name no bin of a warehouse that the token is not for", async () => {
    const id = fresh("bin");
    const far = await bin(await warehouse());
    const sent = (default_bin_id: number) => ({ sku: id, item_name: "Mug", default_bin_id });
    isRefused(await push(shop, "items", id, 1, sent(far)), 403, "warehouse_scope_violation");
    const { body } = await push(shop, "items", id, 2, sent(await bin(warehouse_id)));
    isRefused(await push(shop, "items", id, 3, sent(far)), 403, "warehouse_scope_violation");
    assert.notEqual((await rowOf("items", body.canonical_id))?.default_bin_id, far);
  });

  it("work with a bin of ours as the default bin of an item", async () => {
    const default_bin_id = await bin(warehouse_id);
    const id = fresh("bin");
    const { body } = await push(shop, "items", id, 1, {
      sku: id,
      item_name: "Mug",
      default_bin_id: String(default_bin_id),
    });
    const row = await rowOf("items", body.canonical_id);
    assert.equal(row?.default_bin_id, default_bin_id);
  });
});
