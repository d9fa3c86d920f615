import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connectorOf, loadConnectors } from "../../src/connectors/registry.js";
import { openShop } from "../support/connectors.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";

const root = new URL("../../../", import.meta.url);
const EXAMPLE = "test/support/example-connectors/tiny-shop.ts";

describe("the example of docs/connectors.md", () => {
  const service = testService({ env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true" } });
  before(async () => {
    await loadConnectors(new URL("../support/example-connectors/", import.meta.url));
  });

  it("is the connector that is tested here", () => {
    const page = readFileSync(new URL("docs/connectors.md", root), "utf8");
    const [, code] = /```ts\n(.*?)```/s.exec(page) ?? [];
    const tested = readFileSync(new URL(EXAMPLE, root), "utf8");
    assert.equal(code, tested.replace("../../../src/connectors/connector.js", "../connector.js"));
  });

  it("syncs orders page by page, cancels them, tells of shipments, and says whom it is connected to", async () => {
    const { sku } = await item();
    const line = { product: "p1", sku, units: 2 };
    const order = (id: string, changed: string, more: object = {}) => ({
      ...{ id, changed, cancelled: false, customer: "Ada", lines: [line] },
      ...more,
    });
    const [first, second, never] = [randomUUID(), randomUUID(), randomUUID()] as const;
    const shop = await openShop();
    const pages: Record<string, object> = {
      "/": { name: "Tiny" },
      "/orders": { orders: [order(first, "2026-05-06T12:00:00Z")], next: "1" },
      "/orders?after=1": { orders: [order(second, "2026-05-06T12:01:00Z")], next: null },
      [`/orders/${first}/shipped`]: { id: "f1" },
    };
    shop.usual = ({ path, headers }) =>
      headers["x-api-key"] === "tiny-key" ? { body: pages[path] ?? {} } : { status: 401 };
    const connector = connectorOf("tiny-shop") ?? assert.fail();
    const at: ConnectedWarehouse = await connectedWarehouse(service, connector, {
      base_url: shop.url,
      api_key: "tiny-key",
    });
    try {
      assert.equal(await connector.testConnection(at.source), "Connected to Tiny");
      assert.deepEqual(await at.sync("orders"), { written: 2 });
      assert.deepEqual(await at.sync("orders"), { known: 2 });
      pages["/orders"] = {
        orders: [
          order(first, "2026-05-06T13:00:00Z", { cancelled: true }),
          order(never, "2026-05-06T13:00:00Z", { cancelled: true }),
        ],
        next: null,
      };
      assert.deepEqual(await at.sync("orders"), { written: 1, known: 1 });
      const rows = await db.rows<{ so_number: string; status: string }>(
        "select so_number, status from sales_orders where warehouse_id = $1 order by status",
        [at.id],
      );
      assert.deepEqual(rows, [
        { so_number: `TINY-${first}`, status: "CANCELLED" },
        { so_number: `TINY-${second}`, status: "OPEN" },
      ]);
      const pushed = await connector.pushFulfillment?.(at.source, {
        ...{ order_id: first, so_number: `TINY-${first}`, order: null, tracking_numbers: ["1Z"], carrier: "UPS" },
        service_level: null,
        shipped_at: "2026-05-06T14:00:00Z",
        part: true,
        complete: false,
        others: [],
        to_come: [],
        lines: [{ item: "p1", sku, quantity: 1 }],
      });
      assert.deepEqual(pushed, { external_id: "f1" });
      assert.deepEqual(JSON.parse(shop.requests.at(-1)?.body ?? ""), {
        ...{ carrier: "UPS", tracking_numbers: ["1Z"] },
        lines: [{ product: "p1", sku, units: 1 }],
      });
    } finally {
      await shop.close();
    }
  });
});
