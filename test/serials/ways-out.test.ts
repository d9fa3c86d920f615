import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { labelOf, pickedFromStock, receiving, type SerialItem, serialItem, statesOf } from "../support/serials.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** docs/serials.md, Corrections */
describe("serials of units that leave for good", () => {
  const service = testService({ worker: true });
  const admin = () => service.admin;
  let here: number;
  before(async () => {
    here = await fixtures.warehouse();
  });

  /** An item of which these units were received, in a lot. */
  async function received(lot_number: string, ...serials: string[]) {
    const item = await serialItem(here, "at_receipt");
    await receive(item, lot_number, ...serials);
    return item;
  }
  const receive = (item: SerialItem, lot_number: string, ...serials: string[]) =>
    admin().ok("POST", "/api/receiving/receive", receiving(item, serials, { lot_number }));
  const rowOf = ({ item_id }: SerialItem, lot: string) =>
    db.value<number>("select inventory_id from inventory where item_id = $1 and lot_number = $2", [item_id, lot]);
  const lotOf = ({ item_id }: SerialItem) =>
    db.value<number>("select min(lot_id) from lots where item_id = $1", [item_id]);
  const lastStep = async (item: SerialItem, serial: string) =>
    (await admin().ok("GET", `/api/lookup/serial/${serial}`)).serials
      .find(({ item_id }: SerialItem) => item_id === item.item_id)
      .steps.at(-1).kind;

  /** Units of a row, or the whole lot, that wait to be decided about: sends them back. */
  async function inspection(item: SerialItem, of: "units" | "lot", quantity?: number) {
    const held = { condition: "QUARANTINE", reason: "complaint" };
    if (of === "lot") await admin().ok("POST", `/api/admin/lots/${await lotOf(item)}/hold`, held);
    else await admin().ok("POST", `/api/admin/inventory/${await rowOf(item, "L-1")}/hold`, { ...held, quantity });
    const id = await db.value("select max(inspection_id) from inspections where item_id = $1", [item.item_id]);
    return (more: object) =>
      admin().post(`/api/admin/inspections/${id}/decide`, {
        ...{ decision: "return_to_supplier", reason: "broken" },
        ...more,
      });
  }
  async function recall(item: SerialItem) {
    const lot_id = await lotOf(item);
    const { recall_id } = await admin().ok("POST", "/api/admin/recalls", { lot_ids: [lot_id], reason: "glass" });
    await until(async () => (await admin().ok("GET", `/api/admin/lots/${lot_id}`)).condition === "HOLD");
    const inventory_id = await rowOf(item, "L-1");
    return (more: object) =>
      admin().post(`/api/admin/recalls/${recall_id}/destroy`, { inventory_id, reason: "burnt", ...more });
  }

  for (const [name, begin, kind] of [
    ["an inspection sends back", (item: SerialItem) => inspection(item, "units"), "SENT_BACK"],
    ["a recall destroys", recall, "DESTROYED"],
  ] as const)
    describe(`which ${name}`, () => {
      it("are named, each of them in stock", async () => {
        const item = await received("L-1", "A", "B", "C");
        const other = await received("L-1", "A");
        const leave = await begin(item);
        for (const [serial_numbers, code] of [
          [undefined, "serials_required"],
          [["A", "B"], "serials_required"],
          [["A", "A"], "serial_named_twice"],
          [["X"], "serial_not_in_stock"],
          [[item.sku], "serial_is_item_code"],
          [[labelOf(other, "A")], "scanned_other_item"],
        ] as const)
          assert.equal((await leave({ quantity: 1, serial_numbers })).code, code);
        assert.equal((await leave({ quantity: 1, serial_numbers: ["B"] })).status, 200);
        assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "GONE", C: "IN_STOCK" });
        assert.equal(await lastStep(item, "B"), kind);
        assert.equal((await leave({ serial_numbers: [] })).status, 200, "the other two need no name");
        assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE", C: "GONE" });
      });

      it("need no name where they are all of their lot, and other lots keep theirs", async () => {
        const item = await received("L-1", "A", "B");
        await receive(item, "L-2", "C");
        assert.equal((await (await begin(item))({})).status, 200);
        assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE", C: "IN_STOCK" });
      });

      it("are asked for only as far as units have any", async () => {
        const item = await received("L-1", "A");
        await fixtures.stock(here, item.bin_id, item.item_id, 1, "L-2");
        const leave = await begin(item);
        assert.equal((await leave({ quantity: 1 })).status, 200, "one of the two was never named");
        assert.deepEqual(await statesOf(item), { A: "IN_STOCK" });
        const plain = await serialItem(here, "none");
        await fixtures.stock(here, plain.bin_id, plain.item_id, 2, "L-1");
        const other = await begin(plain);
        assert.equal((await other({ quantity: 1, serial_numbers: ["A"] })).code, "serials_not_kept");
        assert.equal((await other({})).status, 200);
      });
    });

  it("go back with their whole lot", async () => {
    const item = await received("L-1", "A", "B", "C");
    await pickedFromStock(admin(), item, 1);
    const decide = await inspection(item, "lot");
    assert.equal((await decide({})).code, "serials_required", "one of the three is picked");
    const released = await decide({ decision: "release", serial_numbers: ["A"] });
    assert.deepEqual([released.status, /go back to the supplier/.test(JSON.stringify(released.body))], [400, true]);
    assert.equal((await decide({ serial_numbers: ["A", "C"] })).status, 200);
    assert.deepEqual(await statesOf(item), { A: "GONE", B: "IN_STOCK", C: "GONE" });
  });

  it("are told by the event of the adjustment that has the unit", async () => {
    const item = await received("L-1", "A", "B");
    const quarantine = await inspection(item, "units");
    const to_bin_id = await fixtures.bin(here);
    const { item_id, bin_id: from_bin_id } = item;
    await admin().ok("POST", "/api/transfers/move", {
      item_id,
      from_bin_id,
      to_bin_id,
      quantity: 1,
      lot_number: "L-1",
    });
    await quarantine({});
    const told = await db.rows<{ data: { serial_numbers: string[] } }>(
      `select event_data(e) as data from integration_events e join items i on i.item_id = $1
       where event_type = 'inventoryadjusted.completed' and event_data(e) ->> 'item_external_id' = i.external_id::text
       order by event_id`,
      [item_id],
    );
    assert.deepEqual(
      told.map(({ data }) => data.serial_numbers),
      [["A"], ["B"]],
    );
  });

  it("are gone with a written-off short pick of all that was left", async () => {
    const item = await received("L-1", "A", "B");
    const { item_id } = item;
    const others = await fixtures.item();
    await fixtures.stock(here, item.bin_id, others.item_id, 1);
    const { so_id } = await fixtures.salesOrder(here, [
      { item_id, quantity: 2 },
      { item_id: others.item_id, quantity: 1 },
    ]);
    const so_line_id = await db.value("select so_line_id from sales_order_lines where so_id = $1 and item_id = $2", [
      ...[so_id, item_id],
    ]);
    const lines = [{ so_line_id, short_qty: 2, write_off: true }];
    await admin().ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, { lines });
    assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE" });
    assert.equal(await lastStep(item, "A"), "ADJUSTED_OUT");
  });
});
