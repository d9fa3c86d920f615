import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectAvailability } from "../../activities/outbound/channels/collect.js";
import { channel } from "../support/channels.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { codeOfBin, codeOfWarehouse, tillOf } from "../support/till.js";
import { unique } from "../support/unique.js";
import { statusOf, waitingOrder } from "../support/waiting.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("what can be sold", () => {
  /** The files that subtract what is allocated from what is on hand, beside the rule itself, and why. */
  const others: Record<string, string> = {
    "activities/stock/stock.ts": "units that nobody has are taken before those that somebody has, sold or not",
    "activities/sales-orders/short-stock.ts": "units that were not found are taken off the books wherever they lie",
    "activities/outbound/snapshot.ts": "a partner is told the interface's quantity_available of each row",
    "src/receiving/putaway/suggestion.ts":
      "put-away rules send goods into bins that are picked from, sold there or not",
    "src/reports/lookup/queries.ts": "the floor is shown the interface's quantity_available of each row",
    "src/station/queries.ts": "a station is shown the interface's quantity_available of each bin",
    "src/stock/queries.ts": "the desk is shown the interface's quantity_available of each row",
  };
  const decides = [
    /quantity_on_hand\s*(-|>)\s*(\w+\.)?quantity_allocated/,
    /bin_type\s*(=|in|<>)\s*\(?'Pickable/,
    /zone_type\s*(=|in|<>|not in)\s*\(?'/,
  ];
  const files = ["activities", "src", "api", "workers"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );

  it("is decided by one file", () => {
    const found = files.filter((name) => {
      const text = readFileSync(join(root, name), "utf8");
      return decides.some((pattern) => pattern.test(text));
    });
    assert.deepEqual(found.sort(), ["src/stock/sellable.ts", ...Object.keys(others)].sort());
  });

  it("would be missed in no new file", () => {
    for (const text of [
      "sum(v.quantity_on_hand - v.quantity_allocated)",
      "where quantity_on_hand > quantity_allocated",
      "b.bin_type in ('Pickable', 'PickableStaging')",
      "z.zone_type not in ('DAMAGE')",
    ])
      assert.ok(
        decides.some((pattern) => pattern.test(text)),
        text,
      );
  });
});

/** Each way in which stock cannot be sold: SQL with the ids of item, bin and warehouse, and its undoing. */
const ways: Record<string, [table: string, column: "item_id" | "bin_id" | "warehouse_id", set: string, back: string]> =
  {
    "of an archived item": ["items", "item_id", "is_active = false", "is_active = true"],
    "in an inactive bin": ["bins", "bin_id", "is_active = false", "is_active = true"],
    "in an inactive zone": ["zones", "bin_id", "is_active = false", "is_active = true"],
    "in a zone for damaged goods": ["zones", "bin_id", "zone_type = 'DAMAGE'", "zone_type = 'STORAGE'"],
    "in a zone for goods to be examined": ["zones", "bin_id", "zone_type = 'QUALITY'", "zone_type = 'STORAGE'"],
    "in an inactive warehouse": ["warehouses", "warehouse_id", "is_active = false", "is_active = true"],
    "past its last day": ["inventory", "item_id", "expiry_date = now() - interval '2 days'", "expiry_date = null"],
  };

describe("stock that cannot be sold", () => {
  const service = testService({ worker: true });
  afterEach(() => db.run("update channels set status = 'revoked', pause_reason = null, whole_after = null"));

  /** Ten units of an item in a bin of a warehouse of their own, and an order for three that was made beforehand. */
  async function stocked() {
    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    const { item_id, sku, upc } = await fixtures.item();
    const inventory_id = await fixtures.stock(warehouse_id, bin_id, item_id, 10);
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 3 }]);
    const order = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    return { warehouse_id, bin_id, item_id, sku, upc, inventory_id, so_id, line: order.lines[0].so_line_id as number };
  }
  type Stock = Awaited<ReturnType<typeof stocked>>;

  const change = (way: keyof typeof ways, stock: Stock, back = false) => {
    const [table, column, set, undo] = ways[way] as (typeof ways)[string];
    const where = table === "zones" ? "zone_id = (select zone_id from bins where bin_id = $1)" : `${column} = $1`;
    return db.run(`update ${table} set ${back ? undo : set} where ${where}`, [stock[column]]);
  };

  /** What each of those that promise stock offers of it. */
  const promisers: Record<string, (stock: Stock) => Promise<unknown>> = {
    "a new order": async ({ warehouse_id, item_id }) => {
      const { status, body } = await service.admin.post("/api/admin/sales-orders", {
        ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered: 2 }] },
      });
      return status === 200 ? body.lines[0].quantity_allocated : 0;
    },
    "an allocation at the desk": async ({ so_id, line }) => {
      const path = `/api/admin/sales-orders/${so_id}/lines/${line}`;
      const { quantity_allocated } = await service.admin.ok("PATCH", `${path}/allocation`, { delta: 1 });
      await service.admin.ok("PATCH", `${path}/allocation`, { delta: -1 });
      return quantity_allocated;
    },
    "a wave": async ({ warehouse_id, so_id }) => {
      const { status, body } = await service.admin.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      if (status !== 200) return body.unpickable[0].lines[0].available;
      await service.admin.ok("POST", "/api/picking/cancel-batch", { batch_id: body.batch_id });
      return body.total_units;
    },
    "a pick at the desk": async ({ so_id, line, bin_id }) => {
      const { status, body } = await service.admin.post(`/api/admin/sales-orders/${so_id}/admin-pick`, {
        lines: [{ so_line_id: line, bin_id, quantity: 1 }],
      });
      return status === 200 ? body.picks_applied : body.available;
    },
    "the bins of a line": async ({ so_id, line, bin_id }) => {
      const path = `/api/admin/sales-orders/${so_id}/lines/${line}/available-bins`;
      const { bins } = await service.admin.ok("GET", path);
      const bin = bins.find((one: { bin_id: number }) => one.bin_id === bin_id);
      return bin.quantity_available;
    },
    "the availability that tills read": async ({ warehouse_id, sku }) => {
      const { caller } = await tillOf(service, { warehouse_ids: [warehouse_id] });
      const { status, body } = await caller.get(`/api/v1/pos/availability?sku=${sku}`);
      return status === 200 ? (body.availability[0]?.qty_available ?? 0) : 0;
    },
    "a till's cart": async ({ warehouse_id, sku, bin_id }) => {
      const { caller } = await tillOf(service, { warehouse_ids: [warehouse_id] });
      const line = { sku, warehouse_id: await codeOfWarehouse(warehouse_id), bin_id: await codeOfBin(bin_id) };
      const { body } = await caller.post("/api/v1/pos/validate-cart", { lines: [{ ...line, quantity: 1 }] });
      return body.valid ? 1 : 0;
    },
    "a transfer order": async ({ warehouse_id, item_id }) => {
      const made = await service.admin.post("/api/admin/transfer-orders", {
        source_warehouse_id: warehouse_id,
        destination_warehouse_id: await fixtures.warehouse(),
        lines: [{ item_id, quantity: 1 }],
      });
      if (made.status !== 201) return 0;
      const { lines } = await service.admin.ok("GET", `/api/admin/transfer-orders/${made.body.to_id}`);
      return lines[0].committed_qty;
    },
    "a channel": async ({ sku }) => {
      const { channel_id } = await channel(service.admin, { sku_scope: { skus: [sku] } });
      while (await collectAvailability());
      const told = await db.row<{ available: number }>("select available from channel_items where channel_id = $1", [
        channel_id,
      ]);
      return told?.available ?? 0;
    },
    "the test of orders that wait": async ({ warehouse_id, item_id }) => {
      const { so_id } = await waitingOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      // Any increase tests; this one brings what cannot be picked.
      const bin_id = await fixtures.bin(warehouse_id, { type: "Staging" });
      await service.admin.post("/api/admin/adjustments/direct", {
        ...{ item_id, bin_id, warehouse_id, quantity: 1, adjustment_type: "ADD", reason: "found" },
      });
      const status = await statusOf(so_id);
      await db.run("update sales_orders set status = 'CANCELLED' where so_id = $1", [so_id]);
      return status === "OPEN" ? 1 : 0;
    },
  };

  for (const [promiser, offered] of Object.entries(promisers))
    it(`is offered by ${promiser} only as long as it can be sold`, async () => {
      for (const way of Object.keys(ways)) {
        const stock = await stocked();
        await change(way, stock);
        assert.equal(await offered(stock), 0, way);
        await assertInvariants();
        const other = await stocked();
        await change(way, other);
        await change(way, other, true);
        assert.notEqual(await offered(other), 0, `${way}, and sold again`);
        await assertInvariants();
      }
    });

  it("is told to channels when it changes, and opens the orders that wait when it can be sold again", async () => {
    const edits: [keyof typeof ways, (stock: Stock) => Promise<[path: string, off: object, on: object]>][] = [
      ["in an inactive bin", async ({ bin_id }) => [`bins/${bin_id}`, { is_active: false }, { is_active: true }]],
      ["in an inactive zone", async (at) => [`zones/${await zoneOf(at)}`, { is_active: false }, { is_active: true }]],
      [
        "in a zone for damaged goods",
        async (at) => [`zones/${await zoneOf(at)}`, { zone_type: "DAMAGE" }, { zone_type: "STORAGE" }],
      ],
      [
        "in an inactive warehouse",
        async ({ warehouse_id }) => [`warehouses/${warehouse_id}`, { is_active: false }, { is_active: true }],
      ],
      ["of an archived item", async ({ item_id }) => [`items/${item_id}`, { is_active: false }, { is_active: true }]],
    ];
    for (const [way, edit] of edits) {
      const stock = await stocked();
      const { channel_id } = await channel(service.admin, { sku_scope: { skus: [stock.sku] } });
      const told = async () => {
        while (await collectAvailability());
        const row = await db.row<{ available: number }>("select available from channel_items where channel_id = $1", [
          channel_id,
        ]);
        return row?.available;
      };
      assert.equal(await told(), 10);
      const [path, off, on] = await edit(stock);
      await service.admin.ok("PUT", `/api/admin/${path}`, off);
      assert.equal(await told(), 0, way);
      const { so_id } = await waitingOrder(stock.warehouse_id, [{ item_id: stock.item_id, quantity: 4 }]);
      await service.admin.ok("PUT", `/api/admin/${path}`, on);
      assert.equal(await statusOf(so_id), "OPEN", way);
      assert.ok(((await told()) ?? 0) > 0, way);
    }
  });

  const zoneOf = ({ bin_id }: Stock) => db.value<number>("select zone_id from bins where bin_id = $1", [bin_id]);

  it("is refused by name where it is ordered", async () => {
    for (const way of ["of an archived item", "in an inactive warehouse"] as const) {
      const stock = await stocked();
      const { warehouse_id, item_id, sku, so_id } = stock;
      await change(way, stock);
      const name = way === "of an archived item" ? sku : await codeOfWarehouse(warehouse_id);
      const code = way === "of an archived item" ? "item_inactive" : "warehouse_inactive";
      const so_number = `SO-${unique()}`;
      const refused = await service.admin.post("/api/admin/sales-orders", {
        ...{ so_number, warehouse_id, lines: [{ item_id, quantity_ordered: 2 }] },
      });
      assert.deepEqual([refused.status, refused.code], [400, code]);
      assert.match(refused.body.error, new RegExp(name));
      const good = await fixtures.item();
      const imported = await service.admin.ok("POST", "/api/admin/import/sales-orders", {
        warehouse_id,
        records: [
          { so_number, sku, quantity: 1 },
          { so_number: `${so_number}-2`, sku: good.sku, quantity: 1 },
        ],
      });
      const rows = way === "of an archived item" ? [1] : [1, 2];
      assert.deepEqual(pluck(imported.errors, "row"), rows);
      assert.match(imported.errors[0].error, new RegExp(name));
      if (way === "of an archived item") {
        const other = await fixtures.salesOrder(warehouse_id, [{ item_id: good.item_id, quantity: 1 }]);
        const path = `/api/admin/sales-orders/${other.so_id}/lines`;
        const line = await service.admin.post(path, { item_id, quantity_ordered: 1 });
        assert.deepEqual([line.status, line.code], [400, code]);
      }
      assert.equal(await statusOf(so_id), "OPEN", "an order that is there stays");
    }
  });
});
