import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { labelOf, pickedFromStock, receiving, type SerialItem, serialItem, statesOf } from "../support/serials.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const RECALLS = "/api/admin/recalls";

/** docs/recall.md, Units by serial number */
describe("a recall of serials", () => {
  const service = testService({ worker: true });
  const admin = (): Caller => service.admin;

  /** An item of which these units were received in a warehouse of its own. */
  async function received(...serials: string[]) {
    const item = await serialItem(await fixtures.warehouse(), "at_receipt");
    await admin().ok("POST", "/api/receiving/receive", receiving(item, serials, { lot_number: "L-1" }));
    return item;
  }
  const ask = ({ item_id }: SerialItem, serial_numbers: string[], more: object = {}) =>
    admin().post(RECALLS, { item_id, serial_numbers, reason: "battery", ...more });
  async function open(item: SerialItem, ...serials: string[]) {
    const { status, body } = await ask(item, serials);
    assert.equal(status, 201, JSON.stringify(body));
    return body.recall_id as number;
  }
  const read = (recall_id: number) => admin().ok("GET", `${RECALLS}/${recall_id}`);
  const statesIn = async (recall_id: number) =>
    Object.fromEntries(
      (await read(recall_id)).serials.map((one: Record<string, string>) => [one.serial_number, one.unit_state]),
    );
  const pack = ({ sku }: SerialItem, so_id: number, serial_number: string) =>
    admin().post("/api/packing/verify", { so_id, scanned_barcode: sku, serial_number });
  async function packed(item: SerialItem, serial: string) {
    const { so_id } = await pickedFromStock(admin(), item, 1);
    assert.equal((await pack(item, so_id, serial)).status, 200);
    await admin().ok("POST", "/api/packing/complete", { so_id });
    return so_id;
  }
  const ship = (so_id: number) => admin().post(`/api/admin/sales-orders/${so_id}/admin-ship`, {});
  async function shipped(item: SerialItem, serial: string) {
    const so_id = await packed(item, serial);
    assert.equal((await ship(so_id)).status, 200);
    return so_id;
  }
  const close = (recall_id: number) =>
    admin().ok("POST", `${RECALLS}/${recall_id}/close`, { force: true, reason: "over" });
  /** The count of the item's bin that the recall makes. */
  async function countOf(recall_id: number, { bin_id }: SerialItem): Promise<number> {
    const made = () =>
      db.value<number>(
        `select count_id from cycle_counts c join recalls on recall_id = $1
         where bin_id = $2 and c.created_at >= opened_at`,
        [recall_id, bin_id],
      );
    await until(async () => (await made()) !== undefined);
    return (await made()) as number;
  }
  async function count(count_id: number, counted_quantity: number) {
    const { lines } = await admin().ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const counted = { count_id, lines: [{ count_line_id: lines[0].count_line_id, counted_quantity }] };
    const { summary } = await admin().ok("POST", "/api/inventory/cycle-count/submit", counted);
    return summary.adjustments[0]?.adjustment_id as number | undefined;
  }

  it("follows those in stock, packed and with customers, until each is accounted for", async () => {
    const item = await received("A", "B", "C", "D");
    const sold = await shipped(item, "A");
    const waiting = await packed(item, "B");
    const recall_id = await open(item, "A", labelOf(item, "B"), "C");
    assert.deepEqual(await statesIn(recall_id), { A: "to_tell", B: "picked", C: "to_count" });
    const { units_open, units, lot_count, serial_count, serials } = await read(recall_id);
    assert.deepEqual([units_open, units.known, lot_count, serial_count], [3, 3, 0, 3]);
    const [{ customer_name, so_id }] = serials.filter((one: { serial_number: string }) => one.serial_number === "A");
    assert.equal(so_id, sold);
    assert.equal(customer_name, await db.value("select customer_name from sales_orders where so_id = $1", [sold]));
    const early = await admin().post(`${RECALLS}/${recall_id}/close`, {});
    assert.equal(early.code, "recall_units_open");

    const refused = await ship(waiting);
    assert.deepEqual([refused.status, refused.code], [409, "order_has_recalled"]);
    assert.match(refused.body.error, /a unit of serial B, which is on recall/);
    const { orders } = await admin().ok("GET", `${RECALLS}/${recall_id}/orders`);
    assert.deepEqual(
      orders.map((one: Record<string, unknown>) => [one.so_id, one.serial_numbers, one.picked, one.to_tell]),
      [
        [sold, ["A"], 0, 1],
        [waiting, ["B"], 1, 0],
      ],
    );

    const { code } = await pack(item, (await pickedFromStock(admin(), item, 1)).so_id, "C");
    assert.equal(code, "serial_recalled");
    await admin().ok("POST", `${RECALLS}/${recall_id}/told`, { so_ids: [sold] });
    await admin().ok("POST", `/api/admin/sales-orders/${waiting}/cancel`, {});
    assert.deepEqual(await statesIn(recall_id), { A: "told", B: "to_count", C: "to_count" });
    await count(await countOf(recall_id, item), 2);
    assert.deepEqual(await statesIn(recall_id), { A: "told", B: "found", C: "found" });
    await admin().ok("POST", `${RECALLS}/${recall_id}/close`, { reason: "all accounted for" });
  });

  it("are destroyed by name, and missed by a count by name", async () => {
    const item = await received("A", "B", "C");
    const recall_id = await open(item, "A", "B");
    const inventory_id = await db.value("select inventory_id from inventory where item_id = $1", [item.item_id]);
    const destroy = (serial_numbers?: string[], quantity?: number) =>
      admin().post(`${RECALLS}/${recall_id}/destroy`, { inventory_id, serial_numbers, quantity, reason: "burnt" });
    assert.equal((await destroy()).code, "serials_required");
    assert.equal((await destroy(["A"], 2)).code, "serials_required");
    assert.equal((await destroy(["C"])).code, "serial_not_on_recall");
    const adjustment_id = await count(await countOf(recall_id, item), 2);
    assert.deepEqual(await statesIn(recall_id), { A: "to_count", B: "to_count" }, "somebody has to decide");
    const decisions = [{ adjustment_id, action: "approve", serial_numbers: ["B"] }];
    await admin().ok("POST", "/api/admin/adjustments/review", { decisions });
    assert.deepEqual(await statesIn(recall_id), { A: "found", B: "adjusted_out" });
    assert.equal((await destroy(["A"])).status, 200);
    assert.deepEqual(await statesIn(recall_id), { A: "destroyed", B: "adjusted_out" });
    assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE", C: "IN_STOCK" });
    const { units, units_open } = await read(recall_id);
    assert.deepEqual([units.known, units.destroyed, units.adjusted_out, units_open], [2, 1, 1, 0]);
  });

  it("come back from customers, and their life tells with whom they were", async () => {
    const item = await received("A", "B");
    const sold = await shipped(item, "A");
    const recall_id = await open(item, "A");
    const { item_id, warehouse_id, bin_id } = item;
    const lines = [{ item_id, quantity: 1 }];
    const { so_id } = await admin().ok("POST", `/api/admin/sales-orders/${sold}/create-rma`, { lines });
    await admin().ok("POST", `/api/admin/sales-orders/${so_id}/receive-return`, {
      ...{ item_id, warehouse_id, bin_id, quantity: 1, serial_numbers: ["A"] },
    });
    assert.deepEqual(await statesIn(recall_id), { A: "returned" });
    const { orders } = await admin().ok("GET", `${RECALLS}/${recall_id}/orders?state=returned`);
    assert.deepEqual([orders[0].so_id, orders[0].serial_numbers, orders[0].returned], [sold, ["A"], 1]);
    const label = encodeURIComponent(labelOf(item, "A"));
    const { steps } = (await admin().ok("GET", `/api/lookup/serial/${label}`)).serials[0];
    const customer = await db.value("select customer_name from sales_orders where so_id = $1", [sold]);
    const at = (kind: string) => steps.find((step: { kind: string }) => step.kind === kind);
    assert.deepEqual([at("RECEIVED").customer_name, at("SHIPPED").customer_name], [null, customer]);
  });

  it("names what it cannot call back", async () => {
    const item = await received("A");
    assert.equal((await admin().post(RECALLS, { reason: "none" })).status, 400);
    assert.equal((await admin().post(RECALLS, { serial_numbers: ["A"], reason: "none" })).status, 400);
    const unknown = await ask(item, ["A", "X"]);
    assert.deepEqual([unknown.status, unknown.code], [404, "serial_not_found"]);
    assert.equal((await ask({ ...item, item_id: 2_147_483_647 }, ["A"])).code, "item_not_found");
    assert.equal((await ask(item, [labelOf(await received("B"), "A")])).code, "scanned_other_item");
    const recall_id = await open(item, "A");
    const twice = await ask(item, ["A"]);
    assert.deepEqual([twice.status, twice.code, twice.body.serial], [409, "serial_recalled", "A"]);
    await close(recall_id);
    const { so_id } = await pickedFromStock(admin(), item, 1);
    assert.equal((await pack(item, so_id, "A")).status, 200, "no recall of it is open");
  });

  it("is told to partners where a unit was seen last, and with lots counts each unit once", async () => {
    const item = await received("A", "B");
    const lot_id = await db.value("select lot_id from lots where item_id = $1", [item.item_id]);
    const { body } = await ask(item, ["A"], { lot_ids: [lot_id] });
    const { units, serials } = await read(body.recall_id);
    assert.deepEqual([units.known, serials], [2, []]);
    const recall_id = await open(await received("Z"), "Z");
    const told = await db.row<{ warehouse_id: number; data: { lots: object[]; serials: { serial_number: string }[] } }>(
      `select warehouse_id, event_data(e) as data from integration_events e
       where event_type = 'recall.opened' and entity_id = $1`,
      [recall_id],
    );
    assert.deepEqual([told?.data.lots, told?.data.serials.map(({ serial_number }) => serial_number)], [[], ["Z"]]);
    await assertEventsMatchSchemas();
    for (const id of [body.recall_id, recall_id]) await close(id);
  });

  it("is opened once when it is sent twice with one key", async () => {
    const item = await received("A");
    const keyed = admin().with({ "idempotency-key": randomUUID() });
    const body = { item_id: item.item_id, serial_numbers: ["A"], reason: "battery" };
    const answers = [await keyed.post(RECALLS, body), await keyed.post(RECALLS, body)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(answers[0]?.body.recall_id, answers[1]?.body.recall_id);
  });
});
