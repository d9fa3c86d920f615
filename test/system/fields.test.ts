import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";

describe("the fields of every route", () => {
  const service = testService({ worker: true });

  /** What JavaScript reads as 16, and nobody writes. */
  const odd = ["0x10", "0b10000", "1.6e1", "+16", "16.0", " 16", "16 "].concat(
    ...["\u00a016", "16\n", "\uff11\uff16", "1_6", "16n"],
  );

  describe("a path", () => {
    it("that nobody serves is not found", async () => {
      assert.deepEqual(statusAndBody(await service.admin.get("/api/nowhere")), [404, { error: "Not found" }]);
      assert.equal((await service.admin.delete("/api/health")).status, 404);
    });

    it("with something that is no id where an id belongs is not found", async () => {
      for (const id of ["abc", "1.5", "0", "-1", "99999999999", ...odd]) {
        const { status, body } = await service.admin.get(`/api/admin/purchase-orders/${encodeURIComponent(id)}`);
        assert.deepEqual([status, body], [404, { error: "Not found" }], id);
      }
      const { body } = await service.admin.get("/api/admin/purchase-orders/999");
      assert.notDeepEqual(body, { error: "Not found" });
    });

    it("that cannot be decoded is refused", async () => {
      assert.equal((await service.admin.get("/api/receiving/po/%E0%A4%A")).status, 400);
    });
  });

  describe("a query", () => {
    it("has integers of digits alone", async () => {
      const paths = [
        ...["users?page=", "users?per_page=", "purchase-orders?warehouse_id="],
        ...["short-picks?days=", "inter-warehouse-transfers?limit="],
        ...["webhook-errors?limit=", "webhook-errors?offset="],
        "inbound/activity?limit=",
      ].map((path) => `/api/admin/${path}`);
      for (const path of paths) {
        assert.equal((await service.admin.get(`${path}16`)).status, 200, path);
        for (const text of [...odd, "-16", ""]) {
          const { status, body } = await service.admin.get(path + encodeURIComponent(text));
          assert.deepEqual([status, body.error], [400, "validation_error"]);
        }
      }
    });

    it("names a warehouse by digits alone", async () => {
      const warehouse_id = await warehouse();
      const user = await service.user({ warehouse_ids: [warehouse_id] });
      for (const text of [`+${warehouse_id}`, `${warehouse_id}.0`, "-1", "0x1"])
        assert.deepEqual((await user.get(`/api/admin/users?warehouse_id=${encodeURIComponent(text)}`)).body, {
          error: "Invalid warehouse_id",
        });
    });
  });

  describe("a time", () => {
    const paths = [
      ...["start_date", "end_date"].map((end) => `audit-log?${end}=`),
      ...["from", "to"].map((end) => `webhook-errors?${end}=`),
      ...["since", "until"].map((end) => `inbound/activity?${end}=`),
    ].map((path) => `/api/admin/${path}`);
    const ask = (path: string, time: string) => service.admin.get(path + encodeURIComponent(time));

    it("may have any offset that there is, and any year from 1970 to 9998", async () => {
      for (const path of paths)
        for (const time of [
          "2026-05-06T12:00:00+16:00",
          "2026-05-06T12:00:00.123456-23:59",
          "1970-01-01T00:00:00Z",
          "9998-12-31T23:59:59.999999Z",
        ])
          assert.equal((await ask(path, time)).status, 200, path + time);
    });

    it("that is none, or of another year as UTC, is refused", async () => {
      for (const path of paths)
        for (const time of [
          ...["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"],
          ...["1970-01-01T00:00:00+00:01", "9998-12-31T23:59:59-00:01"],
          ...["2026-02-30T00:00:00Z", "2026-05-06T12:00:00+24:00"],
          ...["2026-05-06T12:00:00", "now", "infinity", "+012026-01-01"],
        ]) {
          const { status, body } = await ask(path, time);
          assert.deepEqual([status, body.error], [400, "validation_error"], path + time);
        }
    });
  });

  describe("a value that no field looked at", () => {
    const refusing = (table: string) =>
      db.run(`create trigger refuses before insert on ${table} execute function refuse_value()`);
    before(() =>
      db.run(
        `create function refuse_value() returns trigger language plpgsql
         as $$ begin raise 'no such value' using errcode = '22007'; end $$`,
      ),
    );
    const refused = [
      400,
      {
        error: "validation_error",
        details: [{ type: "value_error", loc: [], msg: "A value has a form or a size that cannot be stored" }],
      },
    ];

    it("and the database does not take is the caller's fault", async () => {
      await refusing("vendors");
      assert.deepEqual(statusAndBody(await service.admin.post("/api/admin/vendors", { vendor_name: "Acme" })), refused);
    });

    it("is so in a process as well, and ends the step", async () => {
      const warehouse_id = await warehouse();
      const bin_id = await bin(warehouse_id);
      const { item_id } = await item();
      await stock(warehouse_id, bin_id, item_id, 5);
      const lines = [{ item_id, quantity: 5 }];
      const { so_id } = await salesOrder(warehouse_id, lines);
      await refusing("pick_tasks");
      const { status, body } = await service.admin.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      assert.deepEqual([status, body], refused);
    });
  });
});
