import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/v1/dashboard/preferences";
const standard = {
  chart_order: ["picking", "packing", "shipped", "received_skus", "putaway_skus"],
  default_range: "today",
  default_view: "charts",
};

describe("dashboard preferences", () => {
  const service = testService();
  const lead = () => service.user();

  it("are the standard ones until they are set", async () => {
    assert.deepEqual(await (await lead()).ok("GET", ROUTE), { ...standard, updated_at: null });
  });

  it("are kept for each user; what is not sent stays as it is", async () => {
    const [ann, bob] = [await lead(), await lead()];
    const first = await ann.ok("PUT", ROUTE, { default_range: "last_7d" });
    assert.deepEqual({ ...first, updated_at: null }, { ...standard, default_range: "last_7d", updated_at: null });
    const chart_order = ["shipped", "picking"];
    const second = await ann.ok("PUT", ROUTE, { chart_order, default_view: "table" });
    const { updated_at, ...kept } = await ann.ok("GET", ROUTE);
    assert.deepEqual(kept, { chart_order, default_range: "last_7d", default_view: "table" });
    assert.equal(updated_at, second.updated_at);
    assert.ok(updated_at > first.updated_at);
    assert.equal((await bob.ok("GET", ROUTE)).updated_at, null);
  });

  it("leave a row in the audit log", async () => {
    const ann = await lead();
    await ann.ok("PUT", ROUTE, { default_view: "table" });
    const entry = await db.row(
      "select action_type, entity_type, entity_id, details from audit_log where user_id = $1",
      [ann.username],
    );
    assert.deepEqual(entry, {
      action_type: "UPDATE",
      entity_type: "USER",
      entity_id: ann.userId,
      details: { dashboard: { default_view: "table" } },
    });
  });

  it("are refused when one is unknown or comes twice, and then all stay", async () => {
    const ann = await lead();
    const refused = async (body: object) => {
      const answer = await ann.put(ROUTE, body);
      return [answer.status, answer.body.error, answer.body.details?.[0]];
    };
    const wrong = (field: string, msg: string) => [422, "validation_error", { type: "value_error", loc: [field], msg }];
    assert.deepEqual(
      await refused({ chart_order: ["picking", "dancing"] }),
      wrong("chart_order", "dancing is unknown"),
    );
    assert.deepEqual(
      await refused({ chart_order: ["picking", "picking"] }),
      wrong("chart_order", "picking is there twice"),
    );
    assert.deepEqual(
      await refused({ default_view: "table", default_range: "last_year" }),
      wrong("default_range", "last_year is unknown"),
    );
    assert.deepEqual(await refused({ default_view: "pictures" }), wrong("default_view", "pictures is unknown"));
    assert.equal((await ann.put(ROUTE, { chart_order: "picking" })).status, 400);
    assert.equal((await ann.ok("GET", ROUTE)).updated_at, null);
  });

  it("are refused when nothing is sent", async () => {
    assert.deepEqual(statusAndBody(await (await lead()).put(ROUTE, {})), [422, { error: "no_fields_to_update" }]);
  });
});
