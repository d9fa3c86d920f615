import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { insertAccount, insertLabel } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { item, salesOrder, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { assertOrders } from "../support/order-invariants.js";
import { closedParcel, measure, newBox, openParcel, PARCELS } from "../support/parcels.js";
import { testService } from "../support/service.js";
import { type LineToWalk, pickedOrder } from "../support/walk.js";

const SHIPPING = "/api/shipping/parcels";

interface PackedLine {
  sku: string;
  quantity_packed: number;
  lots?: object[];
  serial_numbers?: string[];
}
/** What the events of packing and shipping tell. */
interface Told {
  carrier: string;
  tracking_numbers: string[];
  order_shipped?: boolean;
  reason: string;
  reverted_to_status: string;
  package_external_id: string;
  tracking_number: string;
  packages: {
    package_external_id: string;
    parcel_number: number;
    box_code?: string;
    weight_lb: number;
    dimensions_in: object | null;
    tracking_number?: string;
    lines: PackedLine[];
  }[];
}

describe("parcels", () => {
  const service = testService({ worker: true });
  let here: number;
  let packer: Caller;
  before(async () => {
    here = await warehouse();
    packer = await service.user({ warehouse_ids: [here], functions: ["pack", "ship"] } as never);
  });
  afterEach(async () => {
    await assertInvariants();
    await assertOrders(here);
  });

  const picked = (lines: LineToWalk[]) => pickedOrder(service.admin, here, lines);
  const mugs = async (quantity: number) => {
    const mug = await item({ weight: "0.5" });
    return { ...(await picked([{ item: mug, quantity }])), mug };
  };
  const scan = (parcel_id: number, scanned_barcode: string, quantity?: number, more: object = {}) =>
    packer.post(`${PARCELS}/${parcel_id}/scan`, { scanned_barcode, quantity, ...more });
  const close = (parcel_id: number, body: object = {}) => packer.post(`${PARCELS}/${parcel_id}/close`, body);
  const complete = (so_id: number) => packer.post("/api/packing/complete", { so_id });
  const carriage = (tracking_number: string) => ({ tracking_number, carrier: "UPS" });
  const ship = (parcel_id: number, tracking_number = "1Z1") =>
    packer.post(`${SHIPPING}/${parcel_id}/ship`, carriage(tracking_number));
  const voidShipment = (parcel_id: number) => packer.post(`${SHIPPING}/${parcel_id}/void`, { reason: "wrong label" });
  const headerOf = (so_id: number) =>
    db.row<{ status: string }>(
      `select status, carrier, tracking_number, shipped_at is not null as shipped from sales_orders where so_id = $1`,
      [so_id],
    );
  const linesOf = async (so_id: number) =>
    (
      await db.rows<{ picked: number; packed: number; shipped: number; status: string }>(
        `select quantity_picked as picked, quantity_packed as packed, quantity_shipped as shipped, status
         from sales_order_lines where so_id = $1 order by line_number`,
        [so_id],
      )
    ).map(({ picked, packed, shipped, status }) => [picked, packed, shipped, status]);
  const eventsOf = async (so_id: number, type: string) =>
    (
      await db.rows<{ data: Told }>(
        `select event_data(integration_events) as data from integration_events
         where entity_type = 'sales_order' and entity_id = $1 and event_type = $2 order by event_timestamp, event_id`,
        [so_id, type],
      )
    ).map(({ data }) => data);
  const auditsOf = async (so_id: number) =>
    (
      await db.rows<{ action_type: string }>(
        `select action_type from audit_log where entity_type = 'SO' and entity_id = $1
           and (action_type like 'PARCEL%' or action_type like 'SHIP%' or action_type = 'PACK') order by log_id`,
        [so_id],
      )
    ).map(({ action_type }) => action_type);
  const fulfilmentsOf = (so_id: number) =>
    db.rows<{ status: string; units: number }>(
      `select f.status, tracking_number, pre_ship_status,
         (select sum(quantity_shipped)::int from item_fulfillment_lines l
          where l.fulfillment_id = f.fulfillment_id) as units
       from item_fulfillments f where so_id = $1 order by fulfillment_id`,
      [so_id],
    );

  it("are packed piece by piece and leave one after the other, the order with the last", async () => {
    const [mug, jug] = [await item({ weight: "0.5" }), await item({ weight: "2" })];
    const { so_id, so_number } = await picked([
      { item: mug, quantity: 5 },
      { item: jug, quantity: 1 },
    ]);
    const { box_id, box_code } = await newBox(service.admin);
    const first = await packer.ok("POST", PARCELS, { so_id, box_id });
    assert.deepEqual([first.parcel_number, first.status, first.box_code, first.lines], [1, "OPEN", box_code, []]);

    const scanned = await scan(first.parcel_id, mug.sku, 3);
    assert.deepEqual(scanned.body.order_progress, { total_lines: 2, lines_verified: 0, all_verified: false });
    assert.deepEqual(
      scanned.body.parcel.lines.map((line: { sku: string; quantity: number }) => [line.sku, line.quantity]),
      [[mug.sku, 3]],
    );
    await scan(first.parcel_id, mug.sku);
    const [line] = (await packer.ok("GET", `${PARCELS}/${first.parcel_id}`)).lines;
    assert.equal(line.quantity, 4);
    const taken = await packer.ok("POST", `${PARCELS}/${first.parcel_id}/take-out`, {
      parcel_line_id: line.parcel_line_id,
      quantity: 1,
    });
    assert.deepEqual(
      [taken.total_quantity, await linesOf(so_id)],
      [
        3,
        [
          [5, 3, 0, "PICKED"],
          [1, 0, 0, "PICKED"],
        ],
      ],
    );

    const closed = await close(first.parcel_id, { weight_lbs: 2.2 });
    const { status, weight_lbs, length_in, width_in, height_in, closed_by } = closed.body;
    assert.deepEqual(
      [status, weight_lbs, length_in, width_in, height_in, closed_by],
      ["CLOSED", 2.2, 10, 8, 6, packer.username],
    );
    assert.deepEqual(statusAndBody(await complete(so_id))[0], 400);

    const second = await packer.ok("POST", `${PARCELS}/rest`, { so_id });
    // Two mugs and a jug, by their own weights: there is no box.
    assert.deepEqual([second.parcel_number, second.weight_lbs, second.box_id, second.total_quantity], [2, 3, null, 3]);
    const all = await packer.ok("GET", `${PARCELS}?so_id=${so_id}`);
    assert.deepEqual([all.so_status, all.parcels.length, all.unpacked], ["PICKED", 2, []]);
    assert.equal((await complete(so_id)).status, 200);
    const [packedEvent] = await eventsOf(so_id, "pack.confirmed");
    assert.deepEqual(
      packedEvent?.packages.map((one) => [
        one.package_external_id,
        one.parcel_number,
        one.box_code,
        one.weight_lb,
        one.dimensions_in,
        one.lines.map(({ sku, quantity_packed }) => [sku, quantity_packed]),
      ]),
      [
        [first.external_id, 1, box_code, 2.2, { length: 10, width: 8, height: 6 }, [[mug.sku, 3]]],
        [
          second.external_id,
          2,
          undefined,
          3,
          null,
          [
            [mug.sku, 2],
            [jug.sku, 1],
          ],
        ],
      ],
    );

    const part = await ship(second.parcel_id, "1Z-2");
    assert.equal(part.status, 200, JSON.stringify(part.body));
    assert.deepEqual(
      [
        part.body.so_status,
        part.body.units_left,
        part.body.parcels[0].lines_shipped,
        part.body.parcels[0].total_quantity,
      ],
      ["PACKED", 3, 2, 3],
    );
    assert.deepEqual(await linesOf(so_id), [
      [5, 5, 2, "PACKED"],
      [1, 1, 1, "SHIPPED"],
    ]);
    assert.deepEqual(await headerOf(so_id), {
      ...{ status: "PACKED", carrier: null, tracking_number: null, shipped: false },
    });

    const last = await ship(first.parcel_id, "1Z-1");
    assert.deepEqual(
      [last.body.so_status, last.body.units_left, last.body.message],
      ["SHIPPED", 0, `${so_number} is shipped`],
    );
    assert.deepEqual(await linesOf(so_id), [
      [5, 5, 5, "SHIPPED"],
      [1, 1, 1, "SHIPPED"],
    ]);
    assert.deepEqual(await headerOf(so_id), {
      ...{ status: "SHIPPED", carrier: "UPS", tracking_number: "1Z-1", shipped: true },
    });
    assert.deepEqual(await fulfilmentsOf(so_id), [
      { status: "SHIPPED", tracking_number: "1Z-2", pre_ship_status: "PACKED", units: 3 },
      { status: "SHIPPED", tracking_number: "1Z-1", pre_ship_status: "PACKED", units: 3 },
    ]);
    const told = (await eventsOf(so_id, "ship.confirmed")).map((data) => [
      data.tracking_numbers,
      data.order_shipped,
      data.packages.map((one) => [one.parcel_number, one.tracking_number]),
    ]);
    assert.deepEqual(told, [
      [["1Z-2"], false, [[2, "1Z-2"]]],
      [["1Z-1"], true, [[1, "1Z-1"]]],
    ]);
    assert.deepEqual(await auditsOf(so_id), [
      ...["PARCEL_OPEN", "PARCEL_TAKE_OUT", "PARCEL_CLOSE", "PARCEL_CLOSE", "PACK", "SHIP_PART", "SHIP"],
    ]);
    await assertEventsMatchSchemas();
  });

  it("leave all at once, with an event for each carrier", async () => {
    const { so_id, mug } = await mugs(3);
    const parcels = [];
    for (let i = 0; i < 3; i++) parcels.push(await closedParcel(packer, so_id, mug.sku));
    await complete(so_id);
    const [one, two, three] = parcels.map(({ parcel_id }) => parcel_id);
    const answer = await packer.ok("POST", `${SHIPPING}/ship`, {
      so_id,
      parcels: [
        { parcel_id: one, ...carriage("1Z-1") },
        { parcel_id: two, tracking_number: "JD2", carrier: "DHL" },
        { parcel_id: three, ...carriage("1Z-3") },
      ],
    });
    assert.equal(answer.so_status, "SHIPPED");
    const told = (await eventsOf(so_id, "ship.confirmed")).map((data) => [
      ...[data.carrier, data.tracking_numbers, data.order_shipped],
    ]);
    assert.deepEqual(told.sort(), [
      ["DHL", ["JD2"], true],
      ["UPS", ["1Z-1", "1Z-3"], false],
    ]);
    assert.deepEqual(await auditsOf(so_id).then((all) => all.filter((action) => action.startsWith("SHIP"))), ["SHIP"]);
  });

  it("leave with the carrier and the number that they have, where none is said", async () => {
    const { so_id, mug } = await mugs(2);
    const { parcel_id } = await closedParcel(packer, so_id, mug.sku, 2);
    await complete(so_id);
    await db.run(
      "update parcels set carrier = 'DHL', service = 'Express', tracking_number = 'JD9' where parcel_id = $1",
      [parcel_id],
    );
    const { parcels } = await packer.ok("POST", `${SHIPPING}/ship`, { so_id });
    assert.deepEqual(
      [parcels[0].carrier, parcels[0].ship_method, parcels[0].tracking_number],
      ["DHL", "Express", "JD9"],
    );
  });

  it("may be one, which goes by any way of shipping with one tracking number", async () => {
    const ways: Record<string, (so_id: number) => Promise<{ status: number }>> = {
      fulfill: (so_id) => packer.post("/api/shipping/fulfill", { so_id, ...carriage("1Z1") }),
      "admin-ship": (so_id) => service.admin.post(`/api/admin/sales-orders/${so_id}/admin-ship`, {}),
      edit: (so_id) =>
        service.admin.put(`/api/admin/sales-orders/${so_id}`, { status: "SHIPPED", tracking_number: "1Z1" }),
    };
    for (const [way, go] of Object.entries(ways)) {
      const { so_id, mug } = await mugs(2);
      const { parcel_id, external_id } = await closedParcel(packer, so_id, mug.sku, 2);
      await openParcel(packer, so_id);
      await complete(so_id);
      const answer = await go(so_id);
      assert.equal(answer.status, 200, way);
      const { parcels } = await packer.ok("GET", `${PARCELS}?so_id=${so_id}`);
      assert.deepEqual(
        parcels.map((one: { parcel_id: number; status: string }) => [one.parcel_id === parcel_id, one.status]),
        [
          [true, "SHIPPED"],
          [false, "VOIDED"],
        ],
        way,
      );
      const [event] = await eventsOf(so_id, "ship.confirmed");
      assert.equal(event?.packages[0]?.package_external_id, external_id);
    }
  });

  it("refuse the order as a whole while several are left, or something is in none", async () => {
    const { so_id, so_number, mug } = await mugs(3);
    await closedParcel(packer, so_id, mug.sku);
    const second = await openParcel(packer, so_id, mug.sku);
    const ways = (id: number) => [
      packer.post("/api/shipping/fulfill", { so_id: id, ...carriage("1Z1") }),
      service.admin.post(`/api/admin/sales-orders/${id}/admin-ship`, {}),
      service.admin.put(`/api/admin/sales-orders/${id}`, { status: "SHIPPED", tracking_number: "1Z1" }),
    ];
    await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [so_id]);
    for (const answer of await Promise.all(ways(so_id)))
      assert.deepEqual(statusAndBody(answer), [
        409,
        {
          error: `${so_number} is packed in parcels, 1 closed and 1 open: it is shipped by parcel`,
          ...{ so_number, closed: 1, open: 1 },
        },
      ]);
    await db.run("update sales_orders set status = 'PICKED' where so_id = $1", [so_id]);
    await packer.ok("POST", `${PARCELS}/${second.parcel_id}/void`, {});
    await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [so_id]);
    for (const answer of await Promise.all(ways(so_id)))
      assert.deepEqual([answer.status, answer.code, answer.body.count], [400, "not_in_closed_parcel", 2]);
    await db.run("update sales_orders set status = 'PICKED' where so_id = $1", [so_id]);
  });

  it("take up units that were verified in none before", async () => {
    const { so_id, mug } = await mugs(4);
    await packer.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: mug.sku, quantity: 3 });
    const { parcel_id } = await openParcel(packer, so_id, mug.sku, 2);
    assert.deepEqual(await linesOf(so_id), [[4, 3, 0, "PICKED"]]);
    assert.equal((await scan(parcel_id, mug.sku, 3)).code, "over_pack");
    await close(parcel_id, { weight_lbs: 1 });
    assert.deepEqual((await complete(so_id)).code, "not_all_verified");
    await packer.ok("POST", `${PARCELS}/rest`, { so_id });
    assert.deepEqual(await linesOf(so_id), [[4, 4, 0, "PACKED"]]);
    assert.equal((await complete(so_id)).status, 200);
  });

  it("that have a carrier's label are not reopened until it is taken back", async () => {
    const { so_id, mug } = await mugs(2);
    const { parcel_id } = await closedParcel(packer, so_id, mug.sku);
    const label = await insertLabel(parcel_id, await insertAccount(here));
    const reopen = () => packer.post(`${PARCELS}/${parcel_id}/reopen`);
    const { status, code } = await reopen();
    assert.deepEqual([status, code], [409, "parcel_labelled"]);
    await packer.ok("POST", `/api/packing/labels/${label}/void`);
    assert.equal((await reopen()).status, 200);
  });

  it("that are reopened or voided have the order packed again", async () => {
    const { so_id, mug } = await mugs(2);
    const [one, two] = [await closedParcel(packer, so_id, mug.sku), await closedParcel(packer, so_id, mug.sku)];
    await complete(so_id);
    await packer.ok("POST", `${PARCELS}/${one.parcel_id}/reopen`);
    assert.deepEqual(await linesOf(so_id), [[2, 2, 0, "PACKED"]]);
    assert.equal((await complete(so_id)).code, "not_in_closed_parcel");
    await close(one.parcel_id, { weight_lbs: 1 });
    await complete(so_id);
    const voided = await packer.ok("POST", `${PARCELS}/${two.parcel_id}/void`, { reason: "torn" });
    assert.deepEqual([voided.status, voided.void_reason, voided.voided_by], ["VOIDED", "torn", packer.username]);
    assert.deepEqual([await linesOf(so_id), (await headerOf(so_id))?.status], [[[2, 1, 0, "PICKED"]], "PICKED"]);
    const third = await closedParcel(packer, so_id, mug.sku);
    assert.equal(third.parcel_number, 3);
  });

  it("keep what is where it was when the shipment of one is voided", async () => {
    const { so_id, mug } = await mugs(5);
    const [one, two] = [await closedParcel(packer, so_id, mug.sku, 2), await closedParcel(packer, so_id, mug.sku, 3)];
    await complete(so_id);
    await ship(one.parcel_id, "1Z-1");
    await ship(two.parcel_id, "1Z-2");
    const voided = await voidShipment(one.parcel_id);
    assert.deepEqual([voided.status, voided.body.status, voided.body.fulfillment_id], [200, "CLOSED", null]);
    assert.deepEqual(await linesOf(so_id), [[5, 5, 3, "PACKED"]]);
    assert.deepEqual(await headerOf(so_id), {
      ...{ status: "PACKED", carrier: null, tracking_number: null, shipped: false },
    });
    const [event] = await eventsOf(so_id, "ship.voided");
    const { reason, reverted_to_status, package_external_id, tracking_number } = event ?? ({} as Partial<Told>);
    assert.deepEqual(
      [reason, reverted_to_status, package_external_id, tracking_number],
      ["wrong label", "PACKED", one.external_id, "1Z-1"],
    );
    await voidShipment(two.parcel_id);
    assert.deepEqual(await linesOf(so_id), [[5, 5, 0, "PACKED"]]);
    const { parcels } = await packer.ok("POST", `${SHIPPING}/ship`, { so_id });
    assert.deepEqual(
      parcels.map((left: { tracking_number: string }) => left.tracking_number),
      ["1Z-1", "1Z-2"],
    );
    assert.deepEqual(await linesOf(so_id), [[5, 5, 5, "SHIPPED"]]);
    assert.deepEqual(
      (await fulfilmentsOf(so_id)).map((f) => [f.status, f.units]),
      [
        ["VOIDED", 2],
        ["VOIDED", 3],
        ["SHIPPED", 2],
        ["SHIPPED", 3],
      ],
    );
    await assertEventsMatchSchemas();
  });

  it("may leave before the rest is packed; the last may not", async () => {
    const { so_id, mug } = await mugs(3);
    const first = await closedParcel(packer, so_id, mug.sku, 2);
    assert.deepEqual((await ship(first.parcel_id)).body.so_status, "PICKED");
    assert.deepEqual(await linesOf(so_id), [[3, 2, 2, "PICKED"]]);
    const second = await closedParcel(packer, so_id, mug.sku);
    for (const answer of [
      await ship(second.parcel_id),
      await packer.post(`${SHIPPING}/ship`, { so_id, parcels: [{ parcel_id: second.parcel_id, ...carriage("1Z2") }] }),
    ])
      assert.deepEqual([answer.status, answer.code], [400, "so_not_packed"]);
    await complete(so_id);
    const [event] = await eventsOf(so_id, "pack.confirmed");
    assert.equal(event?.packages.length, 2);
    assert.equal((await packer.post("/api/shipping/fulfill", { so_id, ...carriage("1Z2") })).status, 200);
    assert.deepEqual((await headerOf(so_id))?.status, "SHIPPED");
    // Its first parcel left while it was PICKED, the last when it was PACKED.
    await voidShipment(first.parcel_id);
    assert.deepEqual((await headerOf(so_id))?.status, "PACKED");
  });

  describe("and orders that are reverted or cancelled", () => {
    const revert = (so_id: number, new_status: string, release_pick_task_ids: number[] = []) =>
      service.admin.post(`/api/admin/sales-orders/${so_id}/revert-status`, { new_status, release_pick_task_ids });
    const statuses = async (so_id: number) =>
      (await packer.ok("GET", `${PARCELS}?so_id=${so_id}`)).parcels.map((one: { status: string }) => one.status);
    const tasksOf = async (so_id: number) =>
      (
        await db.rows<{ pick_task_id: number }>("select pick_task_id from wave_pick_breakdown where so_id = $1", [
          so_id,
        ])
      ).map(({ pick_task_id }) => pick_task_id);

    async function shippedInTwo() {
      const { so_id, mug } = await mugs(3);
      await closedParcel(packer, so_id, mug.sku);
      await closedParcel(packer, so_id, mug.sku, 2);
      await complete(so_id);
      await db.run("update parcels set tracking_number = 'T' || parcel_number where so_id = $1", [so_id]);
      return { so_id, mug };
    }

    it("are closed again when the order is PACKED, and void when it is PICKED or OPEN", async () => {
      const { so_id } = await shippedInTwo();
      await packer.ok("POST", `${SHIPPING}/ship`, { so_id });
      assert.equal((await revert(so_id, "PACKED")).status, 200);
      assert.deepEqual([await statuses(so_id), await linesOf(so_id)], [["CLOSED", "CLOSED"], [[3, 3, 0, "PACKED"]]]);
      assert.equal((await revert(so_id, "PACKED", await tasksOf(so_id))).code, "units_in_parcels");
      assert.equal((await revert(so_id, "PICKED")).status, 200);
      assert.deepEqual([await statuses(so_id), await linesOf(so_id)], [["VOIDED", "VOIDED"], [[3, 0, 0, "PICKED"]]]);
      await closedParcel(
        packer,
        so_id,
        (await db.value<string>("select sku from items join sales_order_lines using (item_id) where so_id = $1", [
          so_id,
        ])) as string,
        3,
      );
      assert.equal((await revert(so_id, "OPEN", await tasksOf(so_id))).status, 200);
      assert.deepEqual(await statuses(so_id), ["VOIDED", "VOIDED", "VOIDED"]);
    });

    it("stay as they are while a part of the order has left", async () => {
      const { so_id, mug } = await shippedInTwo();
      const { parcels } = await packer.ok("GET", `${PARCELS}?so_id=${so_id}`);
      await ship(parcels[0].parcel_id);
      const refused = [
        await revert(so_id, "PICKED"),
        await revert(so_id, "OPEN", await tasksOf(so_id)),
        await service.admin.post(`/api/admin/sales-orders/${so_id}/cancel`),
      ];
      for (const answer of refused) assert.deepEqual([answer.status, answer.code], [409, "partly_shipped"]);
      assert.deepEqual(await statuses(so_id), ["SHIPPED", "CLOSED"]);
      await voidShipment(parcels[0].parcel_id);
      assert.equal((await service.admin.post(`/api/admin/sales-orders/${so_id}/cancel`)).status, 200);
      assert.deepEqual(await statuses(so_id), ["VOIDED", "VOIDED"]);
      const back = await db.value("select sum(quantity_on_hand)::int from inventory where item_id = $1", [mug.item_id]);
      assert.equal(back, 3);
    });

    it("are not taken back while goods of the order are coming back", async () => {
      const { so_id, mug } = await shippedInTwo();
      const { parcels } = await packer.ok("POST", `${SHIPPING}/ship`, { so_id });
      const lines = [{ item_id: mug.item_id, quantity: 1 }];
      await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, { lines });
      assert.deepEqual((await voidShipment(parcels[0].parcel_id)).code, "has_returns");
    });
  });

  describe("of serial numbers and lots", () => {
    async function named(policy: string, quantity: number) {
      const phone = await item();
      await db.run("update items set serial_policy = $2 where item_id = $1", [phone.item_id, policy]);
      return { ...(await picked([{ item: phone, quantity }])), phone };
    }
    const statesOf = async (item_id: number) =>
      Object.fromEntries(
        (
          await db.rows<{ serial_number: string; state: string }>(
            "select serial_number, state from serials where item_id = $1 order by serial_number",
            [item_id],
          )
        ).map(({ serial_number, state }) => [serial_number, state]),
      );

    it("leave with the unit's own, each by the shipment of its parcel", async () => {
      const { so_id, phone } = await named("at_shipping", 3);
      await packer.ok("POST", "/api/packing/verify", {
        so_id,
        ...{ scanned_barcode: phone.sku, serial_number: "S1" },
      });
      const one = await openParcel(packer, so_id);
      // S1 is packed already, in no parcel; S2 is new.
      for (const serial_number of ["S1", "S2"])
        assert.equal((await scan(one.parcel_id, phone.sku, 1, { serial_number })).status, 200, serial_number);
      const taken = (await packer.ok("GET", `${PARCELS}/${one.parcel_id}`)).lines[0];
      await packer.ok("POST", `${PARCELS}/${one.parcel_id}/take-out`, { parcel_line_id: taken.parcel_line_id });
      assert.deepEqual(await statesOf(phone.item_id), { S1: "IN_STOCK", S2: "PACKED" });
      await scan(one.parcel_id, phone.sku, 1, { serial_number: "S1" });
      await close(one.parcel_id, { weight_lbs: 2 });
      assert.equal((await packer.post(`${PARCELS}/rest`, { so_id, weight_lbs: 1 })).code, "serial_required");
      await packer.ok("POST", "/api/packing/verify", { so_id, ...{ scanned_barcode: phone.sku, serial_number: "S3" } });
      const two = await packer.ok("POST", `${PARCELS}/rest`, { so_id, weight_lbs: 1 });
      assert.deepEqual(
        two.lines.map((line: { serial_number: string }) => line.serial_number),
        ["S3"],
      );
      await complete(so_id);
      await ship(one.parcel_id);
      assert.deepEqual(await statesOf(phone.item_id), { S1: "SHIPPED", S2: "SHIPPED", S3: "PACKED" });
      await ship(two.parcel_id);
      const [first] = await eventsOf(so_id, "ship.confirmed");
      const lines = first?.packages[0]?.lines;
      assert.deepEqual(lines?.[0]?.serial_numbers, ["S1", "S2"]);
      await voidShipment(two.parcel_id);
      assert.deepEqual(await statesOf(phone.item_id), { S1: "SHIPPED", S2: "SHIPPED", S3: "PACKED" });
      await packer.ok("POST", `${PARCELS}/${two.parcel_id}/void`, {});
      assert.deepEqual(await statesOf(phone.item_id), { S1: "SHIPPED", S2: "SHIPPED", S3: "IN_STOCK" });
    });

    it("are refused by name", async () => {
      const { so_id, phone } = await named("at_shipping", 3);
      const other = await named("at_shipping", 1);
      const { parcel_id } = await openParcel(packer, so_id);
      await packer.ok("POST", "/api/packing/verify", {
        ...{ so_id: other.so_id, scanned_barcode: other.phone.sku, serial_number: "S1" },
      });
      await db.run(
        `insert into serials (item_id, serial_number, state, warehouse_id) values ($1, 'GONE', 'GONE', $2)`,
        [phone.item_id, here],
      );
      const recalled = await db.value(
        `insert into serials (item_id, serial_number, state, warehouse_id) values ($1, 'BAD', 'IN_STOCK', $2)
         returning serial_id`,
        [phone.item_id, here],
      );
      await db.run(
        `with r as (insert into recalls (reason, opened_by) values ('glass', 'ann') returning recall_id)
         insert into recall_serials (recall_id, serial_id) select recall_id, $1 from r`,
        [recalled],
      );
      const gtin = "00400000000015";
      await db.run("update items set upc = '400000000015' where item_id = $1", [other.phone.item_id]);
      const refused: [string, number, object][] = [
        ["serial_required", 1, {}],
        ["one_serial_one_unit", 2, { serial_number: "S7" }],
        ["serial_is_item_code", 1, { serial_number: phone.sku }],
        ["serial_elsewhere", 1, { serial_number: "GONE" }],
        ["serial_recalled", 1, { serial_number: "BAD" }],
        ["scanned_other_item", 1, { serial_number: `01${gtin}21S9` }],
      ];
      for (const [code, quantity, more] of refused)
        assert.equal((await scan(parcel_id, phone.sku, quantity, more)).code, code);
      await db.run("update items set serial_policy = 'at_receipt' where item_id = $1", [phone.item_id]);
      await db.run(
        `insert into serials (item_id, serial_number, state, warehouse_id)
         select $1, 'K' || n, 'IN_STOCK', $2 from generate_series(1, 9) n`,
        [phone.item_id, here],
      );
      assert.equal((await scan(parcel_id, phone.sku, 1, { serial_number: "S8" })).code, "serial_unknown");
    });

    it("are asked for when an item asks for them since it was packed", async () => {
      const { so_id, mug } = await mugs(2);
      const { parcel_id } = await closedParcel(packer, so_id, mug.sku, 2);
      await complete(so_id);
      await db.run("update items set serial_policy = 'at_shipping' where item_id = $1", [mug.item_id]);
      for (const answer of [
        await ship(parcel_id),
        await packer.post(`${SHIPPING}/ship`, { so_id, parcels: [{ parcel_id, ...carriage("1") }] }),
      ])
        assert.equal(answer.code, "serials_missing");
    });

    it("are kept apart by lot, and no more of a lot is packed than was picked of it", async () => {
      const tea = await item();
      const lines = [
        { item: tea, quantity: 2, lot: "EARLY" },
        { item: tea, quantity: 3, lot: "LATE" },
      ];
      const { so_id } = await picked(lines);
      const parcel = await openParcel(packer, so_id);
      assert.equal((await scan(parcel.parcel_id, tea.sku, 1, { lot_number: "OTHER" })).code, "wrong_lot");
      const lots = await db.rows<{ lot_number: string; units: number }>(
        `select v.lot_number, sum(w.quantity_picked)::int as units from wave_pick_breakdown w
         join pick_tasks using (pick_task_id) join inventory v using (inventory_id)
         where w.so_id = $1 group by 1 order by 1`,
        [so_id],
      );
      assert.deepEqual(lots, [
        { lot_number: "EARLY", units: 2 },
        { lot_number: "LATE", units: 3 },
      ]);
      assert.equal((await scan(parcel.parcel_id, tea.sku, 3, { lot_number: "EARLY" })).code, "over_pack");
      await scan(parcel.parcel_id, tea.sku, 2, { lot_number: "EARLY" });
      await close(parcel.parcel_id, { weight_lbs: 1 });
      const rest = await packer.ok("POST", `${PARCELS}/rest`, { so_id, weight_lbs: 1 });
      const lotsIn = (one: { lines: { lot_number: string; quantity: number }[] }) =>
        one.lines.map(({ lot_number, quantity }) => [lot_number, quantity]);
      assert.deepEqual(lotsIn(rest), [["LATE", 3]]);
      await complete(so_id);
      await db.run(
        `with r as (insert into recalls (reason, opened_by) values ('glass', 'ann') returning recall_id)
         insert into recall_lots (recall_id, lot_id)
         select recall_id, lot_id from r, lots where item_id = $1 and lot_number = 'EARLY'`,
        [tea.item_id],
      );
      const early = [
        await ship(parcel.parcel_id),
        await packer.post(`${SHIPPING}/ship`, { so_id, parcels: [{ parcel_id: parcel.parcel_id, ...carriage("1") }] }),
      ];
      for (const answer of early) assert.equal(answer.code, "order_has_recalled");
      assert.equal((await ship(rest.parcel_id)).status, 200);
      const [event] = await eventsOf(so_id, "ship.confirmed");
      const packed = event?.packages[0]?.lines;
      assert.deepEqual(
        packed?.flatMap(({ lots }) => lots),
        [{ lot_number: "LATE", expiry_date: null, quantity: 3 }],
      );
      const left = await db.rows(
        `select lot_number, quantity_shipped from item_fulfillment_lines join item_fulfillments using (fulfillment_id)
         where so_id = $1`,
        [so_id],
      );
      assert.deepEqual(left, [{ lot_number: "LATE", quantity_shipped: 3 }]);
    });
  });

  describe("suggested for what is in none", () => {
    const suggested = (so_id: number) => packer.get(`${PARCELS}/suggest?so_id=${so_id}`);

    it("are named with their boxes and reasons; what nobody measured is said", async () => {
      await db.run("update boxes set is_active = false");
      const [mug, vase, cushion, crate] = [await item(), await item(), await item(), await item()];
      await measure(mug.item_id, { weight: "1", sides: [5, 4, 3] });
      await measure(vase.item_id, { sides: [10, 8, 6] });
      await measure(cushion.item_id, { weight: "1" });
      await measure(crate.item_id, { weight: "1", sides: [90, 90, 90] });
      const order = [mug, vase, cushion, crate].map((goods) => ({ item: goods, quantity: goods === mug ? 3 : 1 }));
      const { so_id, so_number } = await picked(order);
      await openParcel(packer, so_id, mug.sku);
      const { box_id, box_code } = await newBox(service.admin);
      const small = await newBox(service.admin, { length_in: 5, width_in: 4, height_in: 6 });
      const { body } = await suggested(so_id);
      const shown = body.parcels.map((one: Record<string, unknown>) => [
        ...[one.box_id, one.box_code, one.reason, one.filled_percent, one.weight_lbs],
      ]);
      assert.deepEqual(shown, [
        [box_id, box_code, "holds_most", 100, 0.5],
        [small.box_id, small.box_code, "holds_the_rest", 100, 2.5],
      ]);
      const skus = (units: { sku: string; quantity: number }[]) => units.map(({ sku, quantity }) => [sku, quantity]);
      assert.deepEqual(skus(body.parcels[1].units), [[mug.sku, 2]]);
      assert.deepEqual([skus(body.unmeasured), skus(body.too_large)], [[[cushion.sku, 1]], [[crate.sku, 1]]]);
      assert.deepEqual([body.so_number, body.unweighed], [so_number, [vase.sku]]);
    });

    it("are not where there are too many units", async () => {
      const { so_id } = await mugs(201);
      const answer = await suggested(so_id);
      assert.deepEqual([answer.status, answer.code, answer.body.units], [400, "too_many_units", 201]);
      assert.equal((await suggested(999_999)).code, "so_not_found");
    });
  });

  describe("closing one", () => {
    type Sides = [number, number, number];
    /** Why a parcel cannot be as it is said to be: what is in it, and how it is closed; alone, or as the rest. */
    const unfit: [code: string, weight: string | null, sides: Sides | null, quantity: number, closing: object][] = [
      ["item_too_large", "1", [11, 2, 2], 1, { box: true }],
      ["box_overfull", "0.1", [5, 4, 3], 9, { box: true }],
      ["over_box_weight", "4", [5, 4, 3], 5, { box: true }],
      ["weight_below_contents", "4", null, 2, { weight_lbs: 7 }],
      ["weight_above_contents", "4", null, 2, { weight_lbs: 18.5 }],
      ["weight_unknown", null, null, 2, {}],
    ];
    for (const [code, weight, sides, quantity, { box, ...closing }] of unfit as [
      ...[string, string | null, Sides | null, number, { box?: boolean }],
    ][])
      it(`is refused: ${code}`, async () => {
        const goods = await item();
        await measure(goods.item_id, { weight, sides });
        const { so_id } = await picked([{ item: goods, quantity }]);
        const body = { ...closing, ...(box && { box_id: (await newBox(service.admin)).box_id }) };
        const rest = await packer.post(`${PARCELS}/rest`, { so_id, ...body });
        assert.deepEqual([rest.status, rest.code], [400, code]);
        const { parcel_id } = await openParcel(packer, so_id, goods.sku, quantity);
        const answer = await close(parcel_id, body);
        assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(answer.body));
        assert.equal((await packer.ok("GET", `${PARCELS}/${parcel_id}`)).status, "OPEN");
      });

    it("takes what is turned, what nobody measured, and what a scale says of a little less", async () => {
      const [turned, unknown] = [await item(), await item()];
      await measure(turned.item_id, { weight: "4", sides: [6, 10, 8] });
      await measure(unknown.item_id, { weight: "1" });
      const { so_id } = await picked([
        { item: turned, quantity: 1 },
        { item: unknown, quantity: 1 },
      ]);
      const { box_id } = await newBox(service.admin);
      const parcel = await packer.ok("POST", `${PARCELS}/rest`, { so_id, box_id, weight_lbs: 4.9, length_in: 10.5 });
      assert.deepEqual([parcel.weight_lbs, parcel.length_in, parcel.width_in], [4.9, 10.5, 8]);
    });

    it("weighs contents and box where nobody does", async () => {
      const { so_id } = await mugs(3);
      const { box_id } = await newBox(service.admin, { tare_lbs: 0.25 });
      assert.equal((await packer.ok("POST", `${PARCELS}/rest`, { so_id, box_id })).weight_lbs, 1.75);
    });
  });

  describe("refusals", () => {
    it("name what is not there", async () => {
      const { so_id, mug } = await mugs(1);
      const nowhere = 999_999;
      assert.equal((await packer.get(`${PARCELS}?so_id=${nowhere}`)).code, "so_not_found");
      assert.equal((await packer.get(`${PARCELS}/${nowhere}`)).code, "parcel_not_found");
      for (const path of [PARCELS, `${PARCELS}/rest`, `${SHIPPING}/ship`])
        assert.equal((await packer.post(path, { so_id: nowhere })).code, "so_not_found", path);
      for (const [action, body] of Object.entries(actions))
        assert.equal((await packer.post(pathOf(action, nowhere), body)).code, "parcel_not_found", action);
      for (const [path, body] of [
        [PARCELS, {}],
        [`${PARCELS}/rest`, { weight_lbs: 1 }],
      ] as const)
        assert.equal((await packer.post(path, { so_id, box_id: nowhere, ...body })).code, "box_not_found", path);
      const parcel = await openParcel(packer, so_id);
      const is = (answer: { status: number; code?: string }, status: number, code: string) =>
        assert.deepEqual([answer.status, answer.code], [status, code]);
      is(await close(parcel.parcel_id, { weight_lbs: 1 }), 400, "parcel_empty");
      is(await scan(parcel.parcel_id, "NOPE"), 404, "not_on_order");
      const { box_id } = await newBox(service.admin);
      await service.admin.ok("PUT", `/api/admin/boxes/${box_id}`, { is_active: false });
      await scan(parcel.parcel_id, mug.sku);
      is(await close(parcel.parcel_id, { box_id, weight_lbs: 1 }), 404, "box_not_found");
      is(await scan(parcel.parcel_id, mug.sku), 400, "already_verified");
      is(await packer.post(`${PARCELS}/rest`, { so_id }), 400, "nothing_left_to_pack");
      is(
        await packer.post(pathOf("take-out", parcel.parcel_id), { parcel_line_id: nowhere }),
        404,
        "parcel_line_not_found",
      );
      const [line] = (await packer.ok("GET", `${PARCELS}/${parcel.parcel_id}`)).lines;
      const out = { parcel_line_id: line.parcel_line_id, quantity: 2 };
      is(await packer.post(pathOf("take-out", parcel.parcel_id), out), 400, "over_take_out");
      is(await packer.post(`${SHIPPING}/ship`, { so_id }), 409, "no_closed_parcel");
      const unknown = { so_id, parcels: [{ parcel_id: nowhere, ...carriage("1") }] };
      is(await packer.post(`${SHIPPING}/ship`, unknown), 404, "parcel_not_found");
      const open = { so_id, parcels: [{ parcel_id: parcel.parcel_id, ...carriage("1") }] };
      is(await packer.post(`${SHIPPING}/ship`, open), 409, "parcel_wrong_status");
    });

    it("of a code that two items of the order have", async () => {
      const [mug, jug] = [await item(), await item()];
      await db.run("update items set upc = '4006381333931' where item_id = any($1)", [[mug.item_id, jug.item_id]]);
      const { so_id } = await picked([
        { item: mug, quantity: 1 },
        { item: jug, quantity: 1 },
      ]);
      const { parcel_id } = await openParcel(packer, so_id);
      assert.equal((await scan(parcel_id, "4006381333931")).code, "ambiguous_barcode");
      assert.equal((await scan(parcel_id, "4006381333931", 1, { item_id: jug.item_id })).status, 200);
    });

    const actions: Record<string, object> = {
      scan: { scanned_barcode: "X" },
      "take-out": { parcel_line_id: 1 },
      close: { weight_lbs: 1 },
      reopen: {},
      void: {},
      ship: carriage("1Z1"),
      "void shipment": { reason: "wrong label" },
    };
    const pathOf = (action: string, parcel_id: number) =>
      action === "ship"
        ? `${SHIPPING}/${parcel_id}/ship`
        : action === "void shipment"
          ? `${SHIPPING}/${parcel_id}/void`
          : `${PARCELS}/${parcel_id}/${action}`;

    it("of a parcel in another status change nothing", async () => {
      const { so_id, so_number, mug } = await mugs(4);
      const open = await openParcel(packer, so_id, mug.sku);
      const closed = await closedParcel(packer, so_id, mug.sku);
      const shipped = await closedParcel(packer, so_id, mug.sku);
      await ship(shipped.parcel_id);
      const voided = await openParcel(packer, so_id);
      await packer.ok("POST", `${PARCELS}/${voided.parcel_id}/void`, {});
      const allowed: Record<string, string[]> = {
        ...{ scan: ["OPEN"], "take-out": ["OPEN"], close: ["OPEN"], reopen: ["CLOSED"], void: ["OPEN", "CLOSED"] },
        ...{ ship: ["CLOSED"], "void shipment": ["SHIPPED"] },
      };
      const before = await linesOf(so_id);
      for (const [status, parcel] of Object.entries({ OPEN: open, CLOSED: closed, SHIPPED: shipped, VOIDED: voided }))
        for (const [action, body] of Object.entries(actions)) {
          const wanted = allowed[action] as string[];
          if (wanted.includes(status)) continue;
          const answer = await packer.post(pathOf(action, parcel.parcel_id), body);
          const { parcel_number } = parcel;
          assert.deepEqual(
            statusAndBody(answer),
            [
              409,
              {
                error: `Parcel ${parcel_number} of ${so_number} is ${status}, not ${wanted.join(" or ")}`,
                ...{ parcel_number, so_number, status, wanted: wanted.join(" or ") },
              },
            ],
            action,
          );
        }
      assert.deepEqual(await linesOf(so_id), before);
    });

    it("of an order that is on hold, is not picked, or is a return", async () => {
      const { so_id, mug } = await mugs(3);
      const open = await openParcel(packer, so_id, mug.sku);
      const closed = await closedParcel(packer, so_id, mug.sku);
      const set = (what: string) => db.run(`update sales_orders set ${what} where so_id = $1`, [so_id]);
      await set("hold_reason = 'on_hold_in_shop'");
      const line = await db.value("select parcel_line_id from parcel_lines where parcel_id = $1", [open.parcel_id]);
      const held = [
        await packer.post(PARCELS, { so_id }),
        await packer.post(`${PARCELS}/rest`, { so_id }),
        await scan(open.parcel_id, mug.sku),
        await packer.post(pathOf("take-out", open.parcel_id), { parcel_line_id: line }),
        await close(open.parcel_id),
        await ship(closed.parcel_id),
        await packer.post(`${SHIPPING}/ship`, { so_id, parcels: [{ parcel_id: closed.parcel_id, ...carriage("1") }] }),
      ];
      for (const answer of held) assert.deepEqual([answer.status, answer.code], [409, "order_held"]);
      await set("hold_reason = null");
      const silent = [
        `update sales_order_lines set quantity_ordered = 9 where so_id = $1`,
        `update sales_order_lines set quantity_ordered = 3 where so_id = $1`,
      ];
      await db.run(silent[0] as string, [so_id]);
      for (const answer of [
        await ship(closed.parcel_id),
        await packer.post(`${SHIPPING}/ship`, { so_id, parcels: [{ parcel_id: closed.parcel_id, ...carriage("1") }] }),
      ])
        assert.equal(answer.code, "silent_shortfall");
      await db.run(silent[1] as string, [so_id]);
      for (const answer of [
        await packer.post(pathOf("ship", closed.parcel_id)),
        await packer.post(`${SHIPPING}/ship`, { so_id }),
      ])
        assert.deepEqual([answer.status, answer.code], [422, "tracking_required"]);
      const waiting = await salesOrder(here, []);
      const back = await salesOrder(here, []);
      await db.run("update sales_orders set order_type = 'return' where so_id = $1", [back.so_id]);
      for (const path of [PARCELS, `${PARCELS}/rest`]) {
        assert.equal((await packer.post(path, { so_id: waiting.so_id })).code, "so_not_picked");
        assert.equal((await packer.post(path, { so_id: back.so_id })).code, "return_not_fulfillable");
      }
    });

    it("of a shop that cancels an order a part of which has left", async () => {
      const { so_id, mug } = await mugs(2);
      const { parcel_id } = await closedParcel(packer, so_id, mug.sku);
      await ship(parcel_id);
      const before = await linesOf(so_id);
      assert.equal((await service.admin.post(`/api/admin/sales-orders/${so_id}/cancel`)).code, "partly_shipped");
      assert.deepEqual(await linesOf(so_id), before);
    });
  });

  it("are listed for the desk, and found by tracking number, order and code", async () => {
    const { so_id, so_number, mug } = await mugs(2);
    const { box_id } = await newBox(service.admin);
    const { parcel_id } = await packer.ok("POST", PARCELS, { so_id, box_id });
    await scan(parcel_id, mug.sku);
    await close(parcel_id, { weight_lbs: 2 });
    await ship(parcel_id, `TRACK-${so_number}`);
    const other = await openParcel(packer, so_id);
    const found = async (query: string) =>
      (await service.admin.ok("GET", `/api/admin/parcels?${query}`)).parcels.map(
        (one: { parcel_id: number }) => one.parcel_id,
      );
    const barcode = `PCL-${parcel_id}`;
    for (const query of [
      ...[`q=TRACK-${so_number}`, `q=${barcode}`, `q=${barcode.toLowerCase()}`, `so_id=${so_id}&status=SHIPPED`],
      ...[`box_id=${box_id}`, `so_id=${so_id}&carrier=ups`],
    ])
      assert.deepEqual(await found(query), [parcel_id], query);
    for (const query of [`q=${so_number}`, `so_id=${so_id}`, `warehouse_id=${here}&so_id=${so_id}`])
      assert.deepEqual(await found(query), [other.parcel_id, parcel_id], query);
    assert.deepEqual(await found(`so_id=${so_id}&date_from=2000-01-01&date_to=2000-01-02`), []);
    assert.deepEqual(await found(`so_id=${so_id}&date_from=2000-01-01`), [other.parcel_id, parcel_id]);
  });
});
