import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { shippingStation } from "../support/station.js";

const ROUTE = "/api/admin/shipments";

interface Row {
  warehouse_code: string;
  fulfillment_id: number;
  so_external_id: string;
  so_number: string;
  shipped_at: string;
  voided_at: string | null;
}

describe("the list of shipments", () => {
  const at = shippingStation({ SERVICE_COMPANY_TIMEZONE: "America/New_York" });
  /** Each test has a carrier of its own. */
  let carrier = "";
  let count = 0;
  beforeEach(() => {
    carrier = `Carrier ${++count}`;
  });

  const list = async (query = "", by = at.service.admin): Promise<Row[]> =>
    (await by.ok("GET", `${ROUTE}?carrier=${encodeURIComponent(carrier)}&${query}`)).shipments;
  const numbers = async (query?: string, by = at.service.admin) =>
    (await list(query, by)).map(({ so_number }) => so_number);
  const clerk = (page_keys = ["sales-orders"]) =>
    at.service.user({ role: "USER", page_keys, warehouse_ids: [at.here] });

  async function shipped(tracking = "1Z999", warehouse_id = at.here) {
    const order = await at.packedMug(warehouse_id);
    const by = warehouse_id === at.here ? at.station : await at.newStation({ warehouse_ids: [warehouse_id] });
    const { status, body } = await at.ship(order.so_number, { tracking, carrier }, by);
    assert.equal(status, 200, JSON.stringify(body));
    return { ...order, fulfillment_id: body.fulfillment_id as number };
  }

  it("tells what was shipped, in which parcel, how many units, and by whom", async () => {
    const order = await at.packed([
      { item: await fixtures.item(), quantity: 3 },
      { item: await fixtures.item(), quantity: 4, found: 1 },
    ]);
    const { so_id, so_number } = order;
    const parcel = { tracking: "1Z1", carrier, ship_method: "Ground" };
    const { fulfillment_id } = (await at.ship(so_number, parcel)).body;
    const [{ shipped_at, so_external_id, warehouse_code, ...row } = {} as Row, ...more] = await list();
    assert.ok(shipped_at && so_external_id);
    assert.deepEqual(row, {
      ...{ fulfillment_id, so_id, so_number, customer_name: "Customer", warehouse_id: at.here, carrier },
      ...{ tracking_number: "1Z1", ship_method: "Ground", total_quantity: 4, status: "SHIPPED" },
      ...{ shipped_by: "otto", voided_at: null, voided_by: null, void_reason: null },
    });
    assert.deepEqual(more, []);
  });

  it("keeps a shipment that was voided, beside the one that took its place", async () => {
    const { so_number, fulfillment_id } = await shipped();
    await at.voidShip(so_number, { reason: "wrong label" });
    await at.ship(so_number, { carrier });
    const rows = await list();
    assert.deepEqual(
      rows.map((row) => ({ ...row, voided_at: row.voided_at !== null })),
      [
        { ...rows[0], status: "SHIPPED", voided_at: false, voided_by: null, void_reason: null },
        {
          ...{ ...rows[1], fulfillment_id, status: "VOIDED", voided_at: true, voided_by: "otto" },
          void_reason: "wrong label",
        },
      ],
    );
  });

  it("comes newest first, in pages, and in any other order", async () => {
    const made = [];
    for (const tracking of ["B", "C", "A"]) made.push((await shipped(tracking)).so_number);
    const [first, second, third] = made;
    assert.deepEqual(await numbers(), [third, second, first]);
    assert.deepEqual(await numbers("per_page=2&page=2"), [first]);
    assert.deepEqual(await numbers("sort=tracking_number"), [third, first, second]);
    const { total, pages } = await at.service.admin.ok("GET", `${ROUTE}?carrier=${carrier}&per_page=2`);
    assert.deepEqual([total, pages], [3, 2]);
  });

  it("is searched by parts of the order's number and of the tracking number", async () => {
    const [one, other] = [await shipped("1Z-55%55"), await shipped("1Z-66")];
    assert.deepEqual(await numbers(`q=${one.so_number.slice(1).toLowerCase()}`), [one.so_number]);
    assert.deepEqual(await numbers("q=z-66"), [other.so_number]);
    assert.deepEqual(await numbers("q=5%25"), [one.so_number]);
    assert.deepEqual(await numbers("q=%20"), [other.so_number, one.so_number]);
    assert.deepEqual(await numbers("q=nowhere"), []);
  });

  it("takes a carrier in capitals or small letters, and whole", async () => {
    const { so_number } = await shipped();
    const found = async (name: string) =>
      (await at.service.admin.ok("GET", `${ROUTE}?carrier=${encodeURIComponent(name)}`)).shipments;
    assert.deepEqual(pluck(await found(` ${carrier.toUpperCase()} `), "so_number"), [so_number]);
    assert.deepEqual(await found(carrier.slice(0, -1)), []);
  });

  it("takes days of the company, the last one whole", async () => {
    const { so_number, fulfillment_id } = await shipped();
    const move = (to: string) =>
      db.run("update item_fulfillments set shipped_at = $2 where fulfillment_id = $1", [fulfillment_id, to]);
    // 23:30 of May 5 in New York.
    await move("2026-05-06T03:30:00Z");
    assert.deepEqual(await numbers("date_from=2026-05-05&date_to=2026-05-05"), [so_number]);
    assert.deepEqual(await numbers("date_from=2026-05-06"), []);
    assert.deepEqual(await numbers("date_to=2026-05-04"), []);
    assert.equal((await at.service.admin.get(`${ROUTE}?date_from=2026-02-30`)).status, 400);
  });

  it("shows a USER the shipments of the own warehouses", async () => {
    const [own, theirs] = [await shipped(), await shipped("1Z1", at.elsewhere)];
    const user = await clerk();
    assert.deepEqual(await numbers("", user), [own.so_number]);
    assert.deepEqual(await numbers(`q=${theirs.so_number}`, user), []);
    assert.deepEqual(await numbers(`warehouse_id=${at.here}`, user), [own.so_number]);
    assert.deepEqual(await numbers(`warehouse_id=${at.elsewhere}`), [theirs.so_number]);
    assert.equal((await user.get(`${ROUTE}?warehouse_id=${at.elsewhere}`)).status, 403);
  });
});
