import assert from "node:assert/strict";
import { db } from "../src/db.js";
import type { Caller } from "./support/caller.js";
import { assertEventsMatchSchemas } from "./support/events.js";
import {
  bin,
  item,
  pendingAdjustment,
  purchaseOrder,
  salesOrder,
  stock,
  warehouse,
} from "./support/fixtures.js";
import { type House, openHouse } from "./support/house.js";
import {
  fresh,
  pushedItem,
  sender,
  useTestMappings,
} from "./support/inbound.js";
import { assertInvariants } from "./support/invariants.js";
import { pickedOrder } from "./support/walk.js";

describe("orders that wait for stock", () => {
  let house: House;
  let here: number;
  let admin: Caller;
  before(async () => {
    house = await openHouse({ worker: true });
    await useTestMappings();
    here = await warehouse();
    admin = house.admin;
  });
  after(() => house.close());
  afterEach(async () => {
    await assertInvariants();
  });

  /** An order that waits for these units, since so many days. */
  async function waits(
    lines: { item_id: number; quantity: number }[],
    { where = here, days = 0 } = {},
  ) {
    const order = await salesOrder(where, lines);
    await db.run(
      `update sales_orders set status = 'WAITING_STOCK', backorder_opened_at = now() - make_interval(days => $2)
       where so_id = $1`,
      [order.so_id, days],
    );
    return order;
  }
  const statusOf = async (so_id: number) =>
    (
      await db.row<{ status: string; since: string | null }>(
        "select status, backorder_fulfillable_at as since from sales_orders where so_id = $1",
        [so_id],
      )
    )?.status;
  const events = () =>
    db.rows<{ entity_id: number; payload: Record<string, unknown> }>(
      "select entity_id, event_data(integration_events) as payload from integration_events where event_type = 'backorder.fulfillable' order by outbox_id",
    );
  const releasesOf = async (so_id: number) =>
    (await events()).filter((event) => event.entity_id === so_id);

  const adjust = (
    item_id: number,
    bin_id: number,
    quantity: number,
    warehouse_id = here,
  ) =>
    admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id, quantity },
      ...{ adjustment_type: "ADD", reason: "found" },
    });

  it("are OPEN again as soon as what they wait for is there, and it is told", async () => {
    const goods = await item();
    const { so_id, so_number } = await waits(
      [{ item_id: goods.item_id, quantity: 5 }],
      { days: 3 },
    );
    await adjust(goods.item_id, await bin(here), 5);
    const row = await db.row<Record<string, unknown>>(
      "select status, backorder_fulfillable_at is not null as stamped, external_id from sales_orders where so_id = $1",
      [so_id],
    );
    assert.deepEqual([row?.status, row?.stamped], ["OPEN", true]);
    const [event, ...more] = await releasesOf(so_id);
    assert.deepEqual(more, []);
    const { fulfillable_at, items, ...payload } = event?.payload ?? {};
    assert.match(String(fulfillable_at), /Z$/);
    const [external] = await db.rows<{ external_id: string }>(
      "select external_id from items where item_id = $1",
      [goods.item_id],
    );
    assert.deepEqual(items, [
      {
        item_external_id: external?.external_id,
        ...{ sku: goods.sku, item_name: `Item ${goods.sku}`, qty: 5 },
      },
    ]);
    assert.deepEqual(payload, {
      backorder_so_external_id: row?.external_id,
      backorder_so_number: so_number,
      ...{ parent_so_number: "", warehouse_id: here },
      ...{ customer_name: "Customer", days_waiting: 3, source: "adjustment" },
    });
    const audits = await db.rows<{ details: object }>(
      "select details from audit_log where action_type = 'SO_STATUS_CHANGED' and entity_id = $1",
      [so_id],
    );
    assert.deepEqual(
      audits.map((audit) => audit.details),
      [
        {
          ...{ so_number, field: "status", source: "adjustment" },
          ...{ old_value: "WAITING_STOCK", new_value: "OPEN" },
        },
      ],
    );
    await assertEventsMatchSchemas();
  });

  it("wait on while a line is not covered, and for what nobody has a claim on", async () => {
    const [a, b] = [await item(), await item()];
    const { so_id } = await waits([
      { item_id: a.item_id, quantity: 2 },
      { item_id: b.item_id, quantity: 2 },
      { item_id: b.item_id, quantity: 1 },
    ]);
    const shelf = await bin(here);
    await adjust(a.item_id, shelf, 2);
    await adjust(b.item_id, shelf, 2);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await admin.ok("POST", "/api/admin/sales-orders", {
      so_number: fresh("claim"),
      warehouse_id: here,
      lines: [{ item_id: a.item_id, quantity_ordered: 1 }],
    });
    await adjust(b.item_id, shelf, 1);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await adjust(a.item_id, shelf, 1);
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("do not count what lies in staging, in a bin that is not used, or elsewhere", async () => {
    const { item_id } = await item();
    const { so_id } = await waits([{ item_id, quantity: 1 }]);
    const unused = await bin(here);
    await db.run("update bins set is_active = false where bin_id = $1", [
      unused,
    ]);
    const there = await warehouse();
    await adjust(item_id, await bin(here, { type: "Staging" }), 5);
    await adjust(item_id, unused, 5);
    await adjust(item_id, await bin(there), 5, there);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await adjust(item_id, await bin(here, { type: "PickableStaging" }), 1);
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("are told of the oldest first; the test itself takes nothing", async () => {
    const { item_id } = await item();
    const young = await waits([{ item_id, quantity: 4 }], { days: 1 });
    const old = await waits([{ item_id, quantity: 5 }], { days: 9 });
    const large = await waits([{ item_id, quantity: 6 }], { days: 20 });
    await adjust(item_id, await bin(here), 5);
    const told = (await events())
      .map((event) => event.entity_id)
      .filter((id) => [young, old, large].some(({ so_id }) => so_id === id));
    assert.deepEqual(told, [old.so_id, young.so_id]);
    assert.equal(await statusOf(large.so_id), "WAITING_STOCK");
  });

  const rises: Record<
    string,
    [source: string, (item_id: number) => Promise<unknown>]
  > = {
    receiving: [
      "receipt",
      async (item_id) => {
        const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 5 }]);
        const items = [{ item_id, quantity: 5, bin_id: await bin(here) }];
        await admin.ok("POST", "/api/receiving/receive", { po_id, items });
      },
    ],
    "putting away": [
      "transfer",
      async (item_id) => {
        const [from, to] = [
          await bin(here, { type: "Staging" }),
          await bin(here),
        ];
        await stock(here, from, item_id, 5);
        await admin.ok("POST", "/api/putaway/confirm", {
          ...{ item_id, from_bin_id: from, to_bin_id: to, quantity: 5 },
        });
      },
    ],
    "a move": [
      "transfer",
      async (item_id) => {
        const [from, to] = [
          await bin(here, { type: "Staging" }),
          await bin(here),
        ];
        await stock(here, from, item_id, 5);
        await admin.ok("POST", "/api/transfers/move", {
          ...{ item_id, from_bin_id: from, to_bin_id: to, quantity: 5 },
        });
      },
    ],
    "a transfer from another warehouse": [
      "transfer",
      async (item_id) => {
        const there = await warehouse();
        const from = await bin(there);
        await stock(there, from, item_id, 5);
        await admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
          ...{ item_id, from_bin_id: from, from_warehouse_id: there },
          ...{ to_bin_id: await bin(here), to_warehouse_id: here, quantity: 5 },
        });
      },
    ],
    "an import of corrections": [
      "adjustment",
      async (item_id) => {
        const code = fresh("BIN");
        await bin(here, { code });
        const names = await db.row<{ sku: string; warehouse: string }>(
          "select sku, warehouse_code as warehouse from items, warehouses where item_id = $1 and warehouse_id = $2",
          [item_id, here],
        );
        await admin.ok("POST", "/api/admin/import/inventory-adjustments", {
          records: [{ ...names, bin: code, qty: 5 }],
        });
      },
    ],
    "an adjustment that is approved": [
      "adjustment",
      async (item_id) => {
        const adjustment_id = await pendingAdjustment(
          here,
          await bin(here),
          item_id,
          5,
        );
        await admin.ok("POST", "/api/admin/adjustments/review", {
          decisions: [{ adjustment_id, action: "approve" }],
        });
      },
    ],
    "a cycle count that is approved": [
      "cycle_count",
      async (item_id) => {
        const bin_id = await bin(here);
        const count = "/api/inventory/cycle-count";
        const { counts } = await admin.ok("POST", `${count}/create`, {
          warehouse_id: here,
          bin_ids: [bin_id],
        });
        const { summary } = await admin.ok("POST", `${count}/submit`, {
          count_id: counts[0].count_id,
          lines: [{ unexpected: true, item_id, counted_quantity: 5 }],
        });
        const { adjustment_id } = summary.adjustments[0];
        await admin.ok("POST", "/api/admin/adjustments/review", {
          decisions: [{ adjustment_id, action: "approve" }],
        });
      },
    ],
    "an order that is taken back": [
      "adjustment",
      async (item_id) => {
        const [sku] = await db.rows<{ sku: string }>(
          "select sku from items where item_id = $1",
          [item_id],
        );
        const goods = { item_id, sku: sku?.sku as string };
        const { so_id } = await pickedOrder(admin, here, [
          { item: goods, quantity: 5 },
        ]);
        const tasks = await db.rows<{ pick_task_id: number }>(
          "select pick_task_id from pick_tasks where so_id = $1",
          [so_id],
        );
        await admin.ok(
          "POST",
          `/api/admin/sales-orders/${so_id}/revert-status`,
          {
            new_status: "OPEN",
            release_pick_task_ids: tasks.map((task) => task.pick_task_id),
          },
        );
      },
    ],
    "an order that is cancelled when it was picked": [
      "adjustment",
      async (item_id) => {
        const [sku] = await db.rows<{ sku: string }>(
          "select sku from items where item_id = $1",
          [item_id],
        );
        const goods = { item_id, sku: sku?.sku as string };
        const { so_id } = await pickedOrder(admin, here, [
          { item: goods, quantity: 5 },
        ]);
        const receiving = await bin(here, { type: "PickableStaging" });
        await admin.ok("PUT", "/api/admin/settings", {
          settings: { default_receiving_bin: String(receiving) },
        });
        await admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
      },
    ],
  };
  for (const [way, [source, rise]] of Object.entries(rises))
    it(`are tested after ${way}`, async () => {
      const { item_id } = await item();
      const { so_id } = await waits([{ item_id, quantity: 5 }]);
      const other = await waits([{ item_id, quantity: 6 }]);
      await rise(item_id);
      assert.deepEqual(
        (await releasesOf(so_id)).map((event) => event.payload.source),
        [source],
      );
      assert.equal(await statusOf(so_id), "OPEN");
      assert.equal(await statusOf(other.so_id), "WAITING_STOCK");
    });

  it("are tested after another system said what lies in a bin", async () => {
    const shop = await sender(house, { warehouse_ids: [here] });
    const { external_id, item_id } = await pushedItem(shop);
    const { so_id } = await waits([{ item_id, quantity: 5 }]);
    const code = fresh("BIN");
    await bin(here, { code });
    await shop.ok("POST", "/api/v1/inbound/inventory_update", {
      external_id: "stock",
      external_version: "1",
      source_payload: {
        ...{
          item_external_id: external_id,
          bin_code: code,
          warehouse_id: here,
        },
        ...{ target_quantity: 5, reason_code: "RECOUNT" },
      },
    });
    assert.deepEqual(
      (await releasesOf(so_id)).map((event) => event.payload.source),
      ["sync"],
    );
  });

  it("are not forgotten when what they wait for comes in parts at the same time, and are told of once", async () => {
    for (let round = 0; round < 15; round++) {
      const [a, b] = [(await item()).item_id, (await item()).item_id];
      const orders = [
        await waits([
          { item_id: a, quantity: 3 },
          { item_id: b, quantity: 3 },
        ]),
        await waits([
          { item_id: b, quantity: 2 },
          { item_id: a, quantity: 3 },
        ]),
      ];
      const bins = [await bin(here), await bin(here), await bin(here)];
      await Promise.all(
        bins.flatMap((bin_id) => [adjust(a, bin_id, 1), adjust(b, bin_id, 1)]),
      );
      for (const { so_id } of orders) {
        assert.equal(await statusOf(so_id), "OPEN");
        assert.equal((await releasesOf(so_id)).length, 1);
      }
    }
  });

  it("stay cancelled when they are cancelled while goods come", async () => {
    for (let round = 0; round < 10; round++) {
      const { item_id } = await item();
      const { so_id } = await waits([{ item_id, quantity: 1 }]);
      const shelf = await bin(here);
      await Promise.all([
        admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`),
        adjust(item_id, shelf, 1),
      ]);
      assert.equal(await statusOf(so_id), "CANCELLED");
    }
  });
});
