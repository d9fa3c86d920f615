import assert from "node:assert/strict";
import { expireStock } from "../../activities/lots/expire.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertHeld, assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

const LOTS = "/api/admin/lots";

describe("two records of one lot", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** The right lot in one bin, and the misspelt one in the same bin and in another, received with the order. */
  async function goods(days: { right?: string; wrong?: string } = {}) {
    const warehouse_id = await warehouse();
    const [both, alone] = [await bin(warehouse_id, { pick_sequence: 1 }), await bin(warehouse_id)];
    const { item_id, sku } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 30 }]);
    for (const [lot_number, bin_id, expiry_date] of [
      ["LOT-7", both, days.right],
      ["LOT-T", both, days.wrong],
      ["LOT-T", alone, days.wrong],
    ] as const)
      await service.admin.ok("POST", "/api/receiving/receive", {
        po_id,
        items: [{ item_id, quantity: 5, bin_id, lot_number, ...(expiry_date && { expiry_date }) }],
      });
    const lot = (number: string) =>
      db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, number]);
    const [right, wrong] = [(await lot("LOT-7")) as number, (await lot("LOT-T")) as number];
    return { warehouse_id, both, alone, item_id, sku, right, wrong };
  }
  type Goods = Awaited<ReturnType<typeof goods>>;
  const merge = ({ wrong }: Goods, into_lot_id: number) =>
    service.admin.post(`${LOTS}/${wrong}/merge`, { into_lot_id, reason: "7 read as T" });
  const rows = ({ item_id }: Goods) =>
    db.rows<{ bin_id: number; lot_number: string; units: number; allocated: number; condition: string }>(
      `select bin_id, lot_number, quantity_on_hand as units, quantity_allocated as allocated, condition
       from inventory where item_id = $1 order by bin_id`,
      [item_id],
    );

  it("become one, with all that claims their units and tells of them", async () => {
    const at = await goods();
    const { warehouse_id, item_id, both, alone } = at;
    const ordered = async (quantity: number) => (await salesOrder(warehouse_id, [{ item_id, quantity }])).so_id;
    const { batch_id } = await startWave(service.admin, warehouse_id, [await ordered(7)]);
    await service.admin.ok("POST", "/api/admin/transfer-orders", {
      ...{ source_warehouse_id: warehouse_id, destination_warehouse_id: await warehouse() },
      lines: [{ item_id, quantity: 6 }],
    });
    const { inventory } = await service.admin.ok(
      "GET",
      `/api/admin/inventory?item_id=${item_id}&warehouse_id=${warehouse_id}`,
    );
    const held = (inventory as { bin_id: number; lot_number: string; inventory_id: number }[]).find(
      (row) => row.bin_id === both && row.lot_number === "LOT-T",
    );
    await service.admin.ok("POST", `/api/admin/inventory/${held?.inventory_id}/hold`, { quantity: 1, reason: "wet" });
    await service.admin.ok("PUT", `${LOTS}/${at.wrong}`, { production_date: "2026-01-05", notes: "arrived warm" });
    const before = await rows(at);
    const claimed = before.reduce((sum, { allocated }) => sum + allocated, 0);

    const merged = await merge(at, at.right);
    assert.equal(merged.status, 200, JSON.stringify(merged.body));
    const { lot_number, production_date, quantity_on_hand } = merged.body;
    assert.deepEqual([lot_number, production_date, quantity_on_hand], ["LOT-7", "2026-01-05", 15]);
    const after = await rows(at);
    assert.deepEqual(
      after.map(({ bin_id, lot_number, units }) => [bin_id, lot_number, units]),
      [
        [both, "LOT-7", 10],
        [alone, "LOT-7", 5],
      ],
    );
    assert.equal(
      after.reduce((sum, { allocated }) => sum + allocated, 0),
      claimed,
    );
    await assertHeld(warehouse_id);
    const detail = await service.admin.ok("GET", `${LOTS}/${at.right}`);
    assert.deepEqual([pluck(detail.receipts, "quantity_received"), detail.places.length], [[5, 5, 5], 2]);
    assert.equal((await service.admin.get(`${LOTS}/${at.wrong}`)).status, 404);
    const audit = await db.row<{ details: { reason: string; merged: Record<string, unknown> } }>(
      "select details from audit_log where action_type = 'LOT_MERGE' and entity_id = $1",
      [at.right],
    );
    assert.deepEqual(
      [audit?.details.reason, audit?.details.merged.lot_number, audit?.details.merged.notes],
      ["7 read as T", "LOT-T", "arrived warm"],
    );
    const event = await db.row<{ warehouse_id: number; payload: Record<string, unknown> }>(
      `select warehouse_id, event_data(integration_events) as payload from integration_events
       where event_type = 'lot.merged' and entity_id = $1`,
      [at.right],
    );
    const { lot_number: told, merged_lot_number, quantity_on_hand: units, reason } = event?.payload ?? {};
    assert.deepEqual(
      [event?.warehouse_id, told, merged_lot_number, units, reason],
      [warehouse_id, "LOT-7", "LOT-T", 15, "7 read as T"],
    );
    await assertEventsMatchSchemas();
    // The wave goes on, with the right number.
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual(new Set(pluck(tasks, "lot_number")), new Set(["LOT-7"]));
    for (const { pick_task_id, quantity_to_pick: quantity_picked, status } of tasks)
      if (status === "PENDING")
        await service.admin.ok("POST", "/api/picking/confirm", {
          pick_task_id,
          scanned_barcode: at.sku,
          quantity_picked,
        });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
  });

  it("have the earlier last day, and what had expired in error is sold again", async () => {
    const at = await goods({ right: "2098-05-01", wrong: "2098-03-01" });
    assert.equal((await merge(at, at.right)).body.expiry_date, "2098-03-01");
    const wrong = await goods();
    await db.run("update inventory set condition = 'EXPIRED' where item_id = $1", [wrong.item_id]);
    assert.equal((await merge(wrong, wrong.right)).status, 200);
    assert.deepEqual(pluck(await rows(wrong), "condition"), ["AVAILABLE", "AVAILABLE"]);
  });

  it("tell once of units that have expired", async () => {
    const at = await goods({ right: "2020-01-01", wrong: "2020-02-01" });
    await expireStock();
    assert.equal((await merge(at, at.right)).status, 200);
    await expireStock();
    const told = await db.value(
      `select count(*)::int as n from integration_events where event_type = 'stock.expired' and warehouse_id = $1`,
      [at.warehouse_id],
    );
    assert.deepEqual([told, new Set(pluck(await rows(at), "condition"))], [3, new Set(["EXPIRED"])]);
  });

  it("keep the closed recalls and inspections of both", async () => {
    const at = await goods();
    const { recall_id } = await service.admin.ok("POST", "/api/admin/recalls", {
      lot_ids: [at.wrong],
      reason: "glass",
    });
    await service.admin.ok("POST", `/api/admin/recalls/${recall_id}/close`, { force: true, reason: "a mistake" });
    for (const id of [at.wrong, at.right]) {
      await service.admin.ok("POST", `${LOTS}/${id}/hold`, { condition: "QUARANTINE", reason: "look" });
      await service.admin.ok("POST", `${LOTS}/${id}/release`, { reason: "fine" });
    }
    assert.equal((await merge(at, at.right)).status, 200);
    const { lots } = await service.admin.ok("GET", `/api/admin/recalls/${recall_id}`);
    assert.deepEqual(pluck(lots, "lot_id"), [at.right]);
    const { inspections } = await service.admin.ok("GET", `/api/admin/inspections?item_id=${at.item_id}&status=CLOSED`);
    assert.deepEqual(pluck(inspections, "lot_number"), ["LOT-7", "LOT-7"]);
  });

  it("are refused by name where they are not, or somebody still decides about them", async () => {
    const at = await goods();
    const other = await goods();
    const unknown = await service.admin.post(`${LOTS}/${at.wrong}/merge`, { into_lot_id: 99_999_999, reason: "?" });
    assert.deepEqual([unknown.status, unknown.code], [404, "lot_not_found"]);
    for (const into of [other.right, at.wrong]) {
      const { status, code } = await merge(at, into);
      assert.deepEqual([status, code], [400, "lot_of_another_item"]);
    }
    const refusal = async () => {
      const { status, code } = await merge(at, at.right);
      return [status, code];
    };
    await service.admin.ok("POST", `${LOTS}/${at.wrong}/hold`, { condition: "QUARANTINE", reason: "look" });
    assert.deepEqual(await refusal(), [409, "lot_conditions_differ"]);
    await service.admin.ok("POST", `${LOTS}/${at.right}/hold`, { condition: "QUARANTINE", reason: "look" });
    assert.deepEqual(await refusal(), [409, "lot_in_quarantine"]);
    await service.admin.ok("POST", "/api/admin/recalls", { lot_ids: [at.wrong], reason: "glass" });
    for (const id of [at.wrong, at.right])
      await service.admin.ok("POST", `${LOTS}/${id}/hold`, { condition: "HOLD", reason: "look" });
    assert.deepEqual(await refusal(), [409, "lot_recalled"]);
    const days = await goods({ wrong: "2026-12-01" });
    await service.admin.ok("PUT", `${LOTS}/${days.right}`, { production_date: "2026-12-24" });
    const impossible = await merge(days, days.right);
    assert.deepEqual([impossible.status, impossible.code], [400, "expires_before_production"]);
  });

  it("are merged while units of both are received and picked, and every unit is kept", async () => {
    const at = await goods();
    const { warehouse_id, item_id, both } = at;
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 8 }]);
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 4 }]);
    const units = { item_id, quantity: 4, bin_id: both, lot_number: "LOT-T" };
    const [merged, wave, received] = await Promise.all([
      merge(at, at.right),
      service.admin.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id }),
      service.admin.post("/api/receiving/receive", { po_id, items: [units] }),
    ]);
    assert.deepEqual([merged.status, wave.status, received.status], [200, 200, 200], JSON.stringify([merged, wave]));
    const total = (await rows(at)).reduce((sum, row) => sum + row.units, 0);
    assert.equal(total, 19);
  });

  it("of which one was only in bins that are empty by now leave no row of it behind", async () => {
    const at = await goods();
    const row = await stock(at.warehouse_id, await bin(at.warehouse_id), at.item_id, 1, "LOT-T");
    await db.run("update inventory set quantity_on_hand = 0 where inventory_id = $1", [row]);
    assert.equal((await merge(at, at.right)).status, 200);
    const left = await db.value<number>(
      "select count(*)::int from inventory where item_id = $1 and lot_number = 'LOT-T'",
      [at.item_id],
    );
    assert.equal(left, 0);
  });
});
