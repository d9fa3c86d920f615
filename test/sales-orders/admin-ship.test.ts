import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { item, salesOrder, warehouse } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { auditMark, auditSince } from "../support/records.js";

describe("shipping an order from the desk", () => {
  const { at, act, picked, packed, shipped, header, eventsOf, linesOf } = orderActions();
  const ship = (so_id: number, body: object = {}, by = at().service.admin) => act(so_id, "admin-ship", body, by);
  const set = (so_id: number, columns: string) =>
    db.run(`update sales_orders set ${columns} where so_id = $1`, [so_id]);
  const fulfillments = (so_id: number) =>
    db.rows<Record<string, unknown>>(
      `select carrier, tracking_number, pre_ship_status, shipped_by,
              (select sum(quantity_shipped)::int from item_fulfillment_lines l
                where l.fulfillment_id = f.fulfillment_id) as units
       from item_fulfillments f where so_id = $1`,
      [so_id],
    );

  it("from PICKED makes a fulfilment with the order's carrier and tracking number, and tells of it", async () => {
    const { so_id, so_number } = await picked();
    await set(so_id, "carrier = 'GLS', tracking_number = '77'");
    const mark = await auditMark();
    const { status, body } = await ship(so_id);
    const { fulfillment_id, ...told } = body;
    assert.deepEqual(
      [status, told],
      [200, { message: `${so_number} is shipped`, lines_shipped: 1, total_quantity: 5 }],
    );
    assert.deepEqual(await fulfillments(so_id), [
      {
        ...{ carrier: "GLS", tracking_number: "77", pre_ship_status: "PICKED" },
        ...{ shipped_by: at().service.admin.username, units: 5 },
      },
    ]);
    const [line] = await linesOf(so_id);
    assert.equal(line?.status, "SHIPPED");
    assert.equal((await header(so_id)).status, "SHIPPED");
    const [row, ...others] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.details, others],
      ["SHIP", { so_number, fulfillment_id, tracking_number: "77", carrier: "GLS" }, []],
    );
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed", "ship.confirmed"]);
    await assertEventsMatchSchemas();
  });

  it("from PACKED takes the carrier from the ship method, and needs no tracking number", async () => {
    for (const [ship_method, carrier] of [
      ["usps priority", "USPS"],
      ["UPS Ground", "UPS"],
      ["Fed Ex 2 day", "FedEx"],
      ["DHL", "DHL"],
      ["amazon prime", "Amazon"],
      ["by bicycle", "Other"],
      [null, "Other"],
    ]) {
      const { so_id } = await packed();
      const method = ship_method ? `'${ship_method}'` : "null";
      await set(so_id, `ship_method = ${method}`);
      assert.equal((await ship(so_id)).status, 200);
      assert.deepEqual((await header(so_id)).carrier, carrier, ship_method ?? "no ship method");
    }
    const event = await db.row(
      `select event_data(integration_events)->'tracking_numbers' as tracking_numbers from integration_events
       where event_type = 'ship.confirmed' order by outbox_id desc limit 1`,
    );
    assert.deepEqual(event, { tracking_numbers: [] });
  });

  it("gives an order that already is SHIPPED its records, and tells nobody again", async () => {
    const { so_id } = await picked();
    await set(so_id, "status = 'SHIPPED', shipped_at = '2026-05-06T12:00:00Z', tracking_number = '88'");
    assert.equal((await ship(so_id)).status, 200);
    assert.deepEqual(
      (await fulfillments(so_id)).map((made) => Object.values(made).slice(0, 3)),
      [["Other", "88", "SHIPPED"]],
    );
    assert.equal((await header(so_id)).shipped_date_local, "2026-05-06");
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed"]);
  });

  it("asks for a word when a line was picked short in silence", async () => {
    const { so_id, sku, task_id } = await picked();
    await act(so_id, "revert-status", { new_status: "PICKED", release_pick_task_ids: [task_id] });
    const nothing = await ship(so_id);
    assert.deepEqual([nothing.status, nothing.body.kind], [422, "nothing_to_ship"]);
    const short = await picked();
    await db.run("update sales_order_lines set quantity_ordered = 7 where so_id = $1", [short.so_id]);
    const { status, body } = await ship(short.so_id);
    assert.deepEqual(
      [status, body],
      [
        422,
        {
          error: `Picked less than ordered without a short pick being reported: ${short.sku}`,
          kind: "silent_shortfall",
          lines: [{ sku: short.sku, ordered: 7, picked: 5 }],
        },
      ],
    );
    const said = await ship(short.so_id, { acknowledge_shortfall: true });
    assert.deepEqual([said.status, said.body.total_quantity], [200, 5]);
    assert.notEqual(sku, short.sku);
  });

  it("takes a reported short pick as it is", async () => {
    const { so_id } = await picked(5, { found: 3 });
    const { status, body } = await ship(so_id);
    assert.deepEqual([status, body.total_quantity], [200, 3]);
  });

  describe("is refused", () => {
    const refusal = async (so_id: number) => {
      const { status, body } = await ship(so_id);
      const { error: _, ...fields } = body;
      return [status, fields];
    };

    it("for no order, and to users without the override or the warehouse", async () => {
      assert.deepEqual(await refusal(999_999), [404, { kind: "not_found" }]);
      const { so_id } = await picked();
      const { service } = at();
      const keys = ["sales-orders", "so-full-edit"];
      const plain = await service.user({ page_keys: keys.slice(0, 1) });
      const stranger = await service.user({ page_keys: keys });
      assert.deepEqual(
        [(await ship(so_id, {}, plain)).body, (await ship(so_id, {}, stranger)).body],
        [{ error: "permission_denied", page: "so-full-edit" }, { error: "Access denied for this warehouse" }],
      );
    });

    it("a second time", async () => {
      const { so_id } = await shipped();
      assert.deepEqual(await refusal(so_id), [409, { kind: "already_fulfilled" }]);
    });

    it("for a return, and for an order that is not picked", async () => {
      const { so_id } = await salesOrder(at().warehouse_id, []);
      assert.deepEqual(await refusal(so_id), [422, { kind: "wrong_status", current_status: "OPEN" }]);
      await set(so_id, "order_type = 'return'");
      assert.deepEqual(await refusal(so_id), [422, { kind: "not_eligible" }]);
    });

    it("when the warehouse has no bin that the goods could have come from", async () => {
      const { item_id } = await item();
      const { so_id } = await salesOrder(await warehouse(), [{ item_id, quantity: 1 }]);
      await set(so_id, "status = 'SHIPPED'");
      await db.run("update sales_order_lines set quantity_allocated = 1, quantity_picked = 1 where so_id = $1", [
        so_id,
      ]);
      assert.deepEqual(await refusal(so_id), [422, { kind: "no_bin" }]);
    });
  });
});
