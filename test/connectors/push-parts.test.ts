import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { pushesOf, pushingShop } from "../support/pushes.js";
import { pack, packBackorder, splitOff } from "../support/split-orders.js";
import { until } from "../support/until.js";

describe("shipments of a shop's order that was split", () => {
  const shops = pushingShop();
  const { at, ordered, reached, held } = shops;
  const told = (order_id: string) =>
    shops.shop.of(order_id).map(({ so_number, tracking, lines, part, complete, cancelled }) => ({
      ...{ so_number, tracking: tracking[0], quantities: lines.map(({ quantity }) => quantity), part, complete },
      cancelled,
    }));
  const parts = (order_id: string) =>
    told(order_id).map(({ quantities, complete, cancelled }) => [quantities[0], complete, cancelled]);

  type Goods = { item_id: number; sku: string };
  const ship = async (order: { so_id: number; so_number: string }, tracking: string | null) => {
    if (tracking !== null) assert.equal((await at.ship(order.so_number, { tracking })).status, 200);
    else
      await at.service.admin.ok("PUT", `/api/admin/sales-orders/${order.so_id}`, {
        ...{ status: "SHIPPED", ship_method: "Local pickup" },
      });
  };
  /** An order of 5, of which 2 are split off; the other 3 are packed. */
  async function split() {
    const order = await ordered(5);
    const backorder = await splitOff(at.service.admin, order.so_id, 2);
    await pack(at.service.admin, at.here, order, order.goods, 3);
    return { ...order, backorder };
  }
  const packedBackorder = (order: { so_id: number; so_number: string }, goods: Goods) =>
    packBackorder(at.service.admin, at.here, order, goods);

  it("are told part by part under the shop's order, which the last completes; each is taken back alone", async () => {
    const { backorder, goods, ...order } = await split();
    await ship(order, "A");
    await reached(order.so_id, "ship pushed");
    await packedBackorder(backorder, goods);
    await ship(backorder, "B");
    await reached(backorder.so_id, "ship pushed");
    const first = {
      ...{ so_number: order.so_number, tracking: "A", quantities: [3], part: true, complete: false, cancelled: false },
    };
    const second = { so_number: backorder.so_number, tracking: "B", quantities: [2], part: true, complete: true };
    assert.deepEqual(told(order.order_id), [first, { ...second, cancelled: false }]);
    const [push] = await pushesOf(backorder.so_id);
    assert.equal(push?.source_order_id, order.order_id);

    await at.voidShip(backorder.so_number);
    await reached(backorder.so_id, "ship pushed", "void pushed");
    assert.deepEqual(told(order.order_id), [first, { ...second, cancelled: true }]);
    await ship(backorder, "C");
    await reached(backorder.so_id, "ship pushed", "void pushed", "ship pushed");
    assert.deepEqual(told(order.order_id).at(-1), { ...second, tracking: "C", cancelled: false });
    await reached(order.so_id, "ship pushed");
  });

  it("are told each without tracking numbers, and one that is repeated finds itself", async () => {
    const { backorder, goods, ...order } = await split();
    await ship(order, null);
    await reached(order.so_id, "ship pushed");
    await packedBackorder(backorder, goods);
    const { usual } = shops.shop;
    shops.shop.usual = async (request) => {
      const answer = await usual(request);
      if (request.method !== "POST") return answer;
      shops.shop.usual = usual;
      return { status: 500, body: { error: "the answer was lost" } };
    };
    await ship(backorder, null);
    await reached(backorder.so_id, "ship pushed");
    assert.deepEqual(parts(order.order_id), [
      [3, false, false],
      [2, true, false],
    ]);
  });

  it("complete the order where the rest was cancelled, and not while an earlier part is taken back", async () => {
    const cancelled = await split();
    await at.service.admin.ok("POST", `/api/admin/sales-orders/${cancelled.backorder.so_id}/cancel-backorder`, {});
    await ship(cancelled, "A");
    await reached(cancelled.so_id, "ship pushed");
    assert.deepEqual(told(cancelled.order_id)[0], {
      ...{ so_number: cancelled.so_number, tracking: "A", quantities: [3], part: true, complete: true },
      cancelled: false,
    });

    const { backorder, goods, ...order } = await split();
    await ship(order, "A");
    await reached(order.so_id, "ship pushed");
    await at.voidShip(order.so_number);
    await reached(order.so_id, "ship pushed", "void pushed");
    await packedBackorder(backorder, goods);
    await ship(backorder, "B");
    await reached(backorder.so_id, "ship pushed");
    await ship(order, "C");
    await reached(order.so_id, "ship pushed", "void pushed", "ship pushed");
    assert.deepEqual(parts(order.order_id), [
      [3, false, true],
      [2, false, false],
      [3, true, false],
    ]);
  });

  it("are told one after the other, those of its backorders too", async () => {
    const { backorder, goods, ...order } = await split();
    await packedBackorder(backorder, goods);
    const answer = held("POST");
    await ship(order, "A");
    await until(() => shops.shop.requests.some(({ method }) => method === "POST"), 30_000);
    await ship(backorder, "B");
    await reached(backorder.so_id, "ship pending");
    // Whoever takes pushes up passes this one over: of a later order one is taken up meanwhile, but not this.
    const other = await shops.shipped();
    await until(async () => (await pushesOf(other.so_id))[0]?.attempts === 1, 30_000);
    assert.equal((await pushesOf(backorder.so_id))[0]?.attempts, 0);
    answer();
    await reached(backorder.so_id, "ship pushed");
    assert.deepEqual(
      parts(order.order_id).map(([quantity]) => quantity),
      [3, 2],
    );
  });

  it("are told, too, where a backorder hangs below another one, and never where it is a replacement", async () => {
    const order = await ordered(5);
    const under = await splitOff(at.service.admin, order.so_id, 1);
    const below = await splitOff(at.service.admin, order.so_id, 2);
    await pack(at.service.admin, at.here, order, order.goods, 2);
    await db.run("update sales_orders set parent_so_id = $2 where so_id = $1", [below.so_id, under.so_id]);
    await packBackorder(at.service.admin, at.here, under, order.goods, 1);
    await packBackorder(at.service.admin, at.here, below, order.goods, 2);
    await ship(below, "A");
    await reached(below.so_id, "ship pushed");
    await ship(order, "B");
    await reached(order.so_id, "ship pushed");
    await db.run("update sales_orders set order_type = 'replacement' where so_id = $1", [under.so_id]);
    await ship(under, "C");
    const last = await shops.shipped();
    await reached(last.so_id, "ship pushed");
    assert.deepEqual(parts(order.order_id), [
      [2, false, false],
      [2, false, false],
    ]);
    assert.deepEqual(await pushesOf(under.so_id), []);
  });
});
