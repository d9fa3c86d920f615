import assert from "node:assert/strict";
import fc from "fast-check";
import type { Caller } from "../support/caller.js";
import { comesAsFar } from "../support/comes-as-far.js";
import { db } from "../support/db.js";
import { differing, versions } from "../support/everything.js";
import { warehouse } from "../support/fixtures.js";
import { fuzzRequests } from "../support/fuzz/count.js";
import { fresh, pushedItem, resources, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { SEED } from "../support/seed.js";
import { testService } from "../support/service.js";

const REQUESTS = fuzzRequests(1_000);

describe("whatever a sender sends", function () {
  this.timeout(60_000 + REQUESTS * 20);
  const service = testService();
  let shop: Caller;
  let known: string;
  before(async () => {
    await useTestMappings();
    shop = await sender(service, { warehouse_ids: [await warehouse()] });
    known = (await pushedItem(shop)).external_id;
  });

  /** What no system should send, and some does. */
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      ...["", " ", "\u0000", "\ud800", "x".repeat(3_000), "1e400", "-0", "NaN"],
      ...["CANCELLED", "OPEN", "SHIPPED", "2026-02-30", "0000-01-01", "true"],
      ...[null, true, false, 0, -1, 1e308, 2 ** 53, 0.1, -0, 2_147_483_648],
      ...[[], {}, [[]], [null], { $where: "1" }, "'; drop table items; --"],
      ...["#{7*7}", "{{7*7}}", "__proto__", "../../etc/passwd", "\u202e"],
    ),
    fc.jsonValue({ maxDepth: 4 }),
  );
  /** Mostly right, so that something comes through to the database. */
  const fields = {
    ...{ sku: 1, item_name: 1, upc: 1, weight_lbs: 1, reorder_point: 1 },
    ...{ default_bin_id: 1, customer_name: 1, email: 1, is_active: 1 },
    ...{ vendor_name: 1, po_number: 1, so_number: 1, vendor_id: 1 },
    ...{ customer_id: 1, status: 1, warehouse_id: 1, order_total: 1 },
    ...{ order_date: 1, memo: 1, notes: 1, billing_address_city: 1, tax_id: 1 },
  };
  const line = fc.record(
    {
      item_id: fc.oneof(fc.constant("known"), odd),
      quantity_ordered: fc.oneof(fc.integer({ min: 1, max: 9 }), odd),
      line_number: odd,
      unit_cost: odd,
    },
    { requiredKeys: ["item_id", "quantity_ordered"] },
  );
  const payload = fc
    .tuple(
      fc.subarray(Object.keys(fields)),
      fc.infiniteStream(odd),
      fc.oneof(fc.array(line, { maxLength: 4 }), odd),
      fc.boolean(),
    )
    .map(([names, values, lines, named]) => {
      const id = fresh("fuzz");
      const right = named && {
        ...{ sku: id, item_name: id, customer_name: id, vendor_name: id },
        ...{ po_number: id, so_number: id },
      };
      const wrong = names.map((name) => [name, values.next().value]);
      return { ...right, ...Object.fromEntries(wrong), lines };
    });
  const text = fc.oneof(fc.string({ maxLength: 130 }), odd);
  /** Documents as somebody may write them, some of which can be read. */
  const draft = fc.oneof(
    fc
      .constantFrom("source_path: $.memo", "source_path: $.lines[?(@.unit_cost > 1)].item_id")
      .map((from) =>
        [
          ...["mapping_version: '1'", "source_system: shop", "version_compare: integer", "resources:"],
          ...["  sales_orders:", "    canonical_type: sales_order", "    fields:"],
          `      - { canonical: memo, type: string, empty_as_null: true, ${from} }`,
        ].join("\n"),
      ),
    fc.string({ minLength: 1, maxLength: 200 }),
    fc.json().filter((text) => text.length > 0),
  );
  const request = fc.record({
    resource: fc.constantFrom(...resources, "inventory_update"),
    body: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          external_id: fc.constantFrom("a", "b", "c", "d"),
          external_version: fc.integer({ min: 1, max: 500 }).map(String),
          source_payload: payload,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record(
          { external_id: text, external_version: text, source_payload: fc.oneof(payload, odd), mapping_overrides: odd },
          { requiredKeys: [] },
        ),
      },
      { weight: 1, arbitrary: odd },
    ),
  });

  it(`is tried, and changes nothing, ${REQUESTS / 10} times`, async () => {
    const before = await versions();
    const seen = new Set<string>();
    const attempt = fc.record(
      {
        source_system: fc.constant("shop"),
        resource: fc.constantFrom(...resources),
        source_payload: payload,
        external_id: fc.constantFrom("a", "b", known),
        external_version: fc.integer({ min: 1, max: 500 }).map(String),
        mapping_document: draft,
      },
      { requiredKeys: ["source_system", "resource", "source_payload"] },
    );
    const property = fc.asyncProperty(attempt, async (body) => {
      const sent = JSON.stringify(body).replaceAll('"known"', JSON.stringify(known));
      const { status, body: heard } = await service.admin.post("/api/admin/inbound/try", sent);
      seen.add(`${status} ${heard.outcome ?? ""}`);
      assert.ok(status < 500, sent);
    });
    await fc.assert(property, { numRuns: REQUESTS / 10 });
    const reached = ["200 create", "200 refused", "400 ", "422 "];
    await comesAsFar(reached, seen, (more) => fc.assert(property, { numRuns: 30, seed: SEED + more }));
    assert.deepEqual(differing(before, await versions()), []);
  });

  it(`is answered, and never by a 5xx, ${REQUESTS} times`, async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async (requests) => {
      await Promise.all(
        requests.map(async ({ resource, body }) => {
          const sent = JSON.stringify(body ?? null).replaceAll('"known"', JSON.stringify(known));
          const { status, body: heard } = await shop.post(`/api/v1/inbound/${resource}`, sent);
          const told = `${status} ${heard.error_kind ?? ""}`;
          seen.add(told);
          const about = `${told} to ${resource} ${sent}`;
          assert.ok(status < 500, about);
          assert.ok(status <= 201 || heard.error_kind, about);
        }),
      );
    });
    await fc.assert(property, { numRuns: REQUESTS / 8 });
    const reached = [
      ...["201 ", "200 ", "409 stale_version", "409 cross_system_lookup_miss"],
      ...["422 canonical_constraint_violation", "422 mapping_apply_error", "422 validation_error"],
      "422 missing_source_payload_fields",
    ];
    await comesAsFar(reached, seen, (more) => fc.assert(property, { numRuns: 30, seed: SEED + more }));
    await assertInvariants();
    for (const resource of resources)
      assert.deepEqual(
        await db.rows(
          `select external_id from inbound_${resource} where status = 'applied'
            group by external_id having count(*) > 1`,
        ),
        [],
      );
  });
});
