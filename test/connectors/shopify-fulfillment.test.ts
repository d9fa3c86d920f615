import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Shipment } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { idOf, ShopifyPair } from "../support/shopify.js";
import { LOCATION, type NewLine } from "../support/shops/shopify-orders.js";

const ELSEWHERE = 24826418;

/** What a shop is told of shipments, and of those that are taken back. */
describe("a fulfilment pushed to Shopify", () => {
  const service = testService();
  let pair: ShopifyPair;
  beforeEach(async () => {
    pair = await ShopifyPair.open(service);
  });
  afterEach(() => pair.close());

  const line = (changed: Partial<NewLine> = {}): NewLine => ({
    variant_id: 1,
    sku: randomUUID(),
    quantity: 2,
    ...changed,
  });
  const order = (...lines: NewLine[]) => idOf(pair.shop.addOrder(lines.length > 0 ? lines : [line()]));
  /** All goods of the order, unless told otherwise. */
  const shipment = (id: number, changed: Partial<Shipment> = {}): Shipment => ({
    ...{ order_id: `${id}`, so_number: "1001", order: pair.shop.order(id), tracking_numbers: ["1Z999AA10123456784"] },
    ...{ carrier: "UPS", service_level: null, shipped_at: "2026-05-06T12:00:00Z" },
    lines: (pair.shop.order(id).line_items as NewLine[])
      .filter(({ requires_shipping }) => requires_shipping)
      .map(({ sku, quantity }) => ({ item: null, sku: sku ?? "", quantity })),
    ...{ part: false, complete: true, others: [], to_come: [], ...changed },
  });
  const source = async () => (await pair.source()) as never;
  const push = async (one: Shipment) => (await pair.connector.pushFulfillment?.(await source(), one)) ?? assert.fail();
  const undo = async (one: Shipment, external_id: string | null) =>
    pair.connector.voidFulfillment?.(await source(), { ...one, external_id });
  const fulfilled = (id: number) => {
    const { fulfillments, fulfillment_status } = pair.shop.order(id) as {
      fulfillments: { id: number; status: string; tracking_number: string | null; tracking_company: string | null }[];
      fulfillment_status: string | null;
    };
    return { fulfillments, fulfillment_status };
  };
  /** How many units of each line the fulfilments that stand have. */
  const units = (id: number) =>
    (pair.shop.order(id).fulfillments as { status: string; line_items: { sku: string; quantity: number }[] }[])
      .filter(({ status }) => status === "success")
      .map(({ line_items }) => line_items.map(({ sku, quantity }) => [sku, quantity]));
  const posts = () => pair.shop.asked.filter(({ method, path }) => method === "POST" && path === "fulfillments.json");

  it("has tracking number and carrier, all that was shipped, and a mail to the customer", async () => {
    const id = order(line(), line({ quantity: 1 }));
    const { external_id } = await push(shipment(id));
    const { fulfillments, fulfillment_status } = fulfilled(id);
    assert.equal(fulfillment_status, "fulfilled");
    assert.equal(fulfillments.length, 1);
    assert.equal(`${fulfillments[0]?.id}`, external_id);
    assert.deepEqual(
      [fulfillments[0]?.tracking_number, fulfillments[0]?.tracking_company],
      ["1Z999AA10123456784", "UPS"],
    );
    assert.match(JSON.stringify(posts()[0]?.body), /"notify_customer":true/);
  });

  it("is one, however often it is pushed", async () => {
    const id = order();
    const [first, second] = [await push(shipment(id)), await push(shipment(id))];
    assert.deepEqual(first, second);
    assert.equal(fulfilled(id).fulfillments.length, 1);
  });

  it("is one where the answer was lost, also without a tracking number", async () => {
    for (const tracking_numbers of [["1Z999AA10123456784"], []]) {
      const id = order();
      pair.shop.failWhere(({ method }) => (method === "POST" ? "lost" : undefined));
      await assert.rejects(push(shipment(id, { tracking_numbers })));
      pair.shop.failWhere(() => undefined);
      const { external_id } = await push(shipment(id, { tracking_numbers }));
      const { fulfillments } = fulfilled(id);
      assert.deepEqual(
        fulfillments.map((one) => `${one.id}`),
        [external_id],
      );
    }
  });

  it("is one where units were added to the order between a lost answer and its repeat", async () => {
    const id = order();
    await push(shipment(id));
    pair.shop.changeOrder(id, ({ lines }) => void Object.assign(lines[0] ?? {}, { quantity: 3 }));
    await push(shipment(id));
    assert.equal(fulfilled(id).fulfillments.length, 1);
  });

  it("has the numbers of all parcels, and is found by any of them", async () => {
    const id = order();
    const { external_id } = await push(shipment(id, { tracking_numbers: ["1Z1", "1Z2"] }));
    assert.equal(fulfilled(id).fulfillments[0]?.tracking_number, "1Z1, 1Z2");
    assert.deepEqual(await push(shipment(id, { tracking_numbers: ["1Z2"] })), { external_id });
  });

  it("has nothing of gift cards, and nothing that somebody fulfilled before", async () => {
    const id = order(line(), line({ requires_shipping: false, quantity: 1 }), line({ quantity: 5 }));
    pair.shop.fulfilByHand(id, 2, 4);
    await push(shipment(id));
    const body = posts()[0]?.body as {
      fulfillment: { line_items_by_fulfillment_order: { fulfillment_order_line_items: { quantity: number }[] }[] };
    };
    const parts = body.fulfillment.line_items_by_fulfillment_order;
    assert.deepEqual(
      parts.flatMap((part) => part.fulfillment_order_line_items.map(({ quantity }) => quantity)),
      [2, 1],
    );
  });

  it("is one for each location, and a repeat makes those that are missing", async () => {
    const id = order(line(), line({ location_id: ELSEWHERE }));
    let made = 0;
    pair.shop.failWhere(({ method }) => (method === "POST" && ++made === 2 ? 500 : undefined));
    await assert.rejects(push(shipment(id)), /500/);
    pair.shop.failWhere(() => undefined);
    const { external_id } = await push(shipment(id));
    const { fulfillments, fulfillment_status } = fulfilled(id);
    assert.equal(fulfillment_status, "fulfilled");
    assert.deepEqual(external_id, fulfillments.map((one) => one.id).join());
    assert.equal(fulfillments.length, 2);
  });

  it("is of the warehouse's location alone where one is set", async () => {
    await pair.close();
    pair = await ShopifyPair.open(service, { location_id: `${LOCATION}` });
    const id = order(line(), line({ location_id: ELSEWHERE }));
    await push(shipment(id));
    assert.equal(fulfilled(id).fulfillments.length, 1);
    assert.equal(fulfilled(id).fulfillment_status, "partial");
  });

  it("has the units that were shipped alone, by the item's variant, else by its SKU", async () => {
    const [a, b, c] = [line({ variant_id: 11, quantity: 3 }), line({ variant_id: 12 }), line({ variant_id: 13 })];
    const id = order(a, b, c);
    await push(
      shipment(id, {
        lines: [
          { item: "11", sku: "renamed here", quantity: 2 },
          { item: null, sku: b.sku ?? "", quantity: 1 },
        ],
      }),
    );
    assert.deepEqual(units(id), [
      [
        [a.sku, 2],
        [b.sku, 1],
      ],
    ]);
    assert.equal(fulfilled(id).fulfillment_status, "partial");
  });

  it("is spread over lines of the same item, and over variants with the same SKU", async () => {
    const sku = randomUUID();
    const id = order(line({ variant_id: 11, sku }), line({ variant_id: 11, sku }), line({ variant_id: 12, sku }));
    await push(shipment(id, { lines: [{ item: "11", sku, quantity: 5 }] }));
    assert.deepEqual(
      units(id).map((lines) => lines.map(([, quantity]) => quantity)),
      [[2, 2, 1]],
    );
  });

  it("is found by the variant where the order is not kept any more", async () => {
    const { variant_id, ...rest } = line({ variant_id: 11 });
    const id = order({ variant_id, ...rest });
    await push(shipment(id, { order: null, lines: [{ item: "11", sku: rest.sku ?? "", quantity: 1 }] }));
    assert.deepEqual(units(id), [[[rest.sku, 1]]]);
  });

  it("of the rest of an order is another one, also without a tracking number or in the same parcel", async () => {
    for (const tracking_numbers of [["1Z1"], []]) {
      const goods = line({ quantity: 5 });
      const id = order(goods);
      const part = (quantity: number, others: string[]) =>
        shipment(id, { tracking_numbers, others, part: true, lines: [{ item: null, sku: goods.sku ?? "", quantity }] });
      const { external_id: first } = await push(part(3, []));
      const { external_id: second } = await push(part(2, [first ?? ""]));
      assert.deepEqual(units(id), [[[goods.sku, 3]], [[goods.sku, 2]]]);
      assert.deepEqual(await push(part(2, [first ?? ""])), { external_id: second });
      assert.deepEqual(await push(part(3, [second ?? ""])), { external_id: first });
      await undo(part(2, [first ?? ""]), second ?? null);
      assert.deepEqual(units(id), [[[goods.sku, 3]]]);
    }
  });

  it("has no more at a second location than what a lost attempt left", async () => {
    const sku = randomUUID();
    const id = order(line({ sku }), line({ sku, location_id: ELSEWHERE }));
    const part = shipment(id, { lines: [{ item: null, sku, quantity: 3 }] });
    let made = 0;
    pair.shop.failWhere(({ method }) => (method === "POST" && ++made === 2 ? 500 : undefined));
    await assert.rejects(push(part), /500/);
    pair.shop.failWhere(() => undefined);
    await push(part);
    assert.deepEqual(units(id), [[[sku, 2]], [[sku, 1]]]);
  });

  it("is refused with what the shop says, and with what is wrong where nothing is open", async () => {
    const id = order();
    pair.shop.fulfilByHand(id, 0, 2);
    await assert.rejects(push(shipment(id)), /Nothing of what 1001 shipped is open in Shopify/);
    await assert.rejects(push(shipment(id, { order_id: "1" })), /404: Not Found/);
  });

  it("leaves the order here as it is when it is synced again", async () => {
    const sku = randomUUID();
    pair.shop.addProduct([{ sku }]);
    await pair.sync("items");
    const id = order(line({ sku, variant_id: null }));
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    const before = await pair.order(id);
    const { external_id = null } = await push(shipment(id));
    await db.run(
      `with f as (
         insert into item_fulfillments (so_id, warehouse_id, carrier, tracking_number, shipped_by)
         values ($1, $2, 'UPS', '1Z1234512345123456', 'ada') returning fulfillment_id, shipped_at
       )
       insert into fulfillment_pushes (kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id,
                                       tracking_numbers, carrier, shipped_at, status, external_id, completed_at)
       select 'ship', 'shopify', $2, $1, fulfillment_id, $3, '{1Z1234512345123456}', 'UPS', shipped_at, 'pushed', $4,
              now()
       from f`,
      [before?.so_id, pair.warehouse_id, `${id}`, external_id],
    );
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.deepEqual(await pair.order(id), before);
    await undo(shipment(id), external_id);
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.deepEqual(await pair.order(id), before);
  });

  describe("that is taken back", () => {
    it("is cancelled, once, and the order is open again", async () => {
      const id = order();
      const { external_id = null } = await push(shipment(id));
      await undo(shipment(id), external_id);
      await undo(shipment(id), external_id);
      assert.deepEqual(pluck(fulfilled(id).fulfillments, "status"), ["cancelled"]);
      assert.notEqual((await push(shipment(id))).external_id, external_id);
      assert.equal(fulfilled(id).fulfillment_status, "fulfilled");
    });

    it("is found by its tracking number where its id is not known", async () => {
      const id = order(line(), line({ quantity: 1 }));
      pair.shop.fulfilByHand(id, 1, 1);
      await push(shipment(id));
      await undo(shipment(id), null);
      assert.deepEqual(pluck(fulfilled(id).fulfillments, "status"), ["success", "cancelled"]);
    });

    it("is nothing where nothing was told", async () => {
      const id = order();
      await undo(shipment(id), null);
      assert.equal(pair.shop.asked.filter(({ method }) => method === "POST").length, 0);
    });
  });
});
