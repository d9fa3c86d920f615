import assert from "node:assert/strict";
import { type Answer, type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const BINS = "/api/admin/bins";

describe("a bin", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["bins"]));
  });
  after(() => service.close());

  const bin = () => fixtures.bin(warehouse_id);
  const read = async (bin_id: number) => (await service.admin.ok("GET", `${BINS}/${bin_id}`)).bin;

  it("is read by every user of its warehouse, as scanners do before they receive", async () => {
    const bin_id = await bin();
    const other = await fixtures.bin(elsewhere);
    const user = await service.user({ warehouse_ids: [warehouse_id] });
    const { bins } = await user.ok("GET", `${BINS}?per_page=1000`);
    assert.ok(bins.some((one: { bin_id: number }) => one.bin_id === bin_id));
    assert.deepEqual(new Set(bins.map((one: { warehouse_id: number }) => one.warehouse_id)), new Set([warehouse_id]));
    assert.equal((await user.ok("GET", `${BINS}/${bin_id}`)).bin.bin_id, bin_id);
    for (const hidden of [`${BINS}?warehouse_id=${elsewhere}`, `${BINS}/${other}`])
      assert.deepEqual(statusAndError(await user.get(hidden)), [403, "Access denied for this warehouse"], hidden);
    const nobody = await service.user();
    assert.equal((await nobody.ok("GET", BINS)).total, 0);
    for (const refused of [await user.put(`${BINS}/${bin_id}`, { aisle: "A" }), await user.delete(`${BINS}/${bin_id}`)])
      assert.deepEqual(statusAndError(refused), [403, "permission_denied"]);
  });

  describe("that is edited", () => {
    it("changes what is sent of it, and audits what that was", async () => {
      const bin_id = await bin();
      const before = await read(bin_id);
      const zone = await read(await bin());
      const mark = await auditMark();
      const changes = {
        zone_id: zone.zone_id,
        bin_code: " NEW-1 ",
        bin_barcode: "new barcode",
        bin_type: "Staging",
        aisle: "A",
        row_num: 2,
        level_num: 0,
        position_num: null,
        pick_sequence: 7,
        putaway_sequence: 8,
        is_active: false,
        is_reserve: true,
      };
      const saved = await keeper.put(`${BINS}/${bin_id}`, changes);
      const after = {
        ...before,
        ...changes,
        bin_code: "NEW-1",
        row_num: "2",
        level_num: "0",
        zone_name: zone.zone_name,
        updated_at: saved.body.updated_at,
      };
      assert.deepEqual([saved.status, saved.body], [200, after]);
      assert.ok(saved.body.updated_at > before.updated_at);
      assert.deepEqual(await read(bin_id), after);
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "entity_type", "entity_id"), [["UPDATE", "BIN", bin_id]]);
      const changed = rows[0]?.details.changed;
      const edits = Object.keys(changes).filter((field) => field !== "position_num");
      const differences = edits.map((field) => [field, { old: before[field], new: saved.body[field] }]);
      assert.deepEqual(changed, Object.fromEntries(differences));
    });

    it("keeps what is not sent, and writes no audit row for no change", async () => {
      const bin_id = await bin();
      const before = await read(bin_id);
      const mark = await auditMark();
      const saved = await keeper.ok("PUT", `${BINS}/${bin_id}`, { bin_type: before.bin_type });
      assert.deepEqual(saved, before);
      assert.deepEqual(await auditSince(mark), []);
    });

    it("keeps a code of its own within its warehouse", async () => {
      const { bin_code } = await read(await bin());
      const refused = await keeper.put(`${BINS}/${await bin()}`, { bin_code });
      assert.deepEqual(statusAndBody(refused), [
        400,
        { error: `Duplicate bin code: ${bin_code} already exists in this warehouse` },
      ]);
    });

    it("stays in its warehouse", async () => {
      const bin_id = await bin();
      const far = await read(await fixtures.bin(elsewhere));
      const refused = await service.admin.put(`${BINS}/${bin_id}`, { zone_id: far.zone_id });
      assert.deepEqual(statusAndBody(refused), [400, { error: `Zone ${far.zone_id} not found in this warehouse` }]);
      const named = { aisle: "B", warehouse_id: elsewhere };
      await service.admin.ok("PUT", `${BINS}/${bin_id}`, named);
      assert.equal((await read(bin_id)).warehouse_id, warehouse_id);
    });

    it("by two at once keeps what each of them changed", async () => {
      const bin_id = await bin();
      const lock = "select from bins where bin_id = $1 for update";
      const edit = (body: object) => () => service.admin.put(`${BINS}/${bin_id}`, body);
      const answers = await queuedBehindLock(lock, [bin_id], edit({ aisle: "A" }), edit({ row_num: 3 }));
      assert.deepEqual(pluck(answers, "status"), [200, 200]);
      const { aisle, row_num } = await read(bin_id);
      assert.deepEqual([aisle, row_num], ["A", "3"]);
    });
  });

  it("that is not there is 404, for an edit and for a deletion", async () => {
    const path = `${BINS}/999999`;
    for (const missing of [await keeper.put(path, { aisle: "X" }), await keeper.delete(path)])
      assert.deepEqual([missing.status, missing.body], [404, { error: "Bin 999999 not found" }]);
  });

  describe("that is deleted", () => {
    const refusal = async (bin_id: number) => {
      const { bin_code } = await read(bin_id);
      const refused = await keeper.delete(`${BINS}/${bin_id}`);
      await read(bin_id);
      const reason = refused.body.error.split("cannot be deleted: ");
      return [refused.status, reason[0] === `Bin ${bin_code} ` && reason[1]];
    };

    it("goes with its stock rows at zero, and is no item's default bin any more", async () => {
      const bin_id = await bin();
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, bin_id, item_id, 0);
      await service.admin.ok("PUT", `/api/admin/items/${item_id}`, { default_bin_id: bin_id });
      const { bin_code } = await read(bin_id);
      const mark = await auditMark();
      const deleted = await keeper.delete(`${BINS}/${bin_id}`);
      assert.deepEqual([deleted.status, deleted.body], [200, { message: `Bin ${bin_code} deleted` }]);
      assert.equal((await keeper.get(`${BINS}/${bin_id}`)).status, 404);
      const { item } = await service.admin.ok("GET", `/api/admin/items/${item_id}`);
      assert.equal(item.default_bin_id, null);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [["DELETE", { bin_code }]]);
    });

    it("holds no stock", async () => {
      const bin_id = await bin();
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, bin_id, item_id, 1);
      assert.deepEqual(await refusal(bin_id), [409, "it has existing inventory"]);
    });

    it("is nobody's preferred bin", async () => {
      const bin_id = await bin();
      const { item_id } = await fixtures.item();
      await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id });
      assert.deepEqual(await refusal(bin_id), [409, "a preferred-bin mapping names it"]);
    });

    it("is not the default receiving bin", async () => {
      const bin_id = await bin();
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { default_receiving_bin: String(bin_id) } });
      assert.deepEqual(await refusal(bin_id), [
        409,
        "it is the default receiving bin; choose another in the settings first",
      ]);
    });

    it("was never used: records of what was done keep naming it", async () => {
      const [from, to] = [await bin(), await bin()];
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, from, item_id, 4);
      await service.admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: from, to_bin_id: to, quantity: 4 });
      assert.deepEqual(await refusal(from), [409, "receipts, moves, counts or picks name it; deactivate it instead"]);
    });
  });

  describe("into which goods come while somebody deletes it", () => {
    const lock = "select from bins where bin_id = $1 for update";
    /** Every way that goods take into a bin, and what it says when the bin is gone. */
    const ways: [string, (to_bin_id: number) => Promise<() => ReturnType<Caller["post"]>>][] = [
      [
        "put-away",
        async (to_bin_id) => {
          const from_bin_id = await fixtures.bin(warehouse_id, { type: "Staging" });
          const { item_id } = await fixtures.item();
          await fixtures.stock(warehouse_id, from_bin_id, item_id, 4);
          return () => service.admin.post("/api/putaway/confirm", { item_id, from_bin_id, to_bin_id, quantity: 4 });
        },
      ],
      [
        "a receipt",
        async (bin_id) => {
          const { item_id } = await fixtures.item();
          const { po_id } = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 4 }]);
          const items = [{ item_id, bin_id, quantity: 4 }];
          return () => service.admin.post("/api/receiving/receive", { po_id, items });
        },
      ],
      [
        "an adjustment",
        async (bin_id) => {
          const { item_id } = await fixtures.item();
          return () =>
            service.admin.post("/api/admin/adjustments/direct", {
              ...{ item_id, bin_id, warehouse_id, quantity: 4 },
              ...{ adjustment_type: "ADD", reason: "found" },
            });
        },
      ],
    ];
    for (const [name, way] of ways) {
      it(`by ${name}: the first wins, the other is refused with the reason`, async () => {
        const kept = await bin();
        const { bin_code } = await read(kept);
        const stayed = await queuedBehindLock(lock, [kept], await way(kept), () =>
          service.admin.delete(`${BINS}/${kept}`),
        );
        assert.deepEqual(
          [stayed[0]?.status === 200 || stayed[0]?.status === 201, statusAndError(stayed[1] as Answer)],
          [true, [409, `Bin ${bin_code} cannot be deleted: it has existing inventory`]],
        );
        const gone = await bin();
        const come = await way(gone);
        const went = await queuedBehindLock(lock, [gone], () => service.admin.delete(`${BINS}/${gone}`), come);
        assert.deepEqual(went.map(statusAndError), [
          [200, undefined],
          [404, `Bin ${gone} not found`],
        ]);
        await assertInvariants();
      });
    }

    it("or becomes the default receiving bin: the setting names no bin that is gone", async () => {
      const settle = (bin_id: number) => () =>
        service.admin.put("/api/admin/settings", { settings: { default_receiving_bin: String(bin_id) } });
      const remove = (bin_id: number) => () => service.admin.delete(`${BINS}/${bin_id}`);
      const kept = await bin();
      const stayed = await queuedBehindLock(lock, [kept], settle(kept), remove(kept));
      assert.deepEqual(pluck(stayed, "status"), [200, 409]);
      const gone = await bin();
      const went = await queuedBehindLock(lock, [gone], remove(gone), settle(gone));
      assert.deepEqual(pluck(went, "status"), [200, 400]);
      const setting = await db.row<{ value: string }>(
        "select value from app_settings where key = 'default_receiving_bin'",
      );
      assert.equal(setting?.value, String(kept));
    });
  });
});
