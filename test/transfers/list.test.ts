import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { TRANSFERS, transferOrder } from "../support/transfers.js";

describe("the list of transfer orders", () => {
  const service = testService({ worker: true });
  let ann: Caller;
  const page_keys = ["transfer-orders"];
  /** Four warehouses; orders from the first to the second, from the second to the third, and two of them cancelled. */
  let sites: number[] = [];
  let orders: number[] = [];
  before(async () => {
    ann = await service.user({ role: "ADMIN" });
    sites = [];
    for (let i = 0; i < 4; i++) sites.push(await fixtures.warehouse());
    const { item_id } = await fixtures.item();
    for (const source of sites) await fixtures.stock(source, await fixtures.bin(source), item_id, 100);
    orders = [];
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [0, 2],
      [0, 1],
      [1, 0],
    ] as const) {
      const places = { source: sites[from] as number, destination: sites[to] as number };
      orders.push((await transferOrder(ann, places, [{ item_id, quantity: 1 }])).to_id);
    }
    for (const place of [1, 3]) await ann.ok("POST", `${TRANSFERS}/${orders[place]}/cancel`);
  });

  /** Which of the orders a query gives, by their place, in the order of the answer. */
  const shown = async (query: string, by = ann): Promise<number[]> =>
    (await by.ok("GET", `${TRANSFERS}?${query}`)).transfer_orders.map(({ to_id }: { to_id: number }) =>
      orders.indexOf(to_id),
    );

  it("has the newest first", async () => {
    assert.deepEqual(await shown(""), [4, 3, 2, 1, 0]);
  });

  it("is narrowed by status, source and destination, also together", async () => {
    const [first, second, third] = sites;
    assert.deepEqual(await shown("status=CANCELLED"), [3, 1]);
    assert.deepEqual(await shown(`source_warehouse_id=${first}`), [3, 2, 0]);
    assert.deepEqual(await shown(`destination_warehouse_id=${third}`), [2, 1]);
    assert.deepEqual(await shown(`source_warehouse_id=${first}&destination_warehouse_id=${second}&status=OPEN`), [0]);
    assert.deepEqual(await shown("status=APPROVED"), []);
  });

  it("shows users what leaves or reaches their warehouses, whatever they ask for", async () => {
    const of = (...places: number[]) =>
      service.user({ page_keys, warehouse_ids: places.map((place) => sites[place] as number) });
    assert.deepEqual(await shown("", await of(2)), [2, 1]);
    assert.deepEqual(await shown("", await of(1, 2)), [4, 3, 2, 1, 0]);
    assert.deepEqual(await shown(`source_warehouse_id=${sites[0]}`, await of(2)), [2]);
    assert.deepEqual(await shown("", await of(3)), []);
    assert.deepEqual(await shown("", await of()), []);
  });

  it("needs the page, and filters that exist", async () => {
    const clerk = await service.user({ warehouse_ids: sites });
    assert.equal((await clerk.get(TRANSFERS)).status, 403);
    for (const query of ["status=LOST", "source_warehouse_id=x", "page=0", "per_page=0", "warehouse=1"])
      assert.equal((await ann.get(`${TRANSFERS}?${query}`)).status, 400, query);
  });

  it("leads to the order; its picker, of either warehouse, reads the lines without the page", async () => {
    const [to_id] = orders;
    const picker = `/api/admin/picker/transfer-orders/${to_id}`;
    const clerk = (place: number) => service.user({ warehouse_ids: [sites[place] as number] });
    for (const place of [0, 1]) {
      const read = await (await clerk(place)).ok("GET", picker);
      assert.deepEqual(Object.keys(read).sort(), ["lines", "transfer_order"]);
      assert.deepEqual([read.transfer_order.to_id, read.lines.length], [to_id, 1]);
    }
    const stranger = await (await clerk(2)).get(picker);
    assert.deepEqual([stranger.status, stranger.code], [403, "warehouse_denied"]);
    for (const path of [`${TRANSFERS}/999999999`, "/api/admin/picker/transfer-orders/999999999"]) {
      const { status, code } = await ann.get(path);
      assert.deepEqual([status, code], [404, "transfer_order_not_found"]);
    }
  });
});
