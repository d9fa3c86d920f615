import assert from "node:assert/strict";
import { db } from "../src/db.js";
import * as fixtures from "./support/fixtures.js";
import { type House, openHouse } from "./support/house.js";
import { auditMark, auditSince } from "./support/records.js";

const ROUTE = "/api/admin/settings";

describe("settings", () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());

  const put = (settings: unknown) => house.admin.put(ROUTE, { settings });
  const value = async (key: string) =>
    (await house.admin.ok("GET", `${ROUTE}/${key}`)).value;

  it("are closed to callers without a credential and to users without the page", async () => {
    const stranger = await house.user();
    for (const [method, path] of [
      ["GET", ROUTE],
      ["GET", `${ROUTE}/x`],
      ["PUT", ROUTE],
    ] as const) {
      const body = method === "PUT" ? {} : undefined;
      assert.equal((await house.anyone.call(method, path, body)).status, 401);
      assert.equal((await stranger.call(method, path, body)).status, 403);
    }
    const clerk = await house.user({ page_keys: ["settings"] });
    assert.equal((await clerk.get(ROUTE)).status, 200);
  });

  it("are listed by key with what the house starts with", async () => {
    const { settings } = await house.admin.ok("GET", ROUTE);
    const keys = settings.map((s: { key: string }) => s.key);
    assert.deepEqual(keys, [...keys].sort());
    const values = Object.fromEntries(
      settings.map((s: { key: string; value: string }) => [s.key, s.value]),
    );
    assert.equal(values.require_packing_before_shipping, "true");
    assert.equal(values.session_timeout_hours, "8");
    assert.equal(values.batch_idle_release_hours, "12");
  });

  it("are read one by one; one that was never set is 404", async () => {
    assert.deepEqual(
      await house.admin.ok("GET", `${ROUTE}/session_timeout_hours`),
      {
        key: "session_timeout_hours",
        value: "8",
      },
    );
    const missing = await house.admin.get(`${ROUTE}/nothing`);
    assert.deepEqual(
      [missing.status, missing.body],
      [404, { error: "Setting not found" }],
    );
  });

  it("are changed and added under any key, each change audited with old and new value", async () => {
    const mark = await auditMark();
    const answer = await put({
      session_timeout_hours: "9",
      my_own_key: "ü",
      count_show_expected: "true",
    });
    assert.deepEqual(
      [answer.status, Object.keys(answer.body)],
      [200, ["message"]],
    );
    assert.equal(await value("session_timeout_hours"), "9");
    assert.equal(await value("my_own_key"), "ü");
    const rows = await auditSince(mark);
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.entity_type, row.details]),
      [
        [
          "UPDATE",
          "SETTING",
          { key: "my_own_key", old_value: null, new_value: "ü" },
        ],
        [
          "UPDATE",
          "SETTING",
          { key: "session_timeout_hours", old_value: "8", new_value: "9" },
        ],
      ],
    );
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
    await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [
      so_id,
    ]);
    const refused = await put({
      require_packing_before_shipping: "false",
      another: "1",
    });
    assert.deepEqual(
      [refused.status, refused.body],
      [
        400,
        {
          error:
            "Packing cannot be switched off while 1 order(s) are PACKED: ship or revert them first",
        },
      ],
    );
    assert.equal((await house.admin.get(`${ROUTE}/another`)).status, 404);
    await db.run(
      "update sales_orders set status = 'SHIPPED' where so_id = $1",
      [so_id],
    );
    assert.equal(
      (await put({ require_packing_before_shipping: "false" })).status,
      200,
    );
    assert.equal(await value("require_packing_before_shipping"), "false");
  });

  it("take as idle hours of a wave a number from 0 alone", async () => {
    for (const hours of ["0", "0.5", "12", "8760"]) {
      assert.equal(
        (await put({ batch_idle_release_hours: hours })).status,
        200,
      );
      assert.equal(await value("batch_idle_release_hours"), hours);
    }
    for (const hours of ["-1", "1,5", "", "twelve", "8761", " 1"]) {
      const refused = await put({ batch_idle_release_hours: hours });
      assert.deepEqual(
        [refused.status, refused.body],
        [
          400,
          {
            error:
              "batch_idle_release_hours must be a number of hours from 0 (never) to 8760",
          },
        ],
      );
    }
  });
});
