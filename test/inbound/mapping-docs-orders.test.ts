import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { useDocuments } from "../../src/inbound/documents.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { withFiles } from "../support/mappings.js";
import { pluckAll } from "../support/pluck.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

const text = readFileSync(new URL("../../../docs/mappings.md", import.meta.url), "utf8");

/** What a section shows: what the shop pushes, its document, and what a try of it answers. */
function example(heading: string) {
  const section = text.split(/^## /m).find((one) => one.startsWith(heading)) ?? assert.fail(heading);
  const blocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, block]) => block ?? "");
  const [push, answer] = blocks("json").map((block) => JSON.parse(block));
  const [document] = blocks("yaml");
  assert.ok(push && answer && document);
  return { push, answer, document };
}

const shops = [
  {
    heading: "An order of a WooCommerce shop",
    source_system: "woo-shop",
    items: [
      { external_id: "93", source_payload: { id: 93, name: "Mug", sku: "MUG", weight: "0.5" } },
      { external_id: "23", source_payload: { id: 23, name: "Shirt - Blue", sku: "SHIRT-B", weight: "" } },
    ],
  },
  {
    heading: "An order of a Shopify shop",
    source_system: "shopify-shop",
    items: [
      { external_id: "39072856", source_payload: { title: "IPod Nano green", sku: "IPOD-GREEN", barcode: "" } },
      { external_id: "49148385", source_payload: { title: "IPod Nano red", sku: "IPOD-RED", barcode: "1234" } },
    ],
  },
];

describe("whoever reads docs/mappings.md", () => {
  let service: TestService;
  let warehouse_id: number;
  before(async () => {
    service = await openService();
    warehouse_id = await warehouse();
  });
  after(async () => {
    useDocuments(new Map());
    await service.close();
  });

  for (const { heading, source_system, items } of shops)
    it(`${heading}: tries it, deploys the document, pushes the order, and finds it as shown`, async () => {
      const { push, answer, document } = example(heading);
      const attempt = { source_system, resource: "sales_orders", ...push };
      const tried = (body: object) => service.admin.ok("POST", "/api/admin/inbound/try", body);

      const draft = await tried({ ...attempt, mapping_document: document });
      assert.deepEqual([draft.outcome, draft.refusal.error_kind], ["refused", "cross_system_lookup_miss"]);
      const itemLookups = draft.lookups.filter((one: { source_type: string }) => one.source_type === "item");
      assert.deepEqual(
        pluckAll(itemLookups, "source_id", "canonical_id"),
        items.map(({ external_id }) => [external_id, null]),
      );

      await putSourceSystems([{ source_system, kind: "manual_import" }]);
      await withFiles({ [`${source_system}.yaml`]: document }, loadMappings);
      const { caller } = await tokenCaller(service, {
        source_system,
        warehouse_ids: [warehouse_id],
        inbound_resources: ["items", "sales_orders"],
      });
      const item_ids: string[] = [];
      for (const item of items) {
        const pushed = await caller.ok("POST", "/api/v1/inbound/items", {
          ...item,
          external_version: "2026-05-01T00:00:00Z",
        });
        item_ids.push(pushed.canonical_id);
      }

      const { lookups: _, ...shown } = await tried({ ...attempt, warehouse_id });
      const expected = {
        ...answer,
        values: { ...answer.values, warehouse_id },
        lines: answer.lines.map((line: object, i: number) => ({ ...line, item_id: item_ids[i] })),
      };
      assert.deepEqual(shown, expected);

      const { canonical_id } = await caller.ok("POST", "/api/v1/inbound/sales_orders", push);
      const [order] = await db.rows<Record<string, unknown>>(
        `select so.*, (select jsonb_agg(jsonb_build_array(sku, quantity_ordered) order by line_number)
                       from sales_order_lines join items using (item_id) where so_id = so.so_id) as ordered
         from sales_orders so where external_id = $1`,
        [canonical_id],
      );
      const { order_total, customer_shipping_paid, ...texts } = expected.values;
      for (const [column, value] of Object.entries(texts)) assert.equal(order?.[column], value, column);
      assert.deepEqual(
        [Number(order?.order_total), Number(order?.customer_shipping_paid)],
        [Number(order_total), Number(customer_shipping_paid)],
      );
      assert.deepEqual(
        order?.ordered,
        items.map(({ source_payload: { sku } }, i) => [sku, answer.lines[i].quantity_ordered]),
      );
    });
});
