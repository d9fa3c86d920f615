import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/settings";

describe("settings", () => {
  const service = testService();

  const put = (settings: unknown) => service.admin.put(ROUTE, { settings });
  const value = async (key: string) => (await service.admin.ok("GET", `${ROUTE}/${key}`)).value;

  it("are listed by key with what the service starts with", async () => {
    const { settings } = await service.admin.ok("GET", ROUTE);
    const keys = settings.map((s: { key: string }) => s.key);
    assert.deepEqual(keys, [...keys].sort());
    const values = Object.fromEntries(settings.map((s: { key: string; value: string }) => [s.key, s.value]));
    assert.equal(values.require_packing_before_shipping, "true");
    assert.equal(values.session_timeout_hours, "8");
    assert.equal(values.batch_idle_release_hours, "12");
  });

  it("are read one by one; one that was never set is 404", async () => {
    assert.deepEqual(await service.admin.ok("GET", `${ROUTE}/session_timeout_hours`), {
      key: "session_timeout_hours",
      value: "8",
    });
    assert.deepEqual(statusAndBody(await service.admin.get(`${ROUTE}/nothing`)), [404, { error: "Setting not found" }]);
  });

  it("are read by every user where the floor goes by them, the others by who was granted the page", async () => {
    const [picker, clerk] = [await service.user(), await service.user({ page_keys: ["settings"] })];
    await put({ default_receiving_bin: String(await fixtures.bin(await fixtures.warehouse())) });
    for (const key of [
      ...["require_packing_before_shipping", "allow_over_receiving"],
      ...["count_show_expected", "default_receiving_bin"],
    ])
      assert.equal((await picker.ok("GET", `${ROUTE}/${key}`)).value, await value(key));
    assert.equal((await picker.get(`${ROUTE}/allow_over_receipt`)).status, 404);
    for (const path of [ROUTE, `${ROUTE}/session_timeout_hours`, `${ROUTE}/nothing`]) {
      const { status, body } = await picker.get(path);
      assert.deepEqual([status, body.error, body.page], [403, "permission_denied", "settings"], path);
      assert.notEqual((await clerk.get(path)).status, 403);
    }
    assert.equal((await picker.put(ROUTE, { settings: { allow_over_receiving: "false" } })).status, 403);
  });

  it("are changed and added under any key, each change audited with old and new value", async () => {
    const mark = await auditMark();
    const answer = await put({ session_timeout_hours: "9", my_own_key: "ü", count_show_expected: "true" });
    assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ["message"]]);
    assert.equal(await value("session_timeout_hours"), "9");
    assert.equal(await value("my_own_key"), "ü");
    const rows = await auditSince(mark);
    assert.deepEqual(pluckAll(rows, "action_type", "entity_type", "details"), [
      ["UPDATE", "SETTING", { key: "my_own_key", old_value: null, new_value: "ü" }],
      ["UPDATE", "SETTING", { key: "session_timeout_hours", old_value: "8", new_value: "9" }],
    ]);
  });

  it("take text alone, and at least one", async () => {
    for (const [settings, loc] of [
      [{ allow_over_receiving: true }, ["settings", "allow_over_receiving"]],
      [{ session_timeout_hours: 8 }, ["settings", "session_timeout_hours"]],
      [{}, ["settings"]],
      [undefined, ["settings"]],
      ["text", ["settings"]],
      [{ x: null }, ["settings", "x"]],
      [{ ["k".repeat(101)]: "1" }, ["settings", "k".repeat(101)]],
    ] as const) {
      const refused = await put(settings);
      assert.deepEqual(
        [refused.status, refused.body.error, refused.body.details[0].loc],
        [400, "validation_error", loc],
      );
    }
  });

  it("keep packing on while packed orders wait, and change nothing else of the request", async () => {
    const { so_id } = await fixtures.salesOrder(await fixtures.warehouse(), []);
    await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [so_id]);
    const refused = await put({ require_packing_before_shipping: "false", another: "1" });
    assert.deepEqual(statusAndBody(refused), [
      400,
      { error: "Packing cannot be switched off while 1 order(s) are PACKED: ship or revert them first" },
    ]);
    assert.equal((await service.admin.get(`${ROUTE}/another`)).status, 404);
    await db.run("update sales_orders set status = 'SHIPPED' where so_id = $1", [so_id]);
    assert.equal((await put({ require_packing_before_shipping: "false" })).status, 200);
    assert.equal(await value("require_packing_before_shipping"), "false");
  });

  describe("that are known", () => {
    const refusal = async (key: string, text: string) => {
      const { status, body } = await put({ [key]: text, another: "1" });
      return [status, body.error];
    };
    const must = (key: string, expected: string) => [400, `${key} must be ${expected}`];

    it("company_currency is one that there is, or none", async () => {
      for (const text of ["EUR", ""]) assert.equal((await put({ company_currency: text })).status, 200);
      for (const text of ["EURO", "eur", "XYZ"])
        assert.deepEqual(await refusal("company_currency", text), must("company_currency", "a currency such as EUR"));
      await put({ company_currency: "PLN" });
      assert.equal((await service.admin.ok("GET", "/api/auth/me")).company_currency, "PLN");
    });

    for (const key of [
      ...["require_packing_before_shipping", "allow_over_receiving"],
      ...["allow_over_receipt", "count_show_expected"],
      "require_count_approval_separation",
      ...["transfer_order_block_self_approval", "pos_activity_enabled"],
      "fraud_review_billing_shipping",
    ])
      it(`${key} is on or off`, async () => {
        for (const text of ["false", "true"]) {
          assert.equal((await put({ [key]: text })).status, 200);
          assert.equal(await value(key), text);
        }
        for (const text of ["", "TRUE", "yes", "1", " true"])
          assert.deepEqual(await refusal(key, text), must(key, '"true" or "false"'));
        assert.equal(await value(key), "true");
        assert.equal((await service.admin.get(`${ROUTE}/another`)).status, 404);
      });

    const bubbles = (entries: unknown) => JSON.stringify(entries);
    const wrongOrRight: [string, string, string[], string[]][] = [
      [
        "batch_idle_release_hours",
        "a number of hours from 0 (never) to 8760",
        ["-1", "1,5", "", "twelve", "8761", " 1"],
        ["0", "0.5", "12", "8760"],
      ],
      [
        "pick_lease_minutes",
        "a whole number of minutes from 1 to 1440",
        ["0", "0.5", "1441", ""],
        ["1", "1440", "120"],
      ],
      ["replenishment_look_minutes", "a number of minutes from 0 (never) to 1440", ["-1", "1441"], ["0", "2.5"]],
      ["short_decision_hours", "a number of hours from 0 (never) to 8760", ["-1", "day"], ["24", "0"]],
      ["short_decision_otherwise", "wait, ship_short or cancel_rest", ["", "ship"], ["ship_short", "wait"]],
      ["parcel_tracking_days", "a number of days from 0 (never) to 3650", ["-1", "month"], ["30", "0"]],
      ["parcel_late_days", "a number of days from 0 (never) to 3650", ["-1", "3651"], ["1", "0.5"]],
      ["parcel_lost_days", "a number of days from 0 (never) to 3650", ["-1", ""], ["7", "0"]],
      ["returns_expire_days", "a number of days from 0 (never) to 3650", ["-1", "", "3651", "month"], ["30", "0"]],
      [
        "session_timeout_hours",
        "a whole number of hours from 1 to 8760",
        ["0", "1.5", "", "8761", "-1"],
        ["1", "8760", "8"],
      ],
      [
        "dashboard_bubble_origins",
        "a JSON array of objects with the texts origin and label",
        [
          ...["", "web", "{}", bubbles(["web"]), bubbles([{ origin: "web" }])],
          bubbles([{ origin: "", label: "Shop" }]),
          bubbles([{ origin: "w".repeat(65), label: "Shop" }]),
        ],
        ["[]", bubbles([{ origin: "web", label: "Shop" }])],
      ],
      ["picking_ticket_company_name", "a text of at most 256 characters", ["X".repeat(257)], ["", "Mugs & Co"]],
      [
        "picking_ticket_returns_text",
        "a text of at most 4000 characters",
        ["X".repeat(4001)],
        ["", "Send it back.\nThank you."],
      ],
      [
        "picking_ticket_logo_url",
        "a text of at most 2048 characters, without a user name or password",
        ["https://user:pass@example.com/a.png", "https://user@example.com/", "//user:pass@x/a.png", "X".repeat(2049)],
        ["", "https://example.com/logo@2x.png", "/logo@2x.png"],
      ],
    ];
    for (const [key, expected, wrong, right] of wrongOrRight)
      it(`${key} is ${expected}`, async () => {
        for (const text of wrong) assert.deepEqual(await refusal(key, text), must(key, expected), text);
        for (const text of right) {
          assert.equal((await put({ [key]: text })).status, 200);
          assert.equal(await value(key), text);
        }
      });

    it("name a bin and a warehouse that there are", async () => {
      const warehouse_id = await fixtures.warehouse();
      const bin_id = await fixtures.bin(warehouse_id);
      const path = `/api/admin/warehouses/${warehouse_id}`;
      const { warehouse } = await service.admin.ok("GET", path);
      const right = { default_receiving_bin: String(bin_id), BACKORDER_WAREHOUSE_CODE: warehouse.warehouse_code };
      assert.equal((await put(right)).status, 200);
      for (const text of ["999999", ` ${bin_id}`, "STAGE"])
        assert.deepEqual(
          await refusal("default_receiving_bin", text),
          must("default_receiving_bin", "the bin_id of a bin, or empty"),
        );
      assert.deepEqual(
        await refusal("BACKORDER_WAREHOUSE_CODE", "NOWHERE"),
        must("BACKORDER_WAREHOUSE_CODE", "the code of a warehouse, or empty"),
      );
      assert.equal(await value("default_receiving_bin"), String(bin_id));
    });

    it("may be empty where they name something: then they name nothing", async () => {
      const unset = { default_receiving_bin: "", BACKORDER_WAREHOUSE_CODE: "" };
      assert.equal((await put(unset)).status, 200);
      for (const key of Object.keys(unset)) assert.equal(await value(key), "");
      const { settings } = await service.admin.ok("GET", ROUTE);
      const whole = settings.map(({ key, value }: { key: string; value: string }) => [key, value]);
      assert.equal((await put(Object.fromEntries(whole))).status, 200);
    });
  });

  it("that two set at once tell the audit trail one after the other", async () => {
    const mark = await auditMark();
    const answers = await queuedBehindLock(
      "select pg_advisory_xact_lock(hashtext('app_settings'))",
      [],
      () => put({ fresh: "first" }),
      () => put({ fresh: "second" }),
    );
    for (const answer of answers) assert.equal(answer.status, 200);
    assert.deepEqual(pluck(await auditSince(mark), "details"), [
      { key: "fresh", old_value: null, new_value: "first" },
      { key: "fresh", old_value: "first", new_value: "second" },
    ]);
  });

  it("with names such as objects have of themselves are settings like any other", async () => {
    assert.equal((await put({ constructor: "1" })).status, 200);
    assert.equal(await value("constructor"), "1");
  });
});
