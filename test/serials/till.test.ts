import assert from "node:assert/strict";
import type { Answer } from "../support/caller.js";
import { type CounterLine, counter, saleOf } from "../support/counter.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { labelOf, receiving, type SerialItem, statesOf } from "../support/serials.js";

/** docs/serials.md, Tills */
describe("serials at a till", () => {
  const { at, shelved, sold, refund, onHand } = counter();

  /** An item that asks for serials, with units on its shelf that nobody named. */
  async function goods(serial_policy: string, quantity: number) {
    const item = await shelved(quantity);
    const upc = newUpc();
    await db.run("update items set serial_policy = $2, upc = $3 where item_id = $1", [
      item.item_id,
      serial_policy,
      upc,
    ]);
    const units = (...serial_numbers: string[]) => ({ ...item.units(serial_numbers.length), serial_numbers });
    return { ...item, upc, units, some: item.units };
  }
  const sell = (...lines: CounterLine[]) => at().till.post("/api/v1/pos/checkout", saleOf(lines));
  const reasonOf = ({ status, body }: Answer) => [status, body.error_kind, body.details?.reason];
  const refused = (reason: string) => [422, "serials_refused", reason];

  it("are named as many as are sold, each for one sale only", async () => {
    const item = await goods("at_shipping", 5);
    assert.deepEqual(reasonOf(await sell(item.some(1))), refused("serials_required"));
    assert.deepEqual(
      reasonOf(await sell({ ...item.some(2), ...{ serial_numbers: ["A"] } })),
      refused("serials_required"),
    );
    assert.deepEqual(reasonOf(await sell(item.units("A", "A"))), refused("serial_named_twice"));
    assert.deepEqual(reasonOf(await sell(item.units(item.sku))), refused("serial_is_item_code"));
    assert.deepEqual(reasonOf(await sell(item.units("A"), item.units("A"))), refused("serial_elsewhere"));
    const other = await goods("none", 5);
    assert.deepEqual(reasonOf(await sell(other.units("A"))), refused("serials_not_kept"));
    assert.deepEqual(reasonOf(await sell(item.units(labelOf(other, "A")))), refused("scanned_other_item"));
    assert.deepEqual([await onHand(item.item_id), await statesOf(item)], [5, {}]);
    await sold([item.units(labelOf(item, "A")), item.units("B"), other.some(1)]);
    assert.deepEqual([await onHand(item.item_id), await statesOf(item)], [3, { A: "SHIPPED", B: "SHIPPED" }]);
    const again = await sell(item.units("B"));
    assert.deepEqual(again.body.details, { reason: "serial_elsewhere", sku: item.sku, serial: "B" });
  });

  it("are those that were received, or of units that nobody named", async () => {
    const item = await goods("at_receipt", 1);
    const { po_id, po_number } = await fixtures.purchaseOrder(at().here, [{ item_id: item.item_id, quantity: 9 }]);
    const here: SerialItem = { ...item, po_id, po_number, warehouse_id: at().here };
    await at().service.admin.ok("POST", "/api/receiving/receive", receiving(here, ["A", "B"]));
    assert.deepEqual(reasonOf(await sell(item.units("OLD", "OLDER"))), refused("serial_unknown"));
    await sold([item.units("A", "OLD")]);
    assert.deepEqual(reasonOf(await sell(item.units("OLDER"))), refused("serial_unknown"));
    assert.deepEqual(await statesOf(item), { A: "SHIPPED", B: "IN_STOCK", OLD: "SHIPPED" });
  });

  it("are not sold while they are called back", async () => {
    const item = await goods("at_shipping", 2);
    const receipt = await sold([item.units("A")]);
    assert.ok(receipt);
    await db.run("update serials set state = 'IN_STOCK', so_id = null, so_line_id = null where item_id = $1", [
      item.item_id,
    ]);
    const recall = await db.value<number>(
      `with made as (insert into recalls (reason, opened_by) values ('battery', 'rita') returning recall_id)
       insert into recall_serials (recall_id, serial_id) select recall_id, serial_id from made, serials
       where item_id = $1 returning recall_id`,
      [item.item_id],
    );
    assert.deepEqual(reasonOf(await sell(item.units("A"))), refused("serial_recalled"));
    await db.run("update recalls set closed_at = now(), closed_by = 'rita' where recall_id = $1", [recall]);
    await sold([item.units("A")]);
  });

  it("are not named by an order that is packed later", async () => {
    const item = await goods("at_shipping", 2);
    const sale = { ...saleOf([item.units("A")]), is_phone_order: true };
    assert.equal((await at().till.post("/api/v1/pos/checkout", sale)).status, 422);
    await sold([item.some(1)], { is_phone_order: true });
    assert.deepEqual(await statesOf(item), {});
  });

  it("come back with a refund, if the sale had them", async () => {
    const item = await goods("at_shipping", 5);
    const { so_number } = await sold([item.units("A", "B", "C")]);
    await sold([item.units("D")]);
    const back = (...serials: string[]) => refund(so_number, { lines: [item.units(...serials)] });
    assert.deepEqual(reasonOf(await refund(so_number, { lines: [item.some(1)] })), refused("serials_required"));
    assert.deepEqual(reasonOf(await back("D")), refused("serial_not_of_order"));
    assert.equal((await back(labelOf(item, "B"))).status, 200);
    assert.deepEqual(reasonOf(await back("B")), refused("serial_not_of_order"));
    assert.deepEqual(await statesOf(item), { A: "SHIPPED", B: "IN_STOCK", C: "SHIPPED", D: "SHIPPED" });
    await sold([item.units("B")]);
    // All that is left of the sale.
    assert.equal((await refund(so_number)).status, 200);
    assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "SHIPPED", C: "IN_STOCK", D: "SHIPPED" });
    const { serials } = await at().service.admin.ok("GET", `/api/lookup/serial/${labelOf(item, "B")}`);
    assert.deepEqual(
      serials[0].steps.map(({ kind, order_number }: Record<string, string>) => [kind, order_number]).slice(0, 2),
      [
        ["SHIPPED", so_number],
        ["RETURNED", `${so_number}-REFUND`],
      ],
    );
  });

  it("belong to one sale when two tills sell the same at once", async () => {
    const item = await goods("at_shipping", 5);
    const answers = await Promise.all([sell(item.units("A")), sell(item.units("A"))]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
    assert.equal(await onHand(item.item_id), 4);
  });
});
