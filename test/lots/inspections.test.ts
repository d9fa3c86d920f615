import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { remindOfInspection } from "../../activities/lots/index.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs } from "../support/workflow-environment.js";

const INSPECTIONS = "/api/admin/inspections";

describe("an inspection of goods in quarantine", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  const handleOf = (id: number) => temporalClient().workflow.getHandle(`inspection-${id}`);
  const endOf = async (id: number) => ((await handleOf(id).result()) as { ended: string }).ended;
  const running = (id: number) =>
    until(async () => {
      try {
        return (await listedAs(handleOf(id))).stage === "to inspect";
      } catch {
        return false;
      }
    });
  const reconcile = () =>
    temporalClient().workflow.execute("maintenance", {
      ...{ workflowId: `reconcile-${randomUUID()}`, taskQueue, args: ["reconcile"] },
    });
  const decide = (id: number, decision: string, quantity?: number) =>
    service.admin.post(`${INSPECTIONS}/${id}/decide`, { decision, quantity, reason: "looked at" });
  /** Under a key, as it may be asked twice on a busy machine. */
  const decided = (id: number, decision: string, quantity?: number) =>
    service.admin
      .with({ "idempotency-key": randomUUID() })
      .ok("POST", `${INSPECTIONS}/${id}/decide`, { decision, quantity, reason: "looked at" });
  const shown = (id: number) => service.admin.ok("GET", `${INSPECTIONS}/${id}`);

  /** Ten units in a bin, eight of them in quarantine. */
  async function inspected() {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    const inventory_id = await stock(warehouse_id, bin_id, item_id, 10);
    const { inspection_id, hold_id } = await service.admin.ok("POST", `/api/admin/inventory/${inventory_id}/hold`, {
      ...{ quantity: 8, condition: "QUARANTINE", reason: "complaint 17" },
    });
    return { warehouse_id, bin_id, item_id, sku, inventory_id, hold_id, id: inspection_id as number };
  }
  /** Five units of a lot in each of two warehouses, in quarantine as a whole. */
  async function inspectedLot() {
    const { item_id, sku } = await item();
    const rows = [];
    for (const warehouse_id of [await warehouse(), await warehouse()])
      rows.push(await stock(warehouse_id, await bin(warehouse_id), item_id, 5, "L-1"));
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    const path = `/api/admin/lots/${lot_id}`;
    await service.admin.ok("POST", `${path}/hold`, { condition: "QUARANTINE", reason: "complaint 17" });
    const { inspections } = await service.admin.ok("GET", `${INSPECTIONS}?lot_id=${lot_id}&status=OPEN`);
    for (const inventory_id of rows) {
      const here = await db.value("select warehouse_id from inventory where inventory_id = $1", [inventory_id]);
      const found = await service.admin.ok("GET", `${INSPECTIONS}?warehouse_id=${here}&lot_id=${lot_id}`);
      assert.equal(found.total, 1, "who looks at one warehouse sees the lots that wait there");
    }
    return { item_id, sku, rows, lot_id, path, id: inspections[0].inspection_id as number };
  }

  it("does not release a lot that is called back", async () => {
    const { item_id } = await item();
    const warehouse_id = await warehouse();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5, "L-1");
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    await service.admin.ok("POST", `/api/admin/lots/${lot_id}/hold`, { condition: "QUARANTINE", reason: "complaint" });
    const { recall_id } = await service.admin.ok("POST", "/api/admin/recalls", { lot_ids: [lot_id], reason: "glass" });
    const id = await db.value<number>("select inspection_id from inspections where lot_id = $1", [lot_id]);
    const refused = await decide(id as number, "release");
    assert.deepEqual([refused.status, refused.code], [409, "lot_recalled"]);
    await service.admin.ok("POST", `/api/admin/recalls/${recall_id}/close`, { force: true, reason: "false alarm" });
    await decided(id as number, "release");
  });

  it("opens with the units, waits in the Temporal UI, and ends when each part is decided its own way", async () => {
    const { id, item_id, sku, inventory_id, warehouse_id } = await inspected();
    const { inspections } = await service.admin.ok("GET", `${INSPECTIONS}?item_id=${item_id}`);
    const { status, quantity, quantity_open, reason, is_overdue, due_at } = inspections[0];
    assert.deepEqual([status, quantity, quantity_open, reason, is_overdue], ["OPEN", 8, 8, "complaint 17", false]);
    assert.ok(Date.parse(due_at) > Date.now() + 71 * 3_600_000, "three days, by default");
    await running(id);
    assert.match(
      await detailsOf(handleOf(id)),
      new RegExp(`Inspection ${id} of ${sku} in .*: 8 unit\\(s\\) to decide`),
    );
    assert.equal((await decided(id, "release", 3)).quantity_open, 5);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 5 });
    assert.match(await detailsOf(handleOf(id)), /5 unit\(s\) to decide about; release: 3 by /);
    await decided(id, "damage", 1);
    await decided(id, "hold", 2);
    const last = await decided(id, "return_to_supplier");
    assert.deepEqual([last.status, last.quantity_open], ["CLOSED", 0]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 8, allocated: 3 });
    assert.equal(await endOf(id), "closed");
    assert.deepEqual(await listedAs(handleOf(id)), { status: "COMPLETED", stage: "ended", outcome: "closed" });
    const { holds, decisions } = await shown(id);
    assert.deepEqual(
      decisions.map((one: { decision: string; quantity: number }) => [one.decision, one.quantity]),
      [
        ["release", 3],
        ["damage", 1],
        ["hold", 2],
        ["return_to_supplier", 2],
      ],
    );
    assert.deepEqual(
      holds.map((one: { condition: string; quantity_held: number }) => [one.condition, one.quantity_held]).sort(),
      [
        ["DAMAGED", 1],
        ["HOLD", 2],
        ["QUARANTINE", 0],
      ],
    );
    const { adjustments } = await service.admin.ok("GET", `/api/admin/adjustments/list?warehouse_id=${warehouse_id}`);
    assert.deepEqual(
      [adjustments[0].quantity_change, adjustments[0].reason_code, adjustments[0].reason_detail],
      [-2, "RETURN_TO_SUPPLIER", "looked at"],
    );
    const late = await decide(id, "release");
    assert.deepEqual([late.status, late.code], [409, "inspection_closed"]);
  });

  it("decides about no more than is open, and nobody else releases its units", async () => {
    const { id, hold_id } = await inspected();
    const more = await decide(id, "release", 9);
    assert.deepEqual([more.status, more.code], [409, "inspection_has_fewer"]);
    const beside = await service.admin.post(`/api/admin/holds/${hold_id}/release`, { reason: "in a hurry" });
    assert.deepEqual([beside.status, beside.code], [409, "under_inspection"]);
    assert.equal((await service.admin.post(`${INSPECTIONS}/2100000000/decide`, {})).status, 400);
    const none = await decide(2_100_000_000, "release");
    assert.deepEqual([none.status, none.code], [404, "inspection_not_found"]);
  });

  it("is decided once when it is sent twice with one key", async () => {
    const { id, inventory_id } = await inspected();
    const keyed = service.admin.with({ "idempotency-key": randomUUID() });
    const send = () => keyed.post(`${INSPECTIONS}/${id}/decide`, { decision: "release", quantity: 2, reason: "good" });
    const answers = [await send(), await send()];
    assert.deepEqual(pluck(answers, "status"), [200, 200]);
    assert.deepEqual(pluck(pluck(answers, "body"), "quantity_open"), [6, 6]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 6 });
  });

  it("follows its units when they are moved, and is over when they are not found", async () => {
    const { id, item_id, bin_id, warehouse_id } = await inspected();
    const to_bin_id = await bin(warehouse_id);
    await service.admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: bin_id, to_bin_id, quantity: 5 });
    const { quantity_open, holds } = await shown(id);
    assert.deepEqual([quantity_open, holds.length], [8, 2]);
    assert.equal((await decided(id, "release", 6)).quantity_open, 2, "from both bins");
    for (const place of [bin_id, to_bin_id]) {
      const quantity = await db.value<number>(
        "select sum(quantity_on_hand)::int from inventory where item_id = $1 and bin_id = $2",
        [item_id, place],
      );
      await service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id, bin_id: place, warehouse_id, adjustment_type: "REMOVE", quantity, reason: "stolen" },
      });
    }
    assert.equal((await shown(id)).status, "CLOSED");
    await until(async () => {
      await reconcile();
      return (await listedAs(handleOf(id))).status === "COMPLETED";
    });
  });

  it("is given back from its rows by the next decision, and by the job that reconciles", async () => {
    const [one, other] = [await inspected(), await inspected()];
    for (const { id } of [one, other]) {
      await running(id);
      await handleOf(id).terminate("lost");
    }
    assert.equal((await decided(one.id, "release")).status, "CLOSED");
    await until(async () => {
      await reconcile();
      return (await listedAs(handleOf(other.id))).status === "RUNNING";
    });
    await decided(other.id, "damage");
    assert.equal(await endOf(other.id), "closed");
  });

  it("is not ended by a cancellation in the Temporal UI", async () => {
    const { id } = await inspected();
    await running(id);
    await handleOf(id).cancel();
    await until(async () => /refused: people decide about goods/.test(await detailsOf(handleOf(id))));
    await decided(id, "hold");
    assert.equal(await endOf(id), "closed");
  });

  it("of a lot is decided by an ADMIN as a whole, in all warehouses", async () => {
    const { id, rows, path, item_id } = await inspectedLot();
    assert.deepEqual(
      [(await shown(id)).quantity_open, (await shown(id)).warehouse_id, (await shown(id)).lot_number],
      [10, null, "L-1"],
    );
    const part = await decide(id, "release", 3);
    assert.deepEqual([part.status, part.code], [400, "lot_is_decided_whole"]);
    const places = await db.rows<{ warehouse_id: number }>("select warehouse_id from inventory where item_id = $1", [
      item_id,
    ]);
    const rita = await service.user({ warehouse_ids: pluck(places, "warehouse_id"), page_keys: ["inventory"] });
    assert.equal((await rita.ok("GET", `${INSPECTIONS}/${id}`)).inspection_id, id);
    const refused = await rita.post(`${INSPECTIONS}/${id}/decide`, { decision: "release", reason: "good" });
    assert.equal(refused.status, 403);
    await decided(id, "return_to_supplier");
    for (const inventory_id of rows) assert.deepEqual(await stockOf(inventory_id), { on_hand: 0, allocated: 0 });
    assert.deepEqual(
      [(await service.admin.ok("GET", path)).condition, (await shown(id)).status],
      ["HOLD", "CLOSED"],
      "what comes of it later is held",
    );
    assert.equal(await endOf(id), "closed");
  });

  it("of a lot ends when the lot is released, or held for another reason, by its own routes", async () => {
    for (const [way, decision] of [
      [{ to: "release", body: {} }, "release"],
      [{ to: "hold", body: { condition: "DAMAGED" } }, "damage"],
    ] as const) {
      const { id, path } = await inspectedLot();
      await running(id);
      await service.admin.ok("POST", `${path}/${way.to}`, { ...way.body, reason: "known now" });
      const { status, decisions } = await shown(id);
      assert.deepEqual([status, pluck(decisions, "decision")], ["CLOSED", [decision]]);
      assert.equal(await endOf(id), "closed");
    }
  });

  it("is reminded of once in the time that is set, and told of once when its time is over", async () => {
    const { id, warehouse_id } = await inspected();
    const told = () =>
      db.rows<{ overdue: boolean; warehouse_id: number }>(
        `select (event_data(integration_events)->>'is_overdue')::boolean as overdue, warehouse_id
         from integration_events where event_type = 'inspection.due' and entity_id = $1 order by outbox_id`,
        [id],
      );
    assert.deepEqual(await told(), []);
    const waits = (hours: number) =>
      db.run("update inspections set opened_at = now() - make_interval(hours => $2) where inspection_id = $1", [
        ...[id, hours],
      ]);
    await waits(25);
    const command = randomUUID();
    const first = await remindOfInspection(id, command);
    assert.deepEqual([first.reminded, first.overdue], [true, false]);
    assert.deepEqual(await remindOfInspection(id, command), first, "a repeat tells nothing");
    assert.deepEqual((await remindOfInspection(id, randomUUID())).reminded, false);
    await db.run("update inspections set due_at = now() - interval '1 minute' where inspection_id = $1", [id]);
    const over = await remindOfInspection(id, randomUUID());
    assert.deepEqual([over.overdue, over.state.deadline_ms], [true, null]);
    assert.equal((await remindOfInspection(id, randomUUID())).overdue, false);
    assert.deepEqual(await told(), [
      { overdue: false, warehouse_id },
      { overdue: true, warehouse_id },
    ]);
    assert.equal((await shown(id)).is_overdue, true);
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { inspection_deadline_hours: "0" } });
    assert.equal((await shown((await inspected()).id)).due_at, null, "0 is no deadline");
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { inspection_deadline_hours: "72" } });
  });

  it("opens for what is received into a QUALITY zone, where the setting wants it", async () => {
    const inspects = (value: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { inspect_receipts: value } });
    const warehouse_id = await warehouse();
    const [quality, storage] = [await bin(warehouse_id), await bin(warehouse_id)];
    await db.run(
      "update zones set zone_type = 'QUALITY' where zone_id = (select zone_id from bins where bin_id = $1)",
      [quality],
    );
    const { item_id } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 30 }]);
    const receive = (...bins: number[]) =>
      service.admin.ok("POST", "/api/receiving/receive", {
        ...{ po_id, items: bins.map((bin_id, i) => ({ item_id, bin_id, quantity: 3 + i })) },
      });
    const opened = async () =>
      (await service.admin.ok("GET", `${INSPECTIONS}?item_id=${item_id}&sort=inspection_id`)).inspections;
    await receive(quality);
    assert.deepEqual(await opened(), []);
    await inspects("true");
    const { receipt_ids } = await receive(storage, quality, quality);
    const inspections = await opened();
    assert.deepEqual(pluckAll(inspections, "quantity", "quantity_open", "status", "warehouse_id"), [
      [4, 4, "OPEN", warehouse_id],
      [5, 5, "OPEN", warehouse_id],
    ]);
    const held = (bin_id: number) =>
      db.value<number>("select quantity_allocated as units from inventory where bin_id = $1", [bin_id]);
    assert.deepEqual([await held(quality), await held(storage)], [9, 0]);
    const cancelled = await service.admin.post("/api/receiving/cancel", { po_id, receipt_ids: receipt_ids.slice(1) });
    assert.equal(cancelled.code, "units_held");
    for (const { inspection_id } of inspections) await decided(inspection_id, "release");
    assert.equal(await held(quality), 0);
    await inspects("false");
  });
});
