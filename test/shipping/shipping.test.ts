import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { closedParcel } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { type LineToWalk, pickedOrder } from "../support/walk.js";

describe("shipping", () => {
  const service = testService();
  let here: number;
  let shipper: Caller;
  before(async () => {
    here = await warehouse();
    shipper = await service.user({ warehouse_ids: [here] });
  });
  afterEach(() => assertInvariants());

  const parcel = { tracking_number: "1Z999", carrier: "UPS" };
  const ship = (so_id: number, more = {}) => shipper.post("/api/shipping/fulfill", { so_id, ...parcel, ...more });

  /** An order that was walked for and, of lines that got units, packed. */
  async function packedOrder(lines: LineToWalk[], warehouse_id = here) {
    const order = await pickedOrder(service.admin, warehouse_id, lines);
    for (const { item, quantity, found = quantity } of lines) {
      if (found === 0) continue;
      await service.admin.ok("POST", "/api/packing/verify", {
        so_id: order.so_id,
        scanned_barcode: item.sku,
        quantity: found,
      });
    }
    await service.admin.ok("POST", "/api/packing/complete", { so_id: order.so_id });
    return order;
  }

  describe("looking up an order", () => {
    it("shows a packed order with what was picked", async () => {
      const [mug, jug] = [await item(), await item()];
      const { so_id, so_number } = await packedOrder([
        { item: mug, quantity: 3 },
        { item: jug, quantity: 4, found: 1 },
      ]);
      await db.run(
        `update sales_orders set so_barcode = 'SHIP-ME', ship_method = 'Ground', ship_address = 'There', memo = 'Gift'
          where so_id = $1`,
        [so_id],
      );
      for (const barcode of ["SHIP-ME", so_number]) {
        const found = await shipper.ok("GET", `/api/shipping/order/${barcode}`);
        const lineIds = found.lines.map((line: { so_line_id: number }) => line.so_line_id);
        const line = (n: number, of: typeof mug) => ({
          so_line_id: lineIds[n - 1],
          line_number: n,
          item_id: of.item_id,
          sku: of.sku,
          item_name: `Item ${of.sku}`,
        });
        assert.deepEqual(found, {
          sales_order: {
            ...{ so_id, so_number, so_barcode: "SHIP-ME", customer_name: "Customer", status: "PACKED" },
            ...{ ship_method: "Ground", ship_address: "There", goes_to: "There", warehouse_id: here, memo: "Gift" },
          },
          lines: [
            { ...line(1, mug), quantity_ordered: 3, quantity_picked: 3 },
            { ...line(2, jug), quantity_ordered: 4, quantity_picked: 1 },
          ],
          parcels: [],
          total_items: 4,
          total_lines: 2,
          is_short: true,
        });
      }
      const parcel_id = await closedParcel(so_id);
      await db.run("update parcels set carrier = 'UPS', tracking_number = '1Z1' where parcel_id = $1", [parcel_id]);
      const { sales_order, parcels } = await shipper.ok("GET", `/api/shipping/order/PCL-${parcel_id}`);
      assert.equal(sales_order.so_id, so_id, "found by the code of its parcel");
      assert.deepEqual(parcels, [
        {
          ...{ parcel_id, parcel_number: 1, barcode: `PCL-${parcel_id}`, carrier: "UPS", tracking_number: "1Z1" },
          address_changed: false,
        },
      ]);
      for (const unknown of ["PCL-999999999", "PCL-9999999999"])
        assert.equal((await shipper.get(`/api/shipping/order/${unknown}`)).status, 404);
    });

    it("shows a picked order of which a parcel is closed: that part may leave", async () => {
      const { so_id, so_number } = await pickedOrder(service.admin, here, [{ item: await item(), quantity: 2 }]);
      const parcel_id = await closedParcel(so_id);
      for (const barcode of [so_number, `PCL-${parcel_id}`]) {
        const { sales_order, parcels } = await shipper.ok("GET", `/api/shipping/order/${barcode}`);
        assert.deepEqual([sales_order.status, parcels.length], ["PICKED", 1]);
      }
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const far = await salesOrder(await warehouse(), []);
      for (const barcode of ["NOPE", far.so_number]) {
        const { status, body } = await shipper.get(`/api/shipping/order/${barcode}`);
        assert.deepEqual([status, body], [404, { error: "Sales order not found" }]);
      }
    });

    it("answers 400 to a blank barcode and to one of more than 100 characters", async () => {
      for (const barcode of ["%20", "x".repeat(101)]) {
        const { status, body } = await shipper.get(`/api/shipping/order/${barcode}`);
        assert.deepEqual([status, body], [400, { error: "A barcode has 1 to 100 characters" }]);
      }
      assert.equal((await shipper.get(`/api/shipping/order/${"x".repeat(100)}`)).status, 404);
    });
  });

  for (const so_status of ["OPEN", "SHIPPED", "CANCELLED", "WAITING_STOCK"]) {
    it(`refuses an order that is ${so_status}`, async () => {
      const { so_id, so_number } = await salesOrder(here, []);
      await db.run("update sales_orders set status = $2 where so_id = $1", [so_id, so_status]);
      for (const answer of [await shipper.get(`/api/shipping/order/${so_number}`), await ship(so_id)]) {
        assert.deepEqual(statusAndBody(answer), [
          400,
          {
            error: `Sales order ${so_number} is ${so_status}, not ready to be shipped`,
            ...{ so_number, status: so_status },
          },
        ]);
      }
    });
  }

  it("ships a picked order only where packing is not required", async () => {
    const mug = await item();
    const { so_id, so_number } = await pickedOrder(service.admin, here, [{ item: mug, quantity: 1 }]);
    const refused = {
      error: `Sales order ${so_number} is PICKED, not ready to be shipped: it must be packed before`,
      ...{ so_number, status: "PICKED" },
    };
    for (const answer of [await shipper.get(`/api/shipping/order/${so_number}`), await ship(so_id)]) {
      assert.deepEqual([answer.status, answer.body], [400, refused]);
    }
    const packingRequired = (value: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { require_packing_before_shipping: value } });
    await packingRequired("false");
    try {
      assert.equal((await shipper.ok("GET", `/api/shipping/order/${so_number}`)).sales_order.status, "PICKED");
      const { body } = await ship(so_id);
      const made = await db.row("select pre_ship_status from item_fulfillments where fulfillment_id = $1", [
        body.fulfillment_id,
      ]);
      assert.deepEqual(made, { pre_ship_status: "PICKED" });
      const event = await db.row(
        `select event_data(integration_events) #> '{packages,0,lines,0,quantity_packed}' as packed from
          integration_events
         where event_type = 'ship.confirmed' and entity_id = $1`,
        [so_id],
      );
      assert.deepEqual(event, { packed: 1 });
    } finally {
      await packingRequired("true");
    }
  });

  describe("fulfilling", () => {
    it("makes the order SHIPPED, with fulfilment records, an audit row and a ship.confirmed event", async () => {
      const [mug, jug, jar] = [await item({ weight: "1.25" }), await item(), await item()];
      const { so_id, so_number, bins } = await packedOrder([
        { item: mug, quantity: 2 },
        { item: jug, quantity: 3, found: 1 },
        { item: jar, quantity: 1, found: 0 },
      ]);
      const answer = await ship(so_id, { tracking_number: "  1Z 999 ", carrier: " UPS ", ship_method: "Next day" });
      assert.equal(answer.status, 200);
      const { fulfillment_id, ...rest } = answer.body;
      assert.deepEqual(rest, {
        message: `${so_number} is shipped`,
        so_number,
        tracking_number: "1Z 999",
        carrier: "UPS",
        ship_method: "Next day",
        ...{ lines_shipped: 2, total_quantity: 3 },
      });
      const order = await db.row<Record<string, unknown>>(
        `select status, carrier, tracking_number, ship_method, shipped_at is not null as shipped, external_id
         from sales_orders where so_id = $1`,
        [so_id],
      );
      const { external_id, ...header } = order ?? {};
      assert.deepEqual(header, {
        status: "SHIPPED",
        carrier: "UPS",
        tracking_number: "1Z 999",
        ship_method: "Next day",
        shipped: true,
      });
      assert.deepEqual(
        await db.rows("select quantity_shipped, status from sales_order_lines where so_id = $1 order by line_number", [
          so_id,
        ]),
        [
          { quantity_shipped: 2, status: "SHIPPED" },
          { quantity_shipped: 1, status: "SHIPPED" },
          { quantity_shipped: 0, status: "PICKED" },
        ],
      );
      assert.deepEqual(
        await db.rows(
          `select fulfillment_id, warehouse_id, tracking_number, carrier, ship_method, status, shipped_by,
            pre_ship_status
           from item_fulfillments where so_id = $1`,
          [so_id],
        ),
        [
          {
            fulfillment_id,
            warehouse_id: here,
            tracking_number: "1Z 999",
            carrier: "UPS",
            ship_method: "Next day",
            ...{ status: "SHIPPED", shipped_by: shipper.username, pre_ship_status: "PACKED" },
          },
        ],
      );
      assert.deepEqual(
        await db.rows(
          `select item_id, quantity_shipped, bin_id, lot_number from item_fulfillment_lines
           where fulfillment_id = $1 order by fulfillment_line_id`,
          [fulfillment_id],
        ),
        [
          { item_id: mug.item_id, quantity_shipped: 2, bin_id: bins[0], lot_number: null },
          { item_id: jug.item_id, quantity_shipped: 1, bin_id: bins[1], lot_number: null },
        ],
      );
      assert.deepEqual(
        await db.rows(
          `select user_id, warehouse_id, details from audit_log where action_type = 'SHIP' and entity_type = 'SO'
            and entity_id = $1`,
          [so_id],
        ),
        [
          {
            ...{ user_id: shipper.username, warehouse_id: here },
            details: { so_number, tracking_number: "1Z 999", carrier: "UPS", fulfillment_id },
          },
        ],
      );
      const events = await db.rows<{ payload: Record<string, unknown> }>(
        `select event_data(integration_events) as payload from integration_events where event_type = 'ship.confirmed'
          and entity_id = $1`,
        [so_id],
      );
      const external = (item_id: number) =>
        db.value<string>("select external_id from items where item_id = $1", [item_id]);
      const { completed_at, completed_by_user_external_id, ...payload } = events[0]?.payload ?? {};
      assert.equal(events.length, 1);
      assert.ok(completed_at && completed_by_user_external_id);
      assert.deepEqual(payload, {
        sales_order_external_id: external_id,
        so_number,
        tracking_numbers: ["1Z 999"],
        carrier: "UPS",
        service_level: "Next day",
        packages: [
          {
            ...{ package_external_id: `${external_id}-pkg-1`, weight_lb: 2.5, dimensions_in: null },
            lines: [
              { item_external_id: await external(mug.item_id), sku: mug.sku, quantity_packed: 2 },
              { item_external_id: await external(jug.item_id), sku: jug.sku, quantity_packed: 1 },
              { item_external_id: await external(jar.item_id), sku: jar.sku, quantity_packed: 0 },
            ],
          },
        ],
      });
      await assertEventsMatchSchemas();
    });

    it("keeps the order's own ship method when none, or a blank one, is given", async () => {
      for (const ship_method of [undefined, null, " "]) {
        const { so_id } = await packedOrder([{ item: await item(), quantity: 1 }]);
        await db.run("update sales_orders set ship_method = 'Ground' where so_id = $1", [so_id]);
        assert.equal((await ship(so_id, { ship_method })).body.ship_method, "Ground");
      }
    });

    it("names the lot that was picked", async () => {
      const { so_id, bins } = await packedOrder([{ item: await item(), quantity: 1, lot: "LOT-9" }]);
      const { body } = await ship(so_id);
      const lines = await db.rows("select bin_id, lot_number from item_fulfillment_lines where fulfillment_id = $1", [
        body.fulfillment_id,
      ]);
      assert.deepEqual(lines, [{ bin_id: bins[0], lot_number: "LOT-9" }]);
    });

    it("names the item's default bin, else a bin with such goods, when no task tells", async () => {
      const mug = await item();
      const holding = await bin(here);
      const home = await bin(here);
      for (const [default_bin_id, expected] of [
        [null, holding],
        [home, home],
      ]) {
        const { so_id } = await packedOrder([{ item: mug, quantity: 1 }]);
        await db.run("delete from pick_tasks where so_id = $1", [so_id]);
        await db.run("delete from inventory where item_id = $1", [mug.item_id]);
        await stock(here, holding, mug.item_id, 1);
        await db.run("update items set default_bin_id = $2 where item_id = $1", [mug.item_id, default_bin_id]);
        const { body } = await ship(so_id);
        const lines = await db.rows("select bin_id from item_fulfillment_lines where fulfillment_id = $1", [
          body.fulfillment_id,
        ]);
        assert.deepEqual(lines, [{ bin_id: expected }]);
      }
    });

    it("is refused when no unit was picked: nothing leaves the house, and nobody is told", async () => {
      const mug = await item();
      const { so_id } = await pickedOrder(service.admin, here, [{ item: mug, quantity: 2, found: 0 }]);
      // Nothing is packed of it either; before that was refused, such parcels were closed.
      await db.run("update sales_orders set status = 'PACKED', packed_at = now() where so_id = $1", [so_id]);
      const refused = await ship(so_id);
      assert.deepEqual([refused.status, refused.code], [422, "nothing_to_ship"]);
      const events = await db.rows(
        "select from integration_events where entity_id = $1 and event_type = 'ship.confirmed'",
        [so_id],
      );
      assert.equal(events.length, 0);
    });

    it("answers 400 when a line was picked short in silence", async () => {
      const mug = await item();
      const { so_id, so_number } = await packedOrder([{ item: mug, quantity: 3, found: 1 }]);
      await db.run("update pick_tasks set status = 'PICKED' where so_id = $1", [so_id]);
      await db.run("update wave_pick_breakdown set short_quantity = 0 where so_id = $1", [so_id]);
      const { status, body } = await ship(so_id);
      assert.deepEqual(
        [status, body.lines],
        [400, [{ so_number, sku: mug.sku, quantity_ordered: 3, quantity_picked: 1 }]],
      );
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const far = await packedOrder([{ item: await item(), quantity: 1 }], await warehouse());
      for (const so_id of [999999, far.so_id]) {
        const { status, body } = await ship(so_id);
        assert.deepEqual([status, body], [404, { error: "Sales order not found" }]);
      }
    });

    for (const wrong of [
      ...[
        { tracking_number: " " },
        { tracking_number: "x".repeat(256) },
        { carrier: "" },
        { carrier: "x".repeat(101) },
      ],
      ...[{ ship_method: "x".repeat(101) }, { so_id: 0 }, { tracking_number: undefined }],
    ]) {
      it(`answers 400 to ${JSON.stringify(wrong).slice(0, 30)}`, async () => {
        const { status, body } = await ship(1, wrong);
        assert.deepEqual([status, body.error], [400, "validation_error"]);
      });
    }
  });
});
