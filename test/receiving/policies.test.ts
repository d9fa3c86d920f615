import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { dayAfter } from "../../src/platform/time.js";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, purchaseOrder, stock } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { fresh, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { pluck } from "../support/pluck.js";
import { returnsDesk } from "../support/returns.js";

const RECEIVE = "/api/receiving/receive";
const GS = "\u001d";

interface Asked {
  lot_policy?: string;
  requires_expiry?: boolean;
  shelf_life_days?: number;
  shelf_life_from?: string;
  min_days_at_receipt?: number;
}

describe("what an item asks of units that come", () => {
  const { at, receive: receiveReturn, expected, shippedFromBin } = returnsDesk();
  const admin = () => at().service.admin;
  const ask = (item_id: number, asked: Asked) => admin().ok("PUT", `/api/admin/items/${item_id}`, asked);

  /** An item that asks for something, and a purchase order of a thousand of it. */
  async function goods(asked: Asked) {
    const made = await item({ upc: newUpc() });
    if (Object.keys(asked).length > 0) await ask(made.item_id, asked);
    const { po_id } = await purchaseOrder(at().here, [{ item_id: made.item_id, quantity: 1000 }]);
    const entry = (more: object) => ({ item_id: made.item_id, quantity: 2, bin_id: at().dock, ...more });
    const receive = (...entries: object[]) => admin().post(RECEIVE, { po_id, items: entries.map(entry) });
    const label = (elements: string) => ({ scanned_barcode: `01${made.upc?.padStart(14, "0")}${elements}` });
    return { ...made, upc: made.upc as string, po_id, receive, label };
  }
  const today = async () =>
    (await db.value<string>("select (now() at time zone current_setting('company.time_zone'))::date::text")) as string;
  const inDays = async (days: number) => dayAfter(await today(), days);
  const rowsOf = (item_id: number) =>
    db.rows<{ lot_number: string | null; expiry: string | null; units: number }>(
      `select lot_number, expiry_date::text as expiry, quantity_on_hand as units from inventory
       where item_id = $1 and quantity_on_hand > 0 order by lot_number, bin_id`,
      [item_id],
    );
  const lotsOf = (item_id: number) =>
    db.rows<{ lot_number: string; produced: string | null; expiry: string | null }>(
      `select lot_number, production_date::text as produced, expiry_date::text as expiry from lots
       where item_id = $1 order by lot_number`,
      [item_id],
    );
  const madeIn = (item_id: number, lot_number: string, production_date: string) =>
    db.run("insert into lots (item_id, lot_number, production_date) values ($1, $2, $3)", [
      ...[item_id, lot_number, production_date],
    ]);
  const refusal = ({ status, code, body }: Answer) => [status, code, body.field];

  describe("at receipt", () => {
    it("is nothing of an item that asks for nothing", async () => {
      const { item_id, receive, label } = await goods({});
      const made = await receive({}, { lot_number: "L" }, label(`11300101${GS}17290101${GS}10M`));
      assert.equal(made.status, 200, "days that cannot be true are of no matter, as they never were");
      assert.deepEqual(
        (await rowsOf(item_id)).map(({ lot_number, expiry }) => [lot_number, expiry]),
        [
          ["L", null],
          ["M", "2029-01-01"],
          [null, null],
        ],
      );
      assert.deepEqual((await lotsOf(item_id)).at(-1), { lot_number: "M", produced: null, expiry: "2029-01-01" });
    });

    it("may be the number of a lot, which a label may tell; nothing of a refused receipt is written", async () => {
      const { item_id, sku, receive, label } = await goods({ lot_policy: "required" });
      const refused = await receive({ lot_number: "L-1" }, {});
      assert.deepEqual(refusal(refused), [400, "lot_required", "lot_number"]);
      assert.equal(refused.body.error, `Units of ${sku} come with the number of their lot only`);
      assert.deepEqual([await rowsOf(item_id), await lotsOf(item_id)], [[], []]);
      assert.equal((await receive({ lot_number: "L-1" }, label("10L-2"))).status, 200);
      assert.deepEqual(pluck(await rowsOf(item_id), "lot_number"), ["L-1", "L-2"]);
    });

    it("may be that lots are not kept: one that is given is refused, that of a label is left out", async () => {
      const { item_id, sku, receive, label } = await goods({ lot_policy: "none" });
      const refused = await receive({ lot_number: "L-1" });
      assert.deepEqual(refusal(refused), [400, "lot_not_kept", "lot_number"]);
      assert.equal(refused.body.error, `Lots of ${sku} are not kept, but lot L-1 was given`);
      const { body } = await receive(label(`17300101${GS}10L-2`));
      assert.deepEqual(await rowsOf(item_id), [{ lot_number: null, expiry: "2030-01-01", units: 2 }]);
      assert.deepEqual(
        await db.rows("select lot_number from item_receipts where receipt_id = any($1)", [body.receipt_ids]),
        [{ lot_number: null }],
      );
    });

    it("may be the last day: told, on the label, or known of the lot", async () => {
      const { item_id, receive, label } = await goods({ requires_expiry: true });
      assert.deepEqual(refusal(await receive({})), [400, "expiry_required", "expiry_date"]);
      assert.deepEqual(refusal(await receive({ lot_number: "L-1" })), [400, "expiry_required", "expiry_date"]);
      assert.equal((await receive({ lot_number: "L-1", expiry_date: "2098-01-01" })).status, 200);
      assert.equal((await receive({ lot_number: "L-1" })).status, 200);
      assert.equal((await receive(label(`15301231${GS}10L-2`))).status, 200, "best before is a last day");
      assert.deepEqual(await rowsOf(item_id), [
        { lot_number: "L-1", expiry: "2098-01-01", units: 4 },
        { lot_number: "L-2", expiry: "2030-12-31", units: 2 },
      ]);
    });

    it("is told of a lot once, where two entries bring units of it", async () => {
      const { item_id, receive } = await goods({ requires_expiry: true, lot_policy: "required" });
      const lot = { lot_number: "L-1" };
      const second = await bin(at().here);
      const day = { expiry_date: "2098-01-01", production_date: "2026-01-01" };
      assert.equal((await receive({ ...lot, bin_id: second }, { ...lot, ...day })).status, 200);
      assert.deepEqual(pluck(await rowsOf(item_id), "expiry"), ["2098-01-01", "2098-01-01"]);
      assert.deepEqual(await lotsOf(item_id), [{ lot_number: "L-1", produced: "2026-01-01", expiry: "2098-01-01" }]);
    });

    it("may be a shelf life from production, whose day is that of the lot", async () => {
      const { item_id, receive, label } = await goods({ requires_expiry: true, shelf_life_days: 2000 });
      assert.deepEqual(refusal(await receive({ lot_number: "L-1" })), [400, "expiry_required", "production_date"]);
      assert.equal((await receive({ lot_number: "L-1", production_date: "2026-01-31" })).status, 200);
      assert.equal((await receive(label(`11260201${GS}10L-2`))).status, 200);
      assert.equal(
        (await receive({ lot_number: "L-3", production_date: "2026-01-31", expiry_date: "2097-01-01" })).status,
        200,
      );
      assert.deepEqual(await lotsOf(item_id), [
        { lot_number: "L-1", produced: "2026-01-31", expiry: "2031-07-24" },
        { lot_number: "L-2", produced: "2026-02-01", expiry: "2031-07-25" },
        { lot_number: "L-3", produced: "2026-01-31", expiry: "2097-01-01" },
      ]);
      assert.equal((await receive({ lot_number: "L-1", production_date: "2026-01-01" })).status, 200);
      const [known] = await lotsOf(item_id);
      assert.equal(known?.produced, "2026-01-31", "the day that is known of a lot stays");
    });

    it("may be a shelf life from the day of receipt", async () => {
      const { item_id, receive } = await goods({ shelf_life_days: 10, shelf_life_from: "receipt" });
      assert.equal((await receive({})).status, 200);
      assert.deepEqual(pluck(await rowsOf(item_id), "expiry"), [await inDays(10)]);
    });

    it("may be how many days are left: fewer are refused, with the days", async () => {
      const { item_id, sku, receive } = await goods({ min_days_at_receipt: 30 });
      const expiry_date = await inDays(29);
      const refused = await receive({ expiry_date });
      assert.deepEqual(refusal(refused), [400, "too_few_days_left", "expiry_date"]);
      assert.deepEqual([refused.body.days, refused.body.least], [29, 30]);
      assert.equal(
        refused.body.error,
        `${sku} expires on ${expiry_date}, which leaves 29 days; at least 30 are asked for at receipt`,
      );
      assert.equal((await receive({ expiry_date: await inDays(30) })).status, 200);
      assert.equal((await receive({ lot_number: "L-1" })).status, 200, "nobody asks for a day");
      assert.equal((await rowsOf(item_id)).length, 2);
    });

    it("is a day that can be true", async () => {
      const { receive } = await goods({ shelf_life_days: 5 });
      const tomorrow = await inDays(1);
      assert.deepEqual(refusal(await receive({ production_date: tomorrow })), [
        ...[400, "produced_later", "production_date"],
      ]);
      const before = { lot_number: "L-1", production_date: "2026-02-01", expiry_date: "2026-01-01" };
      assert.deepEqual(refusal(await receive(before)), [400, "expires_before_production", "production_date"]);
      const wrong = await receive({ production_date: "2026-02-30" });
      assert.equal(wrong.status, 400);
      assert.match(JSON.stringify(wrong.body), /production_date/);
      assert.equal((await (await goods({})).receive(before)).status, 400);
    });

    it("holds for a label and a request that differ", async () => {
      const { receive, label } = await goods({});
      const answer = await receive({ ...label("11260201"), production_date: "2026-02-02" });
      assert.deepEqual([answer.status, answer.code], [400, "scan_disagrees"]);
    });
  });

  describe("when they come back", () => {
    it("leaves out the lot that they were shipped from, where lots are not kept any more", async () => {
      const { so_id, item_id } = await expected(2, 5, () => shippedFromBin(5, "L-1"));
      await ask(item_id, { lot_policy: "none" });
      const refused = await receiveReturn(so_id, item_id, 1, { lot_number: "L-1" }, admin());
      assert.deepEqual(refusal(refused), [400, "lot_not_kept", "lot_number"]);
      assert.equal((await receiveReturn(so_id, item_id, 1)).status, 200);
      assert.deepEqual(await rowsOf(item_id), [{ lot_number: null, expiry: null, units: 1 }]);
    });

    it("takes the lot that they were shipped from, and asks for one where there is none", async () => {
      const one = await expected(2, 5, () => shippedFromBin(5, "L-1"));
      await ask(one.item_id, { lot_policy: "required" });
      assert.equal((await receiveReturn(one.so_id, one.item_id, 1)).status, 200);
      const other = await expected(2, 5, () => shippedFromBin(5));
      await ask(other.item_id, { lot_policy: "required" });
      assert.deepEqual(refusal(await receiveReturn(other.so_id, other.item_id, 1)), [
        ...[400, "lot_required", "lot_number"],
      ]);
      assert.equal((await receiveReturn(other.so_id, other.item_id, 1, { lot_number: "L-2" })).status, 200);
    });

    it("lets a receipt be repeated that came before the item asked", async () => {
      const { so_id, item_id } = await expected(2, 5, () => shippedFromBin(5));
      const key = { idempotency_key: randomUUID() };
      assert.equal((await receiveReturn(so_id, item_id, 1, key)).status, 200);
      await ask(item_id, { lot_policy: "required" });
      const again = await receiveReturn(so_id, item_id, 1, key);
      assert.deepEqual([again.status, again.body.replayed], [200, true]);
    });

    it("is a last day, and one that the day of production of their lot allows", async () => {
      const { so_id, item_id } = await expected(2, 5, () => shippedFromBin(5));
      await ask(item_id, { requires_expiry: true });
      const came = async (more: object) => refusal(await receiveReturn(so_id, item_id, 1, more, admin()));
      assert.deepEqual(await came({}), [400, "expiry_required", "expiry_date"]);
      await madeIn(item_id, "L-1", "2090-01-01");
      assert.deepEqual(await came({ lot_number: "L-1" }), [400, "produced_later", "production_date"]);
      await madeIn(item_id, "L-2", "2020-01-01");
      const before = { lot_number: "L-2", expiry_date: "2019-12-31" };
      assert.deepEqual(await came(before), [400, "expires_before_production", "production_date"]);
    });

    it("has no shelf life from the day on which they come back, and any days left will do", async () => {
      const { so_id, item_id } = await expected(2, 5, () => shippedFromBin(5, "L-1"));
      await ask(item_id, { shelf_life_days: 5, shelf_life_from: "receipt", min_days_at_receipt: 90 });
      const expiry_date = await inDays(1);
      assert.equal((await receiveReturn(so_id, item_id, 1, { lot_number: "L-9" })).status, 200);
      assert.equal((await receiveReturn(so_id, item_id, 1, { lot_number: "L-8", expiry_date })).status, 200);
      assert.deepEqual(await rowsOf(item_id), [
        { lot_number: "L-8", expiry: expiry_date, units: 1 },
        { lot_number: "L-9", expiry: null, units: 1 },
      ]);
    });
  });

  describe("when stock is corrected", () => {
    const adjust = (item_id: number, more: object) =>
      admin().post("/api/admin/adjustments/direct", {
        ...{ item_id, bin_id: at().dock, warehouse_id: at().here },
        ...{ adjustment_type: "ADD", quantity: 3, reason: "found", ...more },
      });

    it("is a lot: the one that is named, else the only one that is there", async () => {
      const { item_id } = await goods({ lot_policy: "required" });
      assert.deepEqual(refusal(await adjust(item_id, {})), [400, "lot_required", "lot_number"]);
      assert.equal((await adjust(item_id, { lot_number: "L-1", expiry_date: "2098-01-01" })).status, 201);
      assert.equal((await adjust(item_id, {})).status, 201);
      assert.deepEqual(await rowsOf(item_id), [{ lot_number: "L-1", expiry: "2098-01-01", units: 6 }]);
      assert.equal((await adjust(item_id, { lot_number: "L-2" })).status, 201);
      assert.deepEqual(refusal(await adjust(item_id, {})), [400, "lot_required", "lot_number"]);
      assert.equal((await adjust(item_id, { adjustment_type: "REMOVE", lot_number: "L-1", quantity: 6 })).status, 201);
      const gone = await adjust(item_id, { adjustment_type: "REMOVE", lot_number: "L-1", quantity: 1 });
      assert.deepEqual([gone.status, gone.code], [400, "insufficient_stock"], "none of another lot is taken");
      assert.equal((await adjust(item_id, { lot_number: "L-1" })).status, 201);
      assert.deepEqual(await rowsOf(item_id), [
        { lot_number: "L-1", expiry: "2098-01-01", units: 3 },
        { lot_number: "L-2", expiry: null, units: 3 },
      ]);
    });

    it("is refused where lots are not kept, and a last day where it is asked for", async () => {
      const none = await goods({ lot_policy: "none" });
      assert.deepEqual(refusal(await adjust(none.item_id, { lot_number: "L" })), [400, "lot_not_kept", "lot_number"]);
      assert.equal((await adjust(none.item_id, {})).status, 201);
      const dated = await goods({ requires_expiry: true });
      assert.deepEqual(refusal(await adjust(dated.item_id, {})), [400, "expiry_required", "expiry_date"]);
      assert.equal((await adjust(dated.item_id, { expiry_date: "2098-01-01" })).status, 201);
      assert.equal((await adjust(dated.item_id, {})).status, 201, "those that are there have one");
      assert.deepEqual(await rowsOf(dated.item_id), [{ lot_number: null, expiry: "2098-01-01", units: 6 }]);
    });

    it("is a last day that the day of production of the lot allows", async () => {
      const { item_id } = await goods({ requires_expiry: true });
      await madeIn(item_id, "L-1", "2090-01-01");
      assert.deepEqual(refusal(await adjust(item_id, { lot_number: "L-1" })), [
        ...[400, "produced_later", "production_date"],
      ]);
      await madeIn(item_id, "L-2", "2020-01-01");
      assert.deepEqual(refusal(await adjust(item_id, { lot_number: "L-2", expiry_date: "2019-12-31" })), [
        ...[400, "expires_before_production", "production_date"],
      ]);
    });

    it("is a last day also when an adjustment is approved", async () => {
      const { item_id } = await goods({ requires_expiry: true });
      const adjustment_id = await pendingAdjustment(at().here, at().dock, item_id, 2);
      const refused = await admin().post("/api/admin/adjustments/review", {
        decisions: [{ adjustment_id, action: "approve" }],
      });
      assert.deepEqual(refusal(refused), [400, "expiry_required", "expiry_date"]);
    });

    it("is asked when an adjustment is approved, which waits then", async () => {
      const { item_id } = await goods({ lot_policy: "required" });
      const adjustment_id = await pendingAdjustment(at().here, at().dock, item_id, 2);
      const review = () =>
        admin().post("/api/admin/adjustments/review", { decisions: [{ adjustment_id, action: "approve" }] });
      const refused = await review();
      assert.deepEqual(refusal(refused), [400, "lot_required", "lot_number"]);
      assert.deepEqual(refused.body.decisions, [{ adjustment_id, status: "PENDING", quantity_change: 2 }]);
      await stock(at().here, at().dock, item_id, 1, "L-1");
      assert.equal((await review()).status, 200);
      assert.deepEqual(await rowsOf(item_id), [{ lot_number: "L-1", expiry: null, units: 3 }]);
    });

    it("is asked by an import, row by row", async () => {
      const { item_id, sku } = await goods({ lot_policy: "required", requires_expiry: true });
      const codes = await db.row<{ warehouse: string; bin: string }>(
        `select warehouse_code as warehouse, bin_code as bin from bins join warehouses using (warehouse_id)
         where bin_id = $1`,
        [at().dock],
      );
      const load = (...rows: object[]) =>
        admin().ok("POST", "/api/admin/import/inventory-adjustments", {
          records: rows.map((row) => ({ sku, ...codes, qty: 2, ...row })),
        });
      const answer = await load({}, { lot_number: "L-1" }, { lot_number: "L-2", expiry_date: "2098-01-01" });
      assert.deepEqual(answer.errors, [
        { row: 1, error: `lot_number: Units of ${sku} come with the number of their lot only` },
        {
          row: 2,
          error: `expiry_date: Units of ${sku} come with their last day only, or one that it follows from`,
        },
      ]);
      assert.deepEqual(await rowsOf(item_id), [{ lot_number: "L-2", expiry: "2098-01-01", units: 2 }]);
    });
  });

  it("is asked of a bin's units that another system tells of", async () => {
    await useTestMappings();
    const shop = await sender(at().service, { warehouse_ids: [at().here] });
    const { external_id, item_id } = await pushedItem(shop);
    await ask(item_id, { lot_policy: "required" });
    const bin_code = await db.value<string>("select bin_code from bins where bin_id = $1", [at().dock]);
    const update = (target_quantity: number) =>
      shop.post("/api/v1/inbound/inventory_update", {
        ...{ external_id: fresh("update"), external_version: "1" },
        source_payload: {
          ...{ item_external_id: external_id, bin_code, warehouse_id: at().here, target_quantity },
          reason_code: "COUNT",
        },
      });
    const refused = await update(2);
    assert.deepEqual([refused.status, refused.body.error_kind], [409, "lot_required"]);
    await ask(item_id, { lot_policy: "optional", requires_expiry: true });
    assert.equal((await update(2)).body.error_kind, "expiry_required");
    await ask(item_id, { lot_policy: "required", requires_expiry: false });
    await stock(at().here, at().dock, item_id, 1, "L-1");
    assert.equal((await update(3)).status, 201);
    assert.deepEqual(await rowsOf(item_id), [{ lot_number: "L-1", expiry: null, units: 3 }]);
  });

  it("is asked of the stock that an import of items brings; the item of a refused row is not made", async () => {
    const default_bin = await db.value<string>("select bin_code from bins where bin_id = $1", [at().dock]);
    const sku = (name: string) => `${default_bin}-${name}`;
    const row = (name: string, more: object) => ({
      sku: sku(name),
      item_name: name,
      default_bin,
      quantity: 3,
      ...more,
    });
    const { imported, errors } = await admin().ok("POST", "/api/admin/import/items", {
      records: [
        row("a", { lot_policy: "required" }),
        row("b", { lot_policy: "none", lot_number: "L-1" }),
        row("c", { requires_expiry: true, shelf_life_days: 30 }),
        row("d", { requires_expiry: true, shelf_life_days: 2000, lot_number: "L-1", production_date: "2026-01-31" }),
        row("e", { expiry_date: "2026-02-30" }),
        row("f", {}),
      ],
    });
    assert.equal(imported, 2);
    assert.deepEqual(
      errors.map(({ row: number, error }: { row: number; error: string }) => `${number} ${error.split(":")[0]}`),
      ["1 lot_number", "2 lot_number", "3 production_date", "5 expiry_date"],
    );
    const rows = await db.rows<{ sku: string; lot_number: string | null; produced: string | null }>(
      `select sku, lot_number, production_date::text as produced
       from items left join inventory v using (item_id) left join lots using (item_id, lot_number)
       where sku like $1 order by sku`,
      [`${default_bin}-%`],
    );
    assert.deepEqual(
      rows.map(({ sku: name, lot_number, produced }) => [name, lot_number, produced]),
      [
        [sku("d"), "L-1", "2026-01-31"],
        [sku("f"), null, null],
      ],
    );
  });
});
