import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EventReader } from "../../simulate/check/event-reader.js";
import { checkInvariants, type Evidence } from "../../simulate/check/invariants.js";
import { Matching } from "../../simulate/check/matching.js";
import { adjustmentsOf, Model } from "../../simulate/check/model.js";
import { movementsOf, Sums } from "../../simulate/check/movements.js";
import type { Picture } from "../../simulate/check/picture.js";
import { hear } from "../../simulate/check/rules.js";
import { Shipments } from "../../simulate/check/shipments.js";
import { Told } from "../../simulate/check/told.js";
import { Caller } from "../../simulate/http/caller.js";
import { Measure } from "../../simulate/http/measure.js";
import { type Options, readOptions, UsageError } from "../../simulate/options.js";
import type { Site } from "../../simulate/site/site.js";

const sums = (units: Record<string, number> = {}): Sums => {
  const made = new Sums();
  for (const [item, count] of Object.entries(units)) made.add(1, item, count);
  return made;
};
const picture = (onHand: number, more: Partial<Picture> = {}): Picture => ({
  ...{ onHand: sums({ MUG: onHand }), allocated: sums(), held: sums(), inHand: sums() },
  ...{ negative: [], eventId: 0, open: [], ...more },
});
/** Ten units, of which two were shipped and one sold, for one order. */
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  ...{ before: picture(10), after: picture(7), moved: sums({ MUG: -2 }), sold: sums({ MUG: 1 }) },
  ...{ ordersIn: 1, orders: new Map([["SHIPPED", 1]]) },
  ...{ backordersOpened: 1, backorders: new Map([["WAITING_STOCK", 1]]) },
  ...{ shippedTwice: [], refunds: 1, memos: 1, outOfOrder: 0, unsigned: 0, ...more },
});
const faults = (more: Partial<Evidence>) => checkInvariants(evidence(more)).flatMap((one) => one.faults);

describe("the invariants of a simulated day", () => {
  it("hold where the sums agree, picked units counted in", () => {
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ after: picture(4, { inHand: sums({ MUG: 3 }) }) }), []);
    const promised = { allocated: sums({ MUG: 2 }), held: sums({ MUG: 2 }) };
    assert.deepEqual(faults({ after: picture(7, promised) }), []);
  });

  it("break where one does not", () => {
    assert.deepEqual(faults({ after: picture(8) }), ["warehouse and item 1 MUG: 8 instead of 7"]);
    assert.deepEqual(faults({ moved: sums() }), ["warehouse and item 1 MUG: 7 instead of 9"]);
    assert.deepEqual(faults({ sold: sums({ MUG: 1, BOWL: 1 }) }), ["warehouse and item 1 BOWL: 0 instead of -1"]);
    const more = picture(7, { held: sums({ MUG: 1 }) });
    assert.deepEqual(faults({ after: more }), ["warehouse and item 1 MUG: 0 allocated, 1 held"]);
    assert.deepEqual(faults({ after: picture(7, { negative: ["one"] }) }), ["one"]);
    assert.deepEqual(faults({ ordersIn: 2 }), ["2 came in, 1 are there"]);
    assert.deepEqual(faults({ backorders: new Map() }), ["1 began, 0 are there"]);
    assert.deepEqual(faults({ shippedTwice: ["SO-1"] }), ["SO-1"]);
    assert.deepEqual(faults({ memos: 2 }), ["1 were answered, 2 credit memos are there"]);
    assert.deepEqual(faults({ outOfOrder: 3 }), ["3 were not"]);
    assert.deepEqual(faults({ partner: new Matching(), unsigned: 1 }), ["1 were not"]);
  });

  it("take of what a count lacks only what stock had left, as the answer says", () => {
    const model = new Model({ items: [{ item_id: 7, sku: "MUG", external_id: "mug" }] } as unknown as Site);
    model.countIs(1, 2);
    model.submitted(1, [{ adjustment_id: 3, sku: "MUG", variance: -2 }]);
    model.decided([{ adjustment_id: 3, status: "APPROVED", quantity_change: -1 }]);
    assert.equal(model.moved.of("2 mug"), -1);
    const told = ["cycle_count.adjusted -2", "inventoryadjusted.completed -1"];
    assert.deepEqual(model.events.get(adjustmentsOf(2, "mug")), told);
  });

  it("know of an order in parcels what left, what came back and what each event must tell", () => {
    const items = [
      { item_id: 7, upc: "111", sku: "MUG", external_id: "mug" },
      { item_id: 8, upc: "222", sku: "BOWL", external_id: "bowl" },
    ];
    const model = new Model({ items } as unknown as Site);
    const heard = hear(model);
    const answered = (route: string, answer: object, asked = {}, params = {}) =>
      heard({ route, answer, asked, params, sentAt: 0 });
    const so_id = 1;
    const so = { so_id, so_number: "SO-1" };
    const parcel = (parcel_id: number, status: string, lines: object[] = []) => ({
      ...{ parcel_id, external_id: `p${parcel_id}`, so_id, status, lines },
    });
    const left = (so_status: string, ...parcels: [parcel_id: number, carrier: string][]) => ({
      ...{ so_number: "SO-1", so_status },
      parcels: parcels.map(([parcel_id, carrier]) => ({ parcel_id, carrier, ship_method: null })),
    });
    const packing = "post /api/packing/parcels";
    const shipping = "post /api/shipping/parcels";
    answered("post /api/admin/sales-orders", { sales_order: { ...so, warehouse_id: 1, status: "OPEN" } });
    answered("post /api/picking/complete-batch", { transfer: null, summary: { orders: [so] } });
    // A first parcel is packed anew, the next one leaves before the rest.
    for (const parcel_id of [11, 12]) {
      answered(packing, parcel(parcel_id, "OPEN"));
      answered(`${packing}/:parcel_id/scan`, {}, { scanned_barcode: "111", quantity: 2 }, { parcel_id });
      answered(`${packing}/:parcel_id/close`, parcel(parcel_id, "CLOSED"));
      if (parcel_id === 11) answered(`${packing}/:parcel_id/void`, parcel(parcel_id, "VOIDED"));
    }
    answered(`${shipping}/:parcel_id/ship`, left("PICKED", [12, "UPS"]));
    assert.equal(model.moved.of("1 mug"), -2);
    const rest = [
      { sku: "MUG", quantity: 1 },
      { sku: "BOWL", quantity: 4 },
    ];
    answered(`${packing}/rest`, parcel(13, "CLOSED", rest));
    answered("post /api/packing/complete", { so_number: "SO-1", status: "PACKED" });
    answered(`${shipping}/:parcel_id/void`, parcel(12, "CLOSED"));
    answered(`${shipping}/ship`, left("SHIPPED", [12, "UPS"], [13, "DHL"]));
    assert.deepEqual([model.moved.of("1 mug"), model.moved.of("1 bowl")], [-3, -4]);
    answered(`${shipping}/:parcel_id/void`, parcel(12, "CLOSED"));
    assert.equal(model.orders.get(so_id)?.status, "PACKED");
    answered("post /api/shipping/fulfill", {}, { so_id });
    answered("post /api/v1/station/orders/:so_number/void-ship", { status: "PACKED" }, {}, { so_number: "SO-1" });
    assert.deepEqual([model.moved.of("1 mug"), model.moved.of("1 bowl")], [-1, -4]);
    assert.deepEqual(model.events.get("SO-1"), [
      "pick.confirmed",
      "ship.confirmed 2 of mug",
      "pack.confirmed 2 of mug, then 1 of mug and 4 of bowl",
      "ship.voided p12",
      ...["ship.confirmed 2 of mug", "ship.confirmed 1 of mug and 4 of bowl"],
      ...["ship.voided p12", "ship.confirmed 2 of mug", "ship.voided p12"],
    ]);
    const packages = (...sent: [item: string, units: number][][]) =>
      sent.map((lines) => ({
        lines: lines.map(([item_external_id, quantity_packed]) => ({ item_external_id, quantity_packed })),
      }));
    const told = new Told();
    const tell = (event_type: string, data: object) =>
      told.hear({ event_type, warehouse_id: 1, data: { so_number: "SO-1", ...data } });
    tell("pack.confirmed", {
      packages: packages(
        [["mug", 2]],
        [
          ["bowl", 4],
          ["mug", 1],
          ["lid", 0],
        ],
      ),
    });
    tell("ship.voided", { package_external_id: "p12" });
    assert.deepEqual(told.events.get("SO-1"), model.events.get("SO-1")?.slice(2, 4));
  });

  it("want each event at the partner, once and in order, however far it is behind", () => {
    const partner = new Matching();
    for (const id of [4, 7]) partner.await(id);
    assert.deepEqual(faults({ partner }), ["2 event(s) never came"]);
    for (const id of [4, 4, 7, 9]) partner.came(id);
    assert.deepEqual([partner.matched, partner.duplicates], [2, 1]);
    assert.deepEqual(faults({ partner }), ["1 event(s) came that nobody polled"]);
    for (const id of [9, 12, 13]) partner.await(id);
    for (const id of [13, 12]) partner.came(id);
    assert.deepEqual(faults({ partner }), ["event 13 came in the place of 12"]);
  });

  it("read from events what moved, and nothing from picks and moves within a warehouse", () => {
    const line = (quantity: string, units: number) => [{ item_external_id: "MUG", [quantity]: units }];
    const units = (event_type: string, data: object) =>
      movementsOf({ event_type, warehouse_id: 1, data }).map((one) => [one.warehouse_id, one.item, one.units]);
    assert.deepEqual(units("receipt.completed", { lines: line("quantity_received", 5) }), [[1, "MUG", 5]]);
    assert.deepEqual(units("return.received", { lines: line("quantity_received", 1) }), [[1, "MUG", 1]]);
    assert.deepEqual(units("receipt.cancelled", { lines: line("quantity_reversed", 5) }), [[1, "MUG", -5]]);
    const parcels = [{ lines: line("quantity_packed", 2) }, { lines: line("quantity_packed", 1) }];
    assert.deepEqual(units("ship.confirmed", { packages: parcels }), [
      [1, "MUG", -2],
      [1, "MUG", -1],
    ]);
    const adjusted = { item_external_id: "MUG", quantity_delta: -3 };
    assert.deepEqual(units("inventoryadjusted.completed", adjusted), [[1, "MUG", -3]]);
    const moved = { from_warehouse_id: 1, to_warehouse_id: 2, lines: line("quantity", 4) };
    assert.deepEqual(units("inventorytransfer.completed", moved), [
      [1, "MUG", -4],
      [2, "MUG", 4],
    ]);
    assert.deepEqual(units("pick.confirmed", { lines: line("quantity_picked", 2) }), []);
  });
});

describe("events that are polled", () => {
  it("are noticed when one of their numbers is left out, comes twice, or nobody caused one", async () => {
    const event = (event_id: number, event_type: string, data = {}) => ({ event_id, event_type, data });
    const confirmed = { so_number: "SO-1", lines: [] };
    const events = [
      ...[event(5, "pick.confirmed", confirmed), event(7, "pick.confirmed", confirmed)],
      ...[
        event(7, "backorder.fulfillable", { backorder_so_number: "SO-1-BO" }),
        event(8, "purchaseorderedit.completed"),
      ],
    ];
    const service = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ events }));
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const told = new Told();
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const reader = new EventReader(new Caller(url, new Measure()), 4, undefined, told);
    await reader.page();
    assert.deepEqual([reader.gaps, reader.outOfOrder], [["7 came after 5"], 1]);
    assert.deepEqual(Object.fromEntries(told.events), {
      "SO-1": ["pick.confirmed", "pick.confirmed"],
      "purchaseorderedit.completed": ["is an event that nobody caused"],
    });
    assert.equal(told.released.get("SO-1-BO"), 1);
    service.close();
    service.closeAllConnections();
  });
});

describe("a request that is sent once more", () => {
  it("must get the same answer", async () => {
    let asked = 0;
    const service = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ so_number: ++asked < 3 ? 1 : 2 }));
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const measure = new Measure();
    const till = new Caller(`http://127.0.0.1:${(service.address() as AddressInfo).port}`, measure);
    const first = await till.post("/refund");
    await till.repeat("/refund", {}, first);
    assert.deepEqual(measure.unexpected, []);
    await till.repeat("/refund", {}, first);
    assert.equal(measure.unexpectedCount, 1);
    service.close();
    service.closeAllConnections();
  });
});

describe("shipments, as events tell of them,", () => {
  const told = (shipments: Shipments) => (event_type: string, order: string, parcels?: Record<string, number>) =>
    shipments
      .movementsOf({
        ...{ event_type, warehouse_id: 1 },
        data: {
          ...{ sales_order_external_id: order, so_number: `SO-${order}` },
          ...(event_type === "ship.voided" && parcels && { package_external_id: Object.keys(parcels)[0] }),
          packages: Object.entries(parcels ?? { [`${order}-pkg-1`]: 2 }).map(([name, quantity_packed]) => ({
            ...{ package_external_id: name, lines: [{ item_external_id: "MUG", quantity_packed }] },
            ...(parcels && { parcel_number: Number(name) }),
          })),
        },
      })
      .map(({ units }) => units);

  it("are taken back by a void, and are noticed when they stand already", () => {
    const shipments = new Shipments();
    const of = told(shipments);
    assert.deepEqual(of("ship.confirmed", "1"), [-2]);
    assert.deepEqual(of("ship.voided", "1"), [2]);
    assert.deepEqual(of("ship.confirmed", "1"), [-2]);
    assert.deepEqual(of("ship.confirmed", "2"), [-2]);
    assert.deepEqual(shipments.faults, []);
    assert.deepEqual(of("ship.confirmed", "1"), [-2]);
    assert.deepEqual(shipments.faults, ["SO-1"]);
  });

  it("are those of parcels, of which each leaves and is taken back by itself", () => {
    const shipments = new Shipments();
    const of = told(shipments);
    assert.deepEqual(of("ship.confirmed", "1", { 1: 2 }), [-2]);
    assert.deepEqual(of("ship.confirmed", "1", { 2: 3, 3: 4 }), [-3, -4]);
    assert.deepEqual(of("ship.voided", "1", { 2: 3 }), [3]);
    assert.deepEqual(of("ship.confirmed", "1", { 2: 3 }), [-3]);
    assert.deepEqual(shipments.faults, []);
    of("ship.confirmed", "1", { 3: 4 });
    assert.deepEqual(shipments.faults, ["SO-1, parcel 3"]);
  });

  it("are noticed twice also when their units are forgotten, and so is a void that comes that late", () => {
    const shipments = new Shipments(2);
    const of = told(shipments);
    for (let n = 1; n <= 2000; n++) of("ship.confirmed", String(n));
    assert.deepEqual(of("ship.voided", "1999"), [2]);
    assert.deepEqual(of("ship.confirmed", "1999"), [-2]);
    assert.deepEqual(shipments.faults, []);
    for (const order of ["1", "1997", "2001"]) of("ship.confirmed", order);
    assert.deepEqual(shipments.faults, ["SO-1", "SO-1997"]);
    assert.deepEqual(of("ship.voided", "5"), []);
    assert.equal(shipments.faults.at(-1), "SO-5, which was voided late");
  });
});

describe("the command line of the simulation", () => {
  const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readOptions(args, env);

  it("has a value for all but the password and a report", () => {
    assert.deepEqual(read([], { SIMULATE_PASSWORD: "secret-1" }), {
      ...{ url: "http://127.0.0.1:8080", user: "admin", password: "secret-1" },
      ...{ speed: 60, hours: 1, seed: 1, soak: false, faults: false, seeds: 1, minutes: Number.POSITIVE_INFINITY },
      ...{ both: false, planned: false, customers: 1, report: undefined },
    });
    assert.throws(() => read([]), /--password is missing/);
  });

  it("takes a soak as real time", () => {
    const { hours, soak } = read(["--password", "x", "--speed", "10", "--soak", "30m"]);
    assert.deepEqual([hours, soak], [5, true]);
    assert.equal(read(["--password", "x", "--speed", "1", "--soak", "8h"]).hours, 8);
  });

  it("needs no password for faults, and has one seed, or as many as fit into some minutes", () => {
    const ofSeeds = ({ speed, seeds, minutes }: Options) => [speed, seeds, minutes];
    const without = Number.POSITIVE_INFINITY;
    assert.deepEqual(ofSeeds(read(["--faults"])), [120, 1, without]);
    assert.equal(read(["--both", "--customers", "6"]).customers, 6);
    assert.deepEqual(ofSeeds(read(["--faults", "--seeds", "20"])), [120, 20, without]);
    assert.deepEqual(ofSeeds(read(["--faults", "--minutes", "60", "--speed", "60"])), [60, without, 60]);
  });

  for (const wrong of [
    ["--speed", "0"],
    ["--speed", "fast"],
    ["--hours", "-1"],
    ["--seed", "1.5"],
    ["--soak", "8"],
    ["--url", "here"],
    ["--seeds", "2"],
    ["--minutes", "5"],
    ["--faults"],
    ["--both"],
    ["--customers", "0"],
    ["--unknown"],
  ])
    it(`refuses ${wrong.join(" ")}`, () => assert.throws(() => read(["--password", "x", ...wrong]), UsageError));
});
