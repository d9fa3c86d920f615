import assert from "node:assert/strict";
import { type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

describe("put-away", () => {
  let service: TestService;
  let here: number;
  let elsewhere: number;
  let worker: Caller;
  before(async () => {
    ({ service, user: worker, warehouse_id: here, elsewhere } = await openTwoWarehouses());
  });
  after(() => service.close());
  afterEach(() => assertInvariants());

  const codeOf = async (bin_id: number) =>
    (await db.value<string>("select bin_code from bins where bin_id = $1", [bin_id])) as string;
  const prefer = (item_id: number, bin_id: number, priority: number) =>
    db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, $3)", [item_id, bin_id, priority]);
  const audits = (action: string, item_id: number) =>
    db.rows<{ user_id: string; warehouse_id: number; details: Record<string, unknown> }>(
      `select user_id, warehouse_id, details from audit_log
       where action_type = $1 and entity_type = 'ITEM' and entity_id = $2 order by log_id`,
      [action, item_id],
    );

  describe("pending", () => {
    it("lists what lies in both kinds of staging bin, with the bin it is to go to", async () => {
      const there = await warehouse();
      const { item_id, sku, upc } = await item();
      const other = await item();
      const shelf = await bin(there, { code: "SHELF" });
      const staging = await bin(there, { type: "Staging", code: "S-1" });
      const pickable = await bin(there, { type: "PickableStaging", code: "S-2" });
      await prefer(item_id, shelf, 1);
      const first = await stock(there, staging, item_id, 7, "LOT-1");
      const second = await stock(there, pickable, other.item_id, 2);
      await stock(there, staging, other.item_id, 0);
      await stock(there, shelf, item_id, 100);
      const { pending_items } = await service.admin.ok("GET", `/api/putaway/pending/${there}`);
      assert.deepEqual(pending_items, [
        {
          ...{ inventory_id: first, item_id, sku, item_name: `Item ${sku}`, upc, quantity: 7 },
          bin_id: staging,
          bin_code: "S-1",
          lot_number: "LOT-1",
          suggested_bin_id: shelf,
          suggested_bin_code: "SHELF",
          suggested_bin: "SHELF",
        },
        {
          inventory_id: second,
          item_id: other.item_id,
          sku: other.sku,
          item_name: `Item ${other.sku}`,
          upc: other.upc,
          ...{ quantity: 2, bin_id: pickable, bin_code: "S-2", lot_number: null },
          ...{ suggested_bin_id: null, suggested_bin_code: null, suggested_bin: null },
        },
      ]);
    });

    it("is not found for a word instead of a warehouse", async () => {
      assert.equal((await service.admin.get("/api/putaway/pending/all")).status, 404);
    });
  });

  describe("the staging summary", () => {
    it("shows every staging bin, the empty ones too", async () => {
      const there = await warehouse();
      const [full, empty] = [
        await bin(there, { type: "Staging", code: "S-1" }),
        await bin(there, { type: "PickableStaging", code: "S-2" }),
      ];
      const { item_id, sku } = await item();
      await stock(there, full, item_id, 4, "LOT-1");
      await stock(there, full, item_id, 3);
      await stock(there, empty, item_id, 0);
      await stock(there, await bin(there), item_id, 9);
      const line = { item_id, sku, item_name: `Item ${sku}`, upc: `UPC-${sku}`, suggested_bin: null };
      const summary = await service.admin.ok("GET", `/api/putaway/staging-summary?warehouse_id=${there}`);
      assert.deepEqual(await service.admin.ok("GET", `/api/putaway/staging-summary/${there}`), summary);
      for (const one of summary.bins[0].items) assert.equal(typeof one.inventory_id, "number");
      for (const one of summary.bins[0].items) delete one.inventory_id;
      assert.deepEqual(summary, {
        bins: [
          {
            ...{ bin_id: full, bin_code: "S-1", bin_type: "Staging", sku_count: 1, total_qty: 7, total_quantity: 7 },
            items: [
              { ...line, quantity: 4, quantity_on_hand: 4, lot_number: "LOT-1" },
              { ...line, quantity: 3, quantity_on_hand: 3, lot_number: null },
            ],
          },
          {
            bin_id: empty,
            bin_code: "S-2",
            bin_type: "PickableStaging",
            sku_count: 0,
            total_qty: 0,
            total_quantity: 0,
            items: [],
          },
        ],
      });
    });

    it("needs a warehouse, one that the user may use", async () => {
      const missing = await worker.get("/api/putaway/staging-summary");
      assert.deepEqual([missing.status, missing.body.details[0].loc], [400, ["warehouse_id"]]);
      assert.equal((await worker.get(`/api/putaway/staging-summary?warehouse_id=${elsewhere}`)).status, 403);
    });
  });

  describe("suggest", () => {
    it("names the first preferred bin in the user's warehouses, else the default bin, else none", async () => {
      const { item_id, sku } = await item();
      const [far, near, home] = [await bin(elsewhere), await bin(here), await bin(here)];
      const suggested = async (caller: Caller) => {
        const answer = await caller.ok("GET", `/api/putaway/suggest/${item_id}`);
        const { preferred_bin, suggested_bin, ...rest } = answer;
        assert.deepEqual(rest, { item_id, sku, item_name: `Item ${sku}` });
        assert.deepEqual(preferred_bin, suggested_bin);
        return suggested_bin && [suggested_bin.bin_id, suggested_bin.bin_code, suggested_bin.priority];
      };
      assert.equal(await suggested(worker), null);
      await db.run("update items set default_bin_id = $2 where item_id = $1", [item_id, home]);
      assert.deepEqual(await suggested(worker), [home, await codeOf(home), 1]);
      await prefer(item_id, far, 1);
      await prefer(item_id, near, 2);
      assert.deepEqual(await suggested(worker), [near, await codeOf(near), 2]);
      assert.deepEqual(await suggested(service.admin), [far, await codeOf(far), 1]);
      await db.run("update bins set is_active = false where bin_id = $1", [near]);
      assert.deepEqual(await suggested(worker), [home, await codeOf(home), 1]);
    });

    it("answers 404 for an unknown item", async () => {
      const { status, body } = await worker.get("/api/putaway/suggest/999999");
      assert.deepEqual([status, body], [404, { error: "Item not found" }]);
    });
  });

  describe("confirm", () => {
    /** Ten units in a staging bin, and an empty shelf. */
    async function received(lot: string | null = null) {
      const { item_id, sku } = await item();
      const [from_bin_id, to_bin_id] = [await bin(here, { type: "Staging" }), await bin(here)];
      const inventory_id = await stock(here, from_bin_id, item_id, 10, lot);
      return { item_id, sku, from_bin_id, to_bin_id, inventory_id };
    }
    const onHand = (item_id: number, bin_id: number, lot: string | null = null) =>
      db.value<number>(
        `select quantity_on_hand as units from inventory
         where item_id = $1 and bin_id = $2 and lot_number is not distinct from $3`,
        [item_id, bin_id, lot],
      );

    it("moves the units, and leaves a transfer and an audit row but no event", async () => {
      const { item_id, sku, from_bin_id, to_bin_id, inventory_id } = await received();
      const answer = await worker.ok("POST", "/api/putaway/confirm", { item_id, from_bin_id, to_bin_id, quantity: 4 });
      const [from_bin, to_bin] = [await codeOf(from_bin_id), await codeOf(to_bin_id)];
      const { transfer_id } = answer;
      assert.deepEqual(answer, {
        ...{ message: `Put away 4 of ${sku} in ${to_bin}`, transfer_id, item: sku, from_bin, to_bin, quantity: 4 },
      });
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 6, allocated: 0 });
      assert.equal(await onHand(item_id, to_bin_id), 4);
      const transfer = await db.row(
        `select item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number, transferred_by
         from bin_transfers where transfer_id = $1`,
        [transfer_id],
      );
      assert.deepEqual(transfer, {
        item_id,
        from_bin_id,
        to_bin_id,
        warehouse_id: here,
        quantity: 4,
        transfer_type: "PUTAWAY",
        lot_number: null,
        transferred_by: worker.username,
      });
      assert.deepEqual(await audits("PUTAWAY", item_id), [
        {
          ...{ user_id: worker.username, warehouse_id: here },
          details: { item_id, transfer_id, from_bin_id, to_bin_id, quantity: 4, lot_number: null },
        },
      ]);
      assert.deepEqual(await db.rows("select from integration_events"), []);
    });

    it("keeps the emptied row at zero and adds to a row that is there", async () => {
      const { item_id, from_bin_id, to_bin_id, inventory_id } = await received();
      const shelf = await stock(here, to_bin_id, item_id, 5);
      await worker.ok("POST", "/api/putaway/confirm", { item_id, from_bin_id, to_bin_id, quantity: 10 });
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 0, allocated: 0 });
      assert.deepEqual(await stockOf(shelf), { on_hand: 15, allocated: 0 });
    });

    it("moves the named lot only", async () => {
      const { item_id, from_bin_id, to_bin_id } = await received("LOT-1");
      const move = { item_id, from_bin_id, to_bin_id, quantity: 4 };
      const refused = await worker.post("/api/putaway/confirm", move);
      const bin_code = await codeOf(from_bin_id);
      assert.deepEqual(statusAndBody(refused), [
        400,
        {
          error: `Insufficient quantity in ${bin_code}: 0 available, 4 requested`,
          ...{ bin: bin_code, available: 0, requested: 4 },
        },
      ]);
      await worker.ok("POST", "/api/putaway/confirm", { ...move, lot_number: "LOT-1" });
      assert.equal(await onHand(item_id, to_bin_id, "LOT-1"), 4);
      assert.equal(await onHand(item_id, to_bin_id), undefined);
    });

    it("answers 400 when more is moved than is there, and changes nothing", async () => {
      const { item_id, from_bin_id, to_bin_id, inventory_id } = await received();
      const { status, body } = await worker.post("/api/putaway/confirm", {
        item_id,
        from_bin_id,
        to_bin_id,
        quantity: 11,
      });
      assert.equal(status, 400);
      assert.match(body.error, /10 available, 11 requested/);
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 0 });
      assert.equal(await onHand(item_id, to_bin_id), undefined);
    });

    it("answers 400 when both bins are the same", async () => {
      const { item_id, from_bin_id } = await received();
      const { status, body } = await worker.post("/api/putaway/confirm", {
        ...{ item_id, from_bin_id, to_bin_id: from_bin_id, quantity: 1 },
      });
      assert.deepEqual([status, body.error, body.details[0].type], [400, "validation_error", "value_error"]);
      assert.deepEqual(body.details[0].loc, []);
    });

    it("answers 404 for an unknown item or bin", async () => {
      const { item_id, from_bin_id, to_bin_id } = await received();
      const move = { item_id, from_bin_id, to_bin_id, quantity: 1 };
      for (const [change, error] of [
        [{ item_id: 999999 }, "Item not found"],
        [{ from_bin_id: 999999 }, "Bin 999999 not found"],
        [{ to_bin_id: 999999 }, "Bin 999999 not found"],
      ] as const) {
        const { status, body } = await worker.post("/api/putaway/confirm", { ...move, ...change });
        assert.deepEqual([status, body], [404, { error }]);
      }
    });

    it("answers 400 when the destination is in another warehouse", async () => {
      const { item_id, from_bin_id } = await received();
      const to_bin_id = await bin(elsewhere);
      const { status, body } = await worker.post("/api/putaway/confirm", {
        item_id,
        from_bin_id,
        to_bin_id,
        quantity: 1,
      });
      assert.equal(status, 400);
      assert.match(body.error, /belongs to another warehouse/);
    });

    for (const wrong of [
      { quantity: 0 },
      { quantity: 100_001 },
      { quantity: 1.5 },
      { lot_number: "x".repeat(101) },
      { extra: 1 },
    ]) {
      it(`answers 400 to ${JSON.stringify(wrong).slice(0, 30)}`, async () => {
        const move = { item_id: 1, from_bin_id: 1, to_bin_id: 2, quantity: 1, ...wrong };
        assert.deepEqual(statusAndError(await worker.post("/api/putaway/confirm", move)), [400, "validation_error"]);
      });
    }
  });

  describe("update-preferred", () => {
    const priorities = async (item_id: number) =>
      (
        await db.rows<{ bin_id: number; priority: number }>(
          "select bin_id, priority from preferred_bins where item_id = $1 order by priority",
          [item_id],
        )
      ).map(({ bin_id, priority }) => [bin_id, priority]);

    it("puts the bin first, moves the others down and makes it the default bin", async () => {
      const { item_id } = await item();
      const [a, b, c] = [await bin(here), await bin(here), await bin(here)];
      for (const bin_id of [a, b, c]) {
        const answer = await worker.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id });
        assert.deepEqual({ ...answer, message: "" }, { message: "", item_id, bin_id, bin_code: await codeOf(bin_id) });
      }
      assert.deepEqual(await priorities(item_id), [
        [c, 1],
        [b, 2],
        [a, 3],
      ]);
      await worker.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id: b });
      assert.deepEqual(await priorities(item_id), [
        [b, 1],
        [c, 2],
        [a, 3],
      ]);
      const found = await db.row("select default_bin_id from items where item_id = $1", [item_id]);
      assert.deepEqual(found, { default_bin_id: b });
    });

    it("closes gaps that were there before", async () => {
      const { item_id } = await item();
      const [a, b] = [await bin(here), await bin(here)];
      await prefer(item_id, a, 5);
      await worker.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id: b });
      assert.deepEqual(await priorities(item_id), [
        [b, 1],
        [a, 2],
      ]);
    });

    it("only leaves an audit row when not asked to put it first", async () => {
      const { item_id } = await item();
      const bin_id = await bin(here);
      await worker.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id, set_as_primary: false });
      assert.deepEqual(await priorities(item_id), []);
      assert.deepEqual(await audits("PREFERRED_BIN_UPDATE", item_id), [
        {
          ...{ user_id: worker.username, warehouse_id: here },
          details: { item_id, bin_id, bin_code: await codeOf(bin_id), set_as_primary: false },
        },
      ]);
    });

    it("keeps priorities contiguous when many choose at once", async () => {
      const { item_id } = await item();
      const bins = await Promise.all(Array.from({ length: 8 }, () => bin(here)));
      const answers = await Promise.all(
        [...bins, ...bins].map((bin_id) => worker.post("/api/putaway/update-preferred", { item_id, bin_id })),
      );
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      const after = await priorities(item_id);
      assert.deepEqual(
        after.map(([, priority]) => priority),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      const found = await db.row("select default_bin_id from items where item_id = $1", [item_id]);
      assert.deepEqual(found, { default_bin_id: after[0]?.[0] });
    });

    it("refuses unknown items and bins, bins of other warehouses and bins that are not Pickable", async () => {
      const { item_id } = await item();
      const staging = await bin(here, { type: "PickableStaging", code: "STAGE-9" });
      for (const [body, status, error] of [
        [{ item_id: 999999, bin_id: staging }, 404, "Item not found"],
        [{ item_id, bin_id: 999999 }, 404, "Bin 999999 not found"],
        [{ item_id, bin_id: await bin(elsewhere) }, 403, "Access denied for this warehouse"],
        [{ item_id, bin_id: staging }, 400, "Bin STAGE-9 is PickableStaging: only a Pickable bin can be preferred"],
      ] as const) {
        assert.deepEqual(statusAndBody(await worker.post("/api/putaway/update-preferred", body)), [status, { error }]);
      }
    });

    it("answers 400 to a switch that is none", async () => {
      const { status } = await worker.post("/api/putaway/update-preferred", {
        item_id: 1,
        bin_id: 1,
        set_as_primary: "yes",
      });
      assert.equal(status, 400);
    });
  });
});
