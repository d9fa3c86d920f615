import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { pluck } from "../support/pluck.js";
import { scannedPdf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";
import { walked } from "../support/walk.js";

interface Property {
  name: string;
  value: string;
}
interface Line {
  so_line_id: number;
  line_number: number;
  quantity_ordered: number;
  properties: Property[];
}

describe("what a customer wants of the units of a line", function () {
  this.timeout(60_000);
  const service = testService({ worker: true });
  let desk: Caller;
  let warehouse_id: number;
  let shop: Caller;
  before(async () => {
    await useTestMappings();
    desk = service.admin;
    warehouse_id = await warehouse();
    shop = await sender(service, { warehouse_ids: [warehouse_id] });
  });

  const engraved = (value: string) => [
    { name: "Engraving", value },
    { name: "_uploaded", value: "1" },
  ];
  const [ann, bob] = [engraved("Ann"), engraved("Bob")];

  /** An order of two lines of one item that differ in their engraving alone. */
  async function twoMugs(quantity = 1) {
    const mug = await item();
    await stock(warehouse_id, await bin(warehouse_id), mug.item_id, 10);
    const { sales_order } = await desk.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: fresh("SO"), warehouse_id },
      lines: [ann, bob].map((properties) => ({ item_id: mug.item_id, quantity_ordered: quantity, properties })),
    });
    return { ...(sales_order as { so_id: number; so_number: string }), mug };
  }
  const linesOf = async (so_id: number): Promise<Line[]> =>
    (await desk.ok("GET", `/api/admin/sales-orders/${so_id}`)).lines;
  const wanted = async (so_id: number) =>
    (await linesOf(so_id)).map(({ line_number, quantity_ordered, properties }) => [
      line_number,
      quantity_ordered,
      properties,
    ]);

  it("is kept on the line, and shown to who picks and packs it", async () => {
    const { so_id, so_number, mug } = await twoMugs();
    assert.deepEqual(await wanted(so_id), [
      [1, 1, ann],
      [2, 1, bob],
    ]);
    const { lines: onTicket } = await desk.ok("GET", `/api/admin/sales-orders/${so_id}/picking-ticket`);
    assert.deepEqual(pluck(onTicket, "properties"), [ann, bob]);
    const byLine = (task: { line_properties: { so_number: string; quantity: number; properties: Property[] }[] }) =>
      task.line_properties.map((line) => [line.so_number, line.quantity, line.properties]);

    const wave = await desk.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    assert.equal(wave.total_picks, 1);
    assert.deepEqual(byLine(wave.first_pick), [
      [so_number, 1, ann],
      [so_number, 1, bob],
    ]);
    const batch = await desk.ok("GET", `/api/picking/batch/${wave.batch_id}`);
    assert.deepEqual(byLine(batch.tasks[0]), byLine(wave.first_pick));
    await desk.ok("POST", "/api/picking/confirm", {
      ...{ pick_task_id: wave.first_pick.pick_task_id, scanned_barcode: mug.sku, quantity_picked: 2 },
    });
    await desk.ok("POST", "/api/picking/complete-batch", { batch_id: wave.batch_id });

    const { lines: toPack } = await desk.ok("GET", `/api/packing/order/${so_number}`);
    assert.deepEqual(pluck(toPack, "properties"), [ann, bob]);
    const [page] = await scannedPdf(desk, `/api/packing/order/${so_number}/packing-slip`);
    const slip = (page?.texts ?? []).join(" ");
    assert.match(slip, /Engraving: Ann.*Engraving: Bob/s);
    assert.doesNotMatch(slip, /_uploaded/);
    await desk.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: mug.sku, quantity: 2 });
    await desk.ok("POST", "/api/packing/complete", { so_id });
    await desk.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z", carrier: "UPS" });
    const events = await db.rows<{ event_type: string; lines: { properties?: Property[] }[] }>(
      `select event_type, coalesce(payload -> 'lines', payload -> 'packages' -> 0 -> 'lines') as lines
       from integration_events where entity_type = 'sales_order' and entity_id = $1 order by event_timestamp`,
      [so_id],
    );
    assert.deepEqual(
      events.map(({ event_type, lines }) => [event_type, lines.map((line) => line.properties)]),
      ["pick.confirmed", "pack.confirmed", "ship.confirmed"].map((type) => [type, [ann, bob]]),
    );
  });

  it("gives a batch that goes by order a task for each line", async () => {
    const { so_id, so_number } = await twoMugs();
    const { tasks } = await desk.ok("POST", "/api/picking/create-batch", { so_identifiers: [so_number], warehouse_id });
    assert.deepEqual(
      tasks.map((task: { line_properties: { properties: Property[] }[] }) =>
        task.line_properties.map(({ properties }) => properties),
      ),
      [[ann], [bob]],
    );
    assert.equal((await linesOf(so_id)).length, 2);
  });

  it("goes with the units into a backorder and comes back with a return", async () => {
    const { so_id, mug } = await twoMugs(2);
    const [, second] = await linesOf(so_id);
    const { backorder_so } = await desk.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, {
      lines: [{ so_line_id: second?.so_line_id, short_qty: 2 }],
    });
    assert.deepEqual(await wanted(so_id), [[1, 2, ann]]);
    assert.deepEqual(await wanted(backorder_so.so_id), [[2, 2, bob]]);

    await walked(desk, warehouse_id, { so_id }, []);
    await desk.ok("POST", `/api/admin/sales-orders/${so_id}/admin-ship`);
    const [shipped] = await linesOf(so_id);
    const rma = await desk.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, {
      lines: [{ item_id: mug.item_id, original_so_line_id: shipped?.so_line_id, quantity: 1 }],
    });
    assert.deepEqual(await wanted(rma.so_id), [[1, 1, ann]]);
  });

  it("is bounded, by name", async () => {
    const { item_id } = await item();
    const make = (properties: unknown) =>
      desk.post("/api/admin/sales-orders", {
        ...{ so_number: fresh("SO"), warehouse_id, lines: [{ item_id, quantity_ordered: 1, properties }] },
      });
    for (const properties of [
      Array.from({ length: 31 }, () => ({ name: "a", value: "b" })),
      [{ name: "a".repeat(129), value: "" }],
      [{ name: "a", value: "b".repeat(1001) }],
      [{ name: " ", value: "b" }],
      [{ name: "a" }],
      { a: "b" },
    ])
      assert.equal((await make(properties)).status, 400, JSON.stringify(properties).slice(0, 60));
  });

  it("is pushed, and stays where a later push does not speak of it", async () => {
    const { external_id } = await pushedItem(shop);
    const id = fresh("order");
    let version = 0;
    const send = async (properties: unknown, quantity_ordered = 1, memo = "") => {
      const sent = { item_id: external_id, quantity_ordered, ...(properties !== undefined && { properties }) };
      const lines = [sent, { ...sent, line_number: 2, properties: [] }];
      return push(shop, "sales_orders", id, ++version, { so_number: id, memo, lines });
    };
    const first = await send(ann);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const row = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [id]);
    const so_id = row?.so_id as number;
    const mine = async () => (await linesOf(so_id))[0]?.properties;
    assert.deepEqual(await mine(), ann);
    const { so_line_id } = (await linesOf(so_id))[0] as Line;
    // Another engraving alone replaces no line, so it is taken whatever was begun.
    await send(bob);
    assert.deepEqual(await mine(), bob);
    assert.equal((await linesOf(so_id))[0]?.so_line_id, so_line_id);
    await send(undefined, 1, "Ring twice");
    assert.deepEqual(await mine(), bob);
    await send(undefined, 2);
    assert.deepEqual(await wanted(so_id), [
      [1, 2, bob],
      [2, 2, []],
    ]);
    await send([]);
    assert.deepEqual(await mine(), []);
    const { entries } = await desk.ok("GET", `/api/admin/sales-orders/${so_id}/story`);
    assert.ok(
      entries.some(
        ({ details }: { details: Record<string, unknown> | null }) =>
          details?.old_value === "Engraving: Ann" && details.new_value === "Engraving: Bob",
      ),
    );
    for (const [wrong, why] of [
      ["Ann", /lines\[0\]\.properties: .*has no name/],
      [[{ name: "a", value: {} }], /lines\[0\]\.properties: .*is not a text/],
      [Array.from({ length: 31 }, () => ({ name: "a", value: "b" })), /more than 30/],
    ] as const) {
      const refused = await send(wrong);
      assert.equal(refused.status, 422);
      assert.match(JSON.stringify(refused.body), why);
    }
  });

  it("is a column of an import", async () => {
    const { sku } = await item();
    const number = fresh("SO");
    const row = { so_number: number, sku, quantity: 1, warehouse_id };
    const done = await desk.ok("POST", "/api/admin/import/sales-orders", {
      records: [
        { ...row, properties: "Engraving: Ann: for ever | Size: M" },
        { ...row, properties: "no name" },
      ],
    });
    assert.equal(done.errors.length, 1, JSON.stringify(done));
    const found = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [number]);
    assert.deepEqual(await wanted(found?.so_id as number), [
      [
        1,
        1,
        [
          { name: "Engraving", value: "Ann: for ever" },
          { name: "Size", value: "M" },
        ],
      ],
    ]);
  });
});
