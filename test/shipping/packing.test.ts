import assert from "node:assert/strict";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { actor, type LineToWalk, pickedOrder, startWave } from "../support/walk.js";

describe("packing", () => {
  const service = testService();
  let here: number;
  let packer: Caller;
  before(async () => {
    here = await warehouse();
    packer = await service.user({ warehouse_ids: [here] });
  });
  afterEach(() => assertInvariants());

  const picked = (lines: LineToWalk[]) => pickedOrder(service.admin, here, lines);
  const verify = (so_id: number, scanned_barcode: string, quantity?: number) =>
    packer.post("/api/packing/verify", { so_id, scanned_barcode, quantity });
  const complete = (so_id: number) => packer.post("/api/packing/complete", { so_id });
  const packedUnits = async (so_id: number) =>
    (
      await db.rows<{ quantity_packed: number; status: string }>(
        "select quantity_packed, status from sales_order_lines where so_id = $1 order by line_number",
        [so_id],
      )
    ).map((line) => [line.quantity_packed, line.status]);

  it("counts a scan of several units on all lines of the item, in order", async () => {
    const mug = await item();
    const bin_id = await bin(here);
    await stock(here, bin_id, mug.item_id, 5);
    const order = await salesOrder(here, [
      { item_id: mug.item_id, quantity: 2 },
      { item_id: mug.item_id, quantity: 3 },
    ]);
    const { batch_id, tasks } = await startWave(service.admin, here, [order.so_id], false);
    for (const { pick_task_id, sku, quantity_to_pick } of tasks)
      await confirmPick(
        { pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick },
        actor(service.admin),
      );
    await completeWave(batch_id, actor(service.admin));
    const { so_id } = order;
    const part = await verify(so_id, mug.sku, 4);
    assert.deepEqual(
      [part.status, part.body.item.line_complete, part.body.order_progress.lines_verified],
      [200, false, 1],
    );
    assert.deepEqual(await packedUnits(so_id), [
      [2, "PACKED"],
      [2, "PICKED"],
    ]);
    assert.equal((await verify(so_id, mug.sku, 2)).status, 400);
    const rest = await verify(so_id, mug.sku, 1);
    assert.deepEqual([rest.body.item.line_complete, rest.body.order_progress.all_verified], [true, true]);
  });

  describe("looking up an order", () => {
    it("shows what is to be packed, and its exact weight", async () => {
      const mug = await item({ weight: "0.1050" });
      const jug = await item();
      const { so_id, so_number } = await picked([
        { item: mug, quantity: 3 },
        { item: jug, quantity: 4, found: 0 },
      ]);
      await db.run(
        `update sales_orders set so_barcode = 'PACK-ME', ship_method = 'Ground', ship_address = 'There', memo = 'Gift'
          where so_id = $1`,
        [so_id],
      );
      await verify(so_id, mug.sku, 2);
      for (const barcode of ["PACK-ME", "pack-me", so_number]) {
        const found = await packer.ok("GET", `/api/packing/order/${barcode}`);
        const lineIds = found.lines.map((line: { so_line_id: number }) => line.so_line_id);
        const line = (n: number, of: typeof mug) => ({
          so_line_id: lineIds[n - 1],
          line_number: n,
          item_id: of.item_id,
          sku: of.sku,
          item_name: `Item ${of.sku}`,
          upc: of.upc,
          properties: [],
        });
        assert.deepEqual(found, {
          sales_order: {
            ...{ so_id, so_number, so_barcode: "PACK-ME", customer_name: "Customer", status: "PICKED" },
            ...{ ship_method: "Ground", ship_address: "There", goes_to: "There", warehouse_id: here, memo: "Gift" },
          },
          lines: [
            {
              ...line(1, mug),
              weight_lbs: 0.105,
              quantity_ordered: 3,
              quantity_picked: 3,
              quantity_packed: 2,
              pack_verified: false,
            },
            {
              ...line(2, jug),
              ...{ weight_lbs: 0, quantity_ordered: 4, quantity_picked: 0, quantity_packed: 0, pack_verified: true },
            },
          ],
          calculated_weight_lbs: 0.32,
          total_items: 3,
          items_verified: 2,
          is_short: true,
        });
      }
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const far = await salesOrder(await warehouse(), []);
      for (const barcode of ["NOPE", far.so_number]) {
        const { status, body } = await packer.get(`/api/packing/order/${barcode}`);
        assert.deepEqual([status, body], [404, { error: "Sales order not found" }]);
      }
    });

    for (const so_status of ["OPEN", "PACKED", "SHIPPED", "CANCELLED"]) {
      it(`answers 400 for an order that is ${so_status}`, async () => {
        const { so_id, so_number } = await salesOrder(here, []);
        await db.run("update sales_orders set status = $2 where so_id = $1", [so_id, so_status]);
        const refused = {
          error: `Sales order ${so_number} is ${so_status}, not ready to pack: only a PICKED order is`,
          ...{ so_number, status: so_status },
        };
        for (const answer of [
          await packer.get(`/api/packing/order/${so_number}`),
          await verify(so_id, "1"),
          await complete(so_id),
        ]) {
          assert.deepEqual([answer.status, answer.body], [400, refused]);
        }
      });
    }
  });

  describe("verifying", () => {
    it("counts scanned units, by UPC, alias or SKU, and answers how far the order is", async () => {
      const mug = await item({ aliases: ["MUG-BOX"] });
      const jug = await item();
      const { so_id } = await picked([
        { item: mug, quantity: 3 },
        { item: jug, quantity: 1 },
      ]);
      const first = await verify(so_id, mug.upc as string);
      assert.deepEqual(statusAndBody(first), [
        200,
        {
          message: `Verified 1 of ${mug.sku}`,
          item: { sku: mug.sku, item_name: `Item ${mug.sku}`, quantity_verified: 1, line_complete: false },
          order_progress: { total_lines: 2, lines_verified: 0, all_verified: false },
        },
      ]);
      assert.deepEqual(await packedUnits(so_id), [
        [1, "PICKED"],
        [0, "PICKED"],
      ]);
      const second = await verify(so_id, "MUG-BOX", 2);
      assert.equal(second.body.item.line_complete, true);
      assert.deepEqual(second.body.order_progress, { total_lines: 2, lines_verified: 1, all_verified: false });
      assert.deepEqual(await packedUnits(so_id), [
        [3, "PACKED"],
        [0, "PICKED"],
      ]);
      const last = await verify(so_id, jug.sku);
      assert.deepEqual(last.body.order_progress, { total_lines: 2, lines_verified: 2, all_verified: true });
    });

    it("goes on to the next line of the same item", async () => {
      const mug = await item();
      const { so_id } = await picked([
        { item: mug, quantity: 2 },
        { item: mug, quantity: 1 },
      ]);
      for (const quantity of [2, 1]) assert.equal((await verify(so_id, mug.sku, quantity)).status, 200);
      assert.deepEqual(await packedUnits(so_id), [
        [2, "PACKED"],
        [1, "PACKED"],
      ]);
    });

    it("leaves no audit row and no event", async () => {
      const mug = await item();
      const { so_id } = await picked([{ item: mug, quantity: 1 }]);
      const traces = () =>
        db.row(
          "select (select count(*) from audit_log) as audits, (select count(*) from integration_events) as events",
        );
      const before = await traces();
      await verify(so_id, mug.sku);
      assert.deepEqual(await traces(), before);
    });

    it("takes the GTIN in any form, whoever else has it that is not on the order", async () => {
      const upc = newUpc();
      const mug = await item({ upc: `0${upc}` });
      const { so_id } = await picked([{ item: mug, quantity: 14 }]);
      await item({ upc });
      for (const form of [upc, `00${upc}`]) assert.equal((await verify(so_id, form)).body.item.quantity_verified, 1);
    });

    it("asks which item of the order is meant where several have the code", async () => {
      const upc = newUpc();
      const items = [await item({ upc }), await item({ upc: `0${upc}` })];
      const { so_id } = await picked(items.map((item) => ({ item, quantity: 2 })));
      const { status, body } = await verify(so_id, `00${upc}`);
      const skus = body.candidates.map(({ sku }: { sku: string }) => sku);
      assert.deepEqual([status, skus], [409, items.map(({ sku }) => sku)]);
      for (const { item_id, sku } of items) {
        const scan = { so_id, scanned_barcode: `00${upc}`, item_id };
        assert.equal((await packer.post("/api/packing/verify", scan)).body.item.sku, sku);
      }
      const { item_id } = await item();
      assert.equal((await packer.post("/api/packing/verify", { so_id, scanned_barcode: upc, item_id })).status, 404);
    });

    it("counts a carton as the units that its label says, unless the request says how many", async () => {
      const upc = newUpc();
      const mug = await item({ upc });
      const { so_id } = await picked([{ item: mug, quantity: 14 }]);
      const carton = `]C10200${upc}3712`;
      assert.equal((await verify(so_id, carton, 2)).body.item.quantity_verified, 2);
      const { body } = await verify(so_id, carton);
      assert.deepEqual(body.item, {
        ...{ sku: mug.sku, item_name: `Item ${mug.sku}`, quantity_verified: 12, line_complete: true },
      });
    });

    it("refuses an unknown order, an item that is not on it, a full line and too many units", async () => {
      const mug = await item();
      const other = await item();
      const { so_id, so_number } = await picked([{ item: mug, quantity: 2 }]);
      const refusals: [Promise<{ status: number; body: unknown }>, number, string][] = [
        [verify(999999, mug.sku), 404, "Sales order not found"],
        [verify(so_id, other.sku), 404, `No item with this barcode is on sales order ${so_number}`],
        [verify(so_id, mug.sku, 3), 400, `Only 2 of ${mug.sku} remaining to be packed, 3 given`],
      ];
      for (const [answer, status, error] of refusals) {
        const refused = await answer;
        assert.deepEqual([refused.status, refused.body], [status, { error }]);
      }
      await verify(so_id, mug.sku, 2);
      const full = await verify(so_id, mug.sku);
      assert.deepEqual([full.status, full.body], [400, { error: `All units of ${mug.sku} are already verified` }]);
    });

    for (const wrong of [
      { quantity: 0 },
      { quantity: 100_001 },
      { scanned_barcode: "" },
      { scanned_barcode: "x".repeat(129) },
    ]) {
      it(`answers 400 to ${JSON.stringify(wrong).slice(0, 30)}`, async () => {
        const { status, body } = await packer.post("/api/packing/verify", { so_id: 1, scanned_barcode: "1", ...wrong });
        assert.deepEqual([status, body.error], [400, "validation_error"]);
      });
    }
  });

  describe("completing", () => {
    it("makes the order PACKED, with an audit row and a pack.confirmed event", async () => {
      const mug = await item({ weight: "1.2550" });
      const jug = await item();
      const { so_id, so_number } = await picked([
        { item: mug, quantity: 2 },
        { item: jug, quantity: 3, found: 1 },
      ]);
      await verify(so_id, mug.sku, 2);
      await verify(so_id, jug.sku, 1);
      const answer = await complete(so_id);
      assert.deepEqual(statusAndBody(answer), [
        200,
        { message: `${so_number} is packed`, so_number, status: "PACKED", total_items: 3, calculated_weight_lbs: 2.51 },
      ]);
      const order = await db.row<{ status: string; packed: boolean; external_id: string }>(
        "select status, packed_at is not null as packed, external_id from sales_orders where so_id = $1",
        [so_id],
      );
      assert.deepEqual([order?.status, order?.packed], ["PACKED", true]);
      assert.deepEqual(
        await db.rows(
          `select user_id, warehouse_id, details from audit_log where action_type = 'PACK' and entity_type = 'SO'
            and entity_id = $1`,
          [so_id],
        ),
        [
          {
            ...{ user_id: packer.username, warehouse_id: here },
            details: { so_number, total_expected: 3, total_packed: 3, total_items: 3 },
          },
        ],
      );
      const events = await db.rows<{ payload: { packages: object[]; completed_at: string } }>(
        `select event_data(integration_events) as payload from integration_events where event_type = 'pack.confirmed'
          and entity_id = $1`,
        [so_id],
      );
      const external = (item_id: number) =>
        db.value<string>("select external_id from items where item_id = $1", [item_id]);
      assert.deepEqual(
        events.map((event) => event.payload.packages),
        [
          [
            {
              ...{ package_external_id: `${order?.external_id}-pkg-1`, weight_lb: 2.51, dimensions_in: null },
              lines: [
                { item_external_id: await external(mug.item_id), sku: mug.sku, quantity_packed: 2 },
                { item_external_id: await external(jug.item_id), sku: jug.sku, quantity_packed: 1 },
              ],
            },
          ],
        ],
      );
      assert.match(events[0]?.payload.completed_at ?? "", /Z$/);
      await assertEventsMatchSchemas();
    });

    it("gives no event a weight that nobody knows", async () => {
      const mug = await item();
      const { so_id } = await picked([{ item: mug, quantity: 1 }]);
      await verify(so_id, mug.sku);
      assert.equal((await complete(so_id)).body.calculated_weight_lbs, 0);
      const event = await db.row(
        `select event_data(integration_events) #> '{packages,0,weight_lb}' as weight from integration_events
         where event_type = 'pack.confirmed' and entity_id = $1`,
        [so_id],
      );
      assert.deepEqual(event, { weight: null });
    });

    it("answers 400 while lines are not verified", async () => {
      const mug = await item();
      const { so_id } = await picked([{ item: mug, quantity: 2 }]);
      await verify(so_id, mug.sku);
      const { status, body } = await complete(so_id);
      assert.deepEqual([status, body], [400, { error: "1 line(s) are not yet verified" }]);
    });

    it("answers 400 when a line was picked short in silence", async () => {
      const mug = await item();
      const { so_id, so_number } = await picked([{ item: mug, quantity: 3, found: 1 }]);
      await verify(so_id, mug.sku);
      await db.run("update pick_tasks set status = 'PICKED' where so_id = $1", [so_id]);
      await db.run("update wave_pick_breakdown set short_quantity = 0 where so_id = $1", [so_id]);
      const { status, body } = await complete(so_id);
      assert.deepEqual(
        [status, body],
        [
          400,
          {
            error: `Picked less than ordered without a short pick being reported: ${mug.sku}`,
            lines: [{ so_number, sku: mug.sku, quantity_ordered: 3, quantity_picked: 1 }],
          },
        ],
      );
    });

    it("is refused when no unit was picked: there is nothing in the parcel", async () => {
      const { so_id } = await picked([{ item: await item(), quantity: 2, found: 0 }]);
      const refused = await complete(so_id);
      assert.deepEqual([refused.status, refused.code], [422, "nothing_to_ship"]);
      const order = await db.row("select status, packed_at from sales_orders where so_id = $1", [so_id]);
      assert.deepEqual(order, { status: "PICKED", packed_at: null });
    });

    it("answers 404 for an unknown order", async () => {
      assert.equal((await complete(999999)).status, 404);
    });
  });
});
