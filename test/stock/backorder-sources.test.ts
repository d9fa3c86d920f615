import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { releaseIfIdle } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, purchaseOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { fresh, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { confirm, transferOrder, walk } from "../support/transfers.js";
import { releases, releasesOf, statusOf, waitingOrder } from "../support/waiting.js";
import { actor, pickedOrder } from "../support/walk.js";

/**
 * Every way in which stock increases or allocated stock is released (docs/interface.md, Sales orders and Backorders),
 * or not.
 */
describe("orders that wait for stock are tested after", () => {
  const service = testService({ worker: true });
  let here: number;
  let admin: Caller;
  before(async () => {
    await useTestMappings();
    admin = service.admin;
  });
  beforeEach(async () => {
    here = await warehouse();
  });
  afterEach(() => assertInvariants());

  const waits = (item_id: number, quantity: number, days = 0) => waitingOrder(here, [{ item_id, quantity }], days);

  /** An order that has reserved units, all that lie there. */
  async function holder(item_id: number, quantity: number) {
    await stock(here, await bin(here), item_id, quantity);
    const { sales_order, lines } = await admin.ok("POST", "/api/admin/sales-orders", {
      so_number: fresh("held"),
      warehouse_id: here,
      lines: [{ item_id, quantity_ordered: quantity }],
    });
    const { so_line_id } = lines[0];
    const path = `/api/admin/sales-orders/${sales_order.so_id}`;
    const line = `${path}/lines/${so_line_id}`;
    return { so_id: sales_order.so_id as number, so_line_id, path, line };
  }

  /** A walk for an order; its picks are confirmed if so asked. */
  async function walked({ so_id }: { so_id: number }, confirmed = false) {
    const { batch_id, first_pick } = await admin.ok("POST", "/api/picking/wave-create", {
      so_ids: [so_id],
      warehouse_id: here,
    });
    const { pick_task_id, sku, quantity_to_pick } = first_pick;
    if (confirmed)
      await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick }, actor(admin));
    return batch_id as number;
  }

  /** A transfer order that holds units, all that lie there. */
  async function heldForTransfer(item_id: number) {
    await stock(here, await bin(here), item_id, 5);
    return transferOrder(admin, { source: here, destination: await warehouse() }, [{ item_id, quantity: 5 }]);
  }

  const increases: Record<string, [source: string, (item_id: number) => Promise<unknown>]> = {
    receiving: [
      "receipt",
      async (item_id) => {
        const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 5 }]);
        const items = [{ item_id, quantity: 5, bin_id: await bin(here) }];
        await admin.ok("POST", "/api/receiving/receive", { po_id, items });
      },
    ],
    "a return that comes": [
      "receipt",
      async (item_id) => {
        const { so_id } = await shippedOrder(here, [{ item_id, quantity: 5 }]);
        const lines = [{ item_id, quantity: 5 }];
        const rma = await admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, { lines });
        await admin.ok("POST", `/api/admin/sales-orders/${rma.so_id}/receive-return`, {
          ...{ item_id, quantity: 5, warehouse_id: here, bin_id: await bin(here) },
        });
      },
    ],
    "a return that comes to another warehouse than that of its order": [
      "receipt",
      async (item_id) => {
        const { so_id } = await shippedOrder(await warehouse(), [{ item_id, quantity: 5 }]);
        const lines = [{ item_id, quantity: 5 }];
        const rma = await admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, { lines });
        await admin.ok("POST", `/api/admin/sales-orders/${rma.so_id}/receive-return`, {
          ...{ item_id, quantity: 5, warehouse_id: here, bin_id: await bin(here) },
        });
      },
    ],
    "putting away": [
      "transfer",
      async (item_id) => {
        const [from, to] = [await bin(here, { type: "Staging" }), await bin(here)];
        await stock(here, from, item_id, 5);
        await admin.ok("POST", "/api/putaway/confirm", { item_id, from_bin_id: from, to_bin_id: to, quantity: 5 });
      },
    ],
    "a move": [
      "transfer",
      async (item_id) => {
        const [from, to] = [await bin(here, { type: "Staging" }), await bin(here)];
        await stock(here, from, item_id, 5);
        await admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: from, to_bin_id: to, quantity: 5 });
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
        const adjustment_id = await pendingAdjustment(here, await bin(here), item_id, 5);
        await admin.ok("POST", "/api/admin/adjustments/review", { decisions: [{ adjustment_id, action: "approve" }] });
      },
    ],
    "a cycle count that is approved": [
      "cycle_count",
      async (item_id) => {
        const bin_id = await bin(here);
        const count = "/api/inventory/cycle-count";
        const { counts } = await admin.ok("POST", `${count}/create`, { warehouse_id: here, bin_ids: [bin_id] });
        const { summary } = await admin.ok("POST", `${count}/submit`, {
          count_id: counts[0].count_id,
          lines: [{ unexpected: true, item_id, counted_quantity: 5 }],
        });
        const { adjustment_id } = summary.adjustments[0];
        await admin.ok("POST", "/api/admin/adjustments/review", { decisions: [{ adjustment_id, action: "approve" }] });
      },
    ],
    "an order that is taken back": [
      "transfer",
      async (item_id) => {
        const [sku] = await db.rows<{ sku: string }>("select sku from items where item_id = $1", [item_id]);
        const goods = { item_id, sku: sku?.sku as string };
        const { so_id } = await pickedOrder(admin, here, [{ item: goods, quantity: 5 }]);
        const tasks = await db.rows<{ pick_task_id: number }>("select pick_task_id from pick_tasks where so_id = $1", [
          so_id,
        ]);
        await admin.ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, {
          new_status: "OPEN",
          release_pick_task_ids: tasks.map((task) => task.pick_task_id),
        });
      },
    ],
    "an order that is cancelled when it was picked": [
      "transfer",
      async (item_id) => {
        const [sku] = await db.rows<{ sku: string }>("select sku from items where item_id = $1", [item_id]);
        const goods = { item_id, sku: sku?.sku as string };
        const { so_id } = await pickedOrder(admin, here, [{ item: goods, quantity: 5 }]);
        const receiving = await bin(here, { type: "PickableStaging" });
        await admin.ok("PUT", "/api/admin/settings", { settings: { default_receiving_bin: String(receiving) } });
        await admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
      },
    ],
    "a bin that picks are made from again": [
      "transfer",
      async (item_id) => {
        const bin_id = await bin(here, { type: "Staging" });
        await stock(here, bin_id, item_id, 5);
        await admin.ok("PUT", `/api/admin/bins/${bin_id}`, { bin_type: "Pickable" });
      },
    ],
    "a bin that is in use again": [
      "transfer",
      async (item_id) => {
        const bin_id = await bin(here);
        await stock(here, bin_id, item_id, 5);
        await db.run("update bins set is_active = false where bin_id = $1", [bin_id]);
        await admin.ok("PUT", `/api/admin/bins/${bin_id}`, { is_active: true });
      },
    ],
    "an order that is cancelled when it was reserved": [
      "transfer",
      async (item_id) => {
        const { path } = await holder(item_id, 5);
        await admin.ok("POST", `${path}/cancel`);
      },
    ],
    "an order that is cancelled while it is picked": [
      "transfer",
      async (item_id) => {
        const order = await holder(item_id, 5);
        await walked(order);
        await admin.ok("POST", `${order.path}/cancel`);
      },
    ],
    "a lower allocation": [
      "transfer",
      async (item_id) => {
        const { line } = await holder(item_id, 5);
        await admin.ok("PATCH", `${line}/allocation`, { delta: -5 });
      },
    ],
    "a line that asks for less": [
      "transfer",
      async (item_id) => {
        const { line } = await holder(item_id, 5);
        await stock(here, await bin(here), item_id, 1);
        await admin.ok("PATCH", line, { quantity_ordered: 1 });
      },
    ],
    "a line that is deleted": [
      "transfer",
      async (item_id) => {
        const { line } = await holder(item_id, 5);
        await admin.ok("DELETE", line);
      },
    ],
    "a transfer order that is cancelled": [
      "transfer",
      async (item_id) => {
        await admin.ok("POST", `${(await heldForTransfer(item_id)).path}/cancel`);
      },
    ],
    "a transfer order that is deleted": [
      "transfer",
      async (item_id) => {
        await admin.ok("DELETE", (await heldForTransfer(item_id)).path);
      },
    ],
    "a transfer line that is closed short": [
      "transfer",
      async (item_id) => {
        const { path, lines } = await heldForTransfer(item_id);
        await admin.ok("POST", `${path}/lines/${lines[0]?.to_line_id}/short-close`);
      },
    ],
    "an open backorder that is cancelled": [
      "transfer",
      async (item_id) => {
        const { so_id, path } = await holder(item_id, 5);
        await db.run("update sales_orders set order_type = 'backorder' where so_id = $1", [so_id]);
        await admin.ok("POST", `${path}/cancel-backorder`, {});
      },
    ],
    "a pick at the desk from elsewhere than what was reserved": [
      "transfer",
      async (item_id) => {
        const { path, so_line_id } = await holder(item_id, 5);
        const bin_id = await bin(here, { type: "Staging" });
        await stock(here, bin_id, item_id, 5);
        await admin.ok("POST", `${path}/admin-pick`, { lines: [{ so_line_id, bin_id, quantity: 5 }] });
      },
    ],
  };

  for (const [way, [source, increase]] of Object.entries(increases))
    it(way, async () => {
      const { item_id } = await item();
      const young = await waits(item_id, 1);
      const old = await waits(item_id, 4, 9);
      const large = await waits(item_id, 7, 20);
      await increase(item_id);
      const released = (await releases()).filter((event) =>
        [young, old, large].some(({ so_id }) => so_id === event.entity_id),
      );
      assert.deepEqual(
        released.map((event) => [event.entity_id, event.payload.source]),
        [
          [old.so_id, source],
          [young.so_id, source],
        ],
      );
      const [first, second] = released;
      assert.equal(first?.command_id, second?.command_id);
      assert.equal(await statusOf(young.so_id), "OPEN");
      assert.equal(await statusOf(large.so_id), "WAITING_STOCK");
    });

  /** Each way in which a wave ends without its orders being picked. */
  const ends: Record<string, (held: Awaited<ReturnType<typeof holder>>) => Promise<unknown>> = {
    "a cancelled wave": async (held) => {
      const batch_id = await walked(held);
      await admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
    },
    "a wave whose picks are put back": async (held) => {
      const batch_id = await walked(held, true);
      await admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
    },
    "a batch that is deleted": async (held) => {
      const batch_id = await walked(held);
      const path = `/api/admin/pick-batches/${batch_id}/delete`;
      await admin.ok("POST", path);
    },
    "a wave that its picker's next one put back": async (held) => {
      await walked(held);
      const other = await holder((await item()).item_id, 1);
      await admin.ok("POST", "/api/picking/wave-create", { so_ids: [other.so_id], warehouse_id: here });
    },
    "a wave that was left idle": async (held) => {
      const batch_id = await walked(held);
      await db.run("update pick_batches set started_at = now() - interval '13 hours' where batch_id = $1", [batch_id]);
      const look = await releaseIfIdle(batch_id, randomUUID());
      assert.equal(look.ended, "idle");
    },
  };

  const reservationsOf = (so_line_id: number) =>
    db.rows("select inventory_id, quantity from stock_reservations where so_line_id = $1 order by inventory_id", [
      so_line_id,
    ]);

  for (const [way, end] of Object.entries(ends))
    it(`not ${way}: its orders have their units back, and nobody else gets any`, async () => {
      const { item_id } = await item();
      const held = await holder(item_id, 5);
      const before = await reservationsOf(held.so_line_id);
      const { so_id } = await waits(item_id, 1, 9);
      await end(held);
      assert.deepEqual(await reservationsOf(held.so_line_id), before);
      assert.equal(await statusOf(so_id), "WAITING_STOCK");
      const next = await holder(item_id, 1);
      assert.notDeepEqual(await reservationsOf(next.so_line_id), [], "what was put there meanwhile");
      const { lines } = await admin.ok("POST", "/api/admin/sales-orders", {
        ...{ so_number: fresh("late"), warehouse_id: here, lines: [{ item_id, quantity_ordered: 1 }] },
      });
      assert.equal(lines[0].quantity_allocated, 0);
    });

  it("what another system says lies in a bin", async () => {
    const shop = await sender(service, { warehouse_ids: [here] });
    const { external_id, item_id } = await pushedItem(shop);
    const { so_id } = await waits(item_id, 5);
    const code = fresh("BIN");
    await bin(here, { code });
    await shop.ok("POST", "/api/v1/inbound/inventory_update", {
      external_id: "stock",
      external_version: "1",
      source_payload: {
        ...{ item_external_id: external_id, bin_code: code, warehouse_id: here },
        ...{ target_quantity: 5, reason_code: "RECOUNT" },
      },
    });
    assert.deepEqual(
      (await releasesOf(so_id)).map((event) => event.payload.source),
      ["sync"],
    );
  });

  it("a transfer that is approved, once its units are out of Staging", async () => {
    const [source, staging] = [await warehouse(), await bin(here, { type: "Staging" })];
    const goods = await item();
    await stock(source, await bin(source), goods.item_id, 5);
    const { so_id } = await waits(goods.item_id, 5);
    const sent = await transferOrder(admin, { source, destination: here }, [{ item_id: goods.item_id, quantity: 5 }]);
    const { tasks } = await walk(admin, sent.to_id);
    for (const task of tasks) await confirm(admin, task, 5);
    const { to_approval_id } = await admin.ok("POST", `/api/admin/picker/transfer-orders/${sent.to_id}/submit`);
    const other = await service.user({ role: "ADMIN" });
    await other.ok("POST", `${sent.path}/approvals/${to_approval_id}/approve`, {});
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await admin.ok("POST", "/api/putaway/confirm", {
      ...{ item_id: goods.item_id, from_bin_id: staging, to_bin_id: await bin(here), quantity: 5 },
    });
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("an order that was cut, by what is free at that moment", async () => {
    const { item_id } = await item();
    const { so_line_id, path } = await holder(item_id, 5);
    const cut = async () => {
      const lines = [{ so_line_id, short_qty: 2, write_off: true }];
      return (await admin.ok("POST", `${path}/partial-fulfill`, { lines })).backorder_so.so_id as number;
    };
    // The two that were not found are adjusted away, and one is left.
    await stock(here, await bin(here), item_id, 1);
    const first = await cut();
    assert.equal(await statusOf(first), "WAITING_STOCK");
    // Two are adjusted away, and three are left: for the one that waits longer.
    await stock(here, await bin(here), item_id, 2);
    const second = await cut();
    assert.equal(await statusOf(second), "WAITING_STOCK");
    assert.equal(await statusOf(first), "OPEN");
    assert.deepEqual(
      (await releasesOf(first)).map((event) => event.payload.source),
      ["transfer"],
    );
  });

  it("nothing while a wave takes what the one before it gave back", async () => {
    const { item_id } = await item();
    const held = await holder(item_id, 5);
    await walked(held);
    const { so_id } = await waits(item_id, 5);
    await walked(held);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
  });

  it("no receipt that is taken back", async () => {
    const { item_id } = await item();
    const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 10 }]);
    const bin_id = await bin(here);
    const received = async () =>
      (await admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, quantity: 5, bin_id }] }))
        .receipt_ids;
    const [[first], [second]] = [await received(), await received()];
    // Put there by the test: as if somebody had waited without a notification.
    const { so_id } = await waits(item_id, 1);
    await admin.ok("POST", "/api/receiving/cancel", { po_id, receipt_ids: [first] });
    await admin.ok("POST", `/api/admin/receipts/${second}/unreceive`);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
  });
});
