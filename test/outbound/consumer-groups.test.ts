import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { events } from "../../src/platform/events/catalog.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/consumer-groups";

describe("consumer groups", () => {
  const service = testService();
  let keeper: Caller;
  let own: number;
  let other: number;
  let mark: number;
  before(async () => {
    [own, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    keeper = await service.user({ page_keys: ["consumer-groups"], warehouse_ids: [own] });
    await db.run("insert into connectors values ('erp', 'ERP')");
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const audited = () => auditSince(mark);
  const audit = (action: string, details: object, by = keeper) => ({
    ...{ action_type: `CONSUMER_GROUP_${action}`, entity_id: 0 },
    ...{ entity_type: "CONSUMER_GROUP", user_id: by.username },
    ...{ warehouse_id: null, details },
  });
  const body = (fields: object = {}) => ({ consumer_group_id: randomUUID(), connector_id: "erp", ...fields });
  async function group(fields: object = {}, by = keeper) {
    const made = await by.ok("POST", ROUTE, body(fields));
    mark = await auditMark();
    return { ...made, path: `${ROUTE}/${made.consumer_group_id}` };
  }
  const listed = async (by = keeper): Promise<string[]> =>
    (await by.ok("GET", ROUTE)).consumer_groups.map((it: { consumer_group_id: string }) => it.consumer_group_id);

  describe("are made", () => {
    it("at the beginning of history, for all events", async () => {
      const asked = body();
      const { status, body: made } = await keeper.post(ROUTE, asked);
      const { created_at, updated_at, ...rest } = made;
      assert.equal(status, 201);
      assert.equal(created_at, updated_at);
      assert.deepEqual(rest, { ...asked, last_cursor: 0, last_heartbeat: null, subscription: {} });
      assert.deepEqual(await audited(), [audit("CREATE", { ...asked, last_cursor: 0, subscription: {} })]);
      const { consumer_groups } = await keeper.ok("GET", ROUTE);
      assert.deepEqual(
        consumer_groups.find((it: typeof asked) => it.consumer_group_id === asked.consumer_group_id),
        made,
      );
    });

    it("for certain events of certain warehouses", async () => {
      const subscription = { event_types: ["ship.confirmed", "receipt.completed"], warehouse_ids: [own] };
      const made = await group({ subscription });
      assert.deepEqual(made.subscription, subscription);
    });

    it("once, also of sixteen requests at once", async () => {
      const asked = body();
      const answers = await Promise.all(Array.from({ length: 16 }, () => keeper.post(ROUTE, asked)));
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [201, ...Array(15).fill(409)]);
      assert.equal((await audited()).length, 1);
    });

    it("for a connector of the registry", async () => {
      const { status, body: refused } = await keeper.post(ROUTE, body({ connector_id: "nobody" }));
      assert.deepEqual([status, refused], [400, { error: "unknown_connector_id", connector_id: "nobody" }]);
    });
  });

  describe("have a subscription that is checked, when they are made and when they are changed:", () => {
    const refusals = async (subscription: unknown, by = keeper) => {
      const made = await by.post(ROUTE, body({ subscription }));
      const { path } = await group();
      const changed = await by.patch(path, { subscription });
      assert.deepEqual([made.status, made.body], [changed.status, changed.body]);
      assert.deepEqual(await audited(), []);
      return [made.status, made.body];
    };

    it("its event types are in the catalog", async () =>
      assert.deepEqual(await refusals({ event_types: ["ship.confirmed", "transfer.completed"] }), [
        400,
        { error: "unknown_event_types", unknown: ["transfer.completed"], valid: Object.keys(events) },
      ]));

    it("its warehouses are there", async () =>
      assert.deepEqual(await refusals({ warehouse_ids: [own, 999_999] }), [
        400,
        { error: "unknown_warehouse_ids", missing: [999_999] },
      ]));

    it("its fields are these two, and neither names nothing or more than 64", async () => {
      for (const [subscription, loc] of [
        [{ event_types: [] }, ["event_types"]],
        [{ warehouse_ids: [] }, ["warehouse_ids"]],
        [{ event_types: Array(65).fill("ship.confirmed") }, ["event_types"]],
        [{ warehouse_ids: Array(65).fill(1) }, ["warehouse_ids"]],
        [{ event_types: ["x".repeat(65)] }, ["event_types", 0]],
        [{ warehouse_ids: ["one"] }, ["warehouse_ids", 0]],
        [{ event_types: null }, ["event_types"]],
        [{ aggregate_ids: [] }, ["aggregate_ids"]],
        [null, []],
        ["{}", []],
      ] as const) {
        const [status, refused] = await refusals(subscription);
        assert.deepEqual(
          [status, refused.error, refused.details[0].loc],
          [400, "validation_error", ["subscription", ...loc]],
        );
      }
    });
  });

  describe("are changed", () => {
    it("in what they are for, and stay where they are", async () => {
      const { path, consumer_group_id } = await group();
      await db.run("update consumer_groups set last_cursor = 7 where consumer_group_id = $1", [consumer_group_id]);
      const subscription = { event_types: ["ship.confirmed"] };
      const { status, body: changed } = await keeper.patch(path, { subscription });
      assert.equal(status, 200);
      assert.deepEqual([changed.subscription, changed.last_cursor], [subscription, 7]);
      assert.ok(changed.updated_at > changed.created_at);
      assert.deepEqual(await audited(), [
        audit("UPDATE", {
          ...{ consumer_group_id, connector_id: "erp" },
          ...{ last_cursor: 7, subscription },
          changed: { subscription: { old: {}, new: subscription } },
        }),
      ]);
    });

    it("by something that is sent", async () => {
      const { path } = await group();
      assert.deepEqual(statusAndBody(await keeper.patch(path, {})), [400, { error: "no_fields_to_update" }]);
      const fixed = await keeper.patch(path, { connector_id: "erp" });
      assert.deepEqual(fixed.body.details[0].loc, ["connector_id"]);
    });

    it("only where they are", async () => {
      const unknown = await keeper.patch(`${ROUTE}/nobody`, { subscription: {} });
      assert.deepEqual([unknown.status, unknown.body], [404, { error: "consumer_group_not_found" }]);
    });
  });

  describe("are deleted", () => {
    const tombstone = (id: string) =>
      db.row(
        `select last_cursor_at_delete, connector_id, deleted_by from consumer_groups_tombstones
          where consumer_group_id = $1`,
        [id],
      );
    async function deletedAt(cursor: number) {
      const { path, consumer_group_id } = await group();
      await db.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [
        consumer_group_id,
        cursor,
      ]);
      assert.equal((await keeper.delete(path)).status, 204);
      return { path, consumer_group_id };
    }

    it("and leave behind where they stood", async () => {
      const { path, consumer_group_id } = await deletedAt(42);
      assert.deepEqual(await tombstone(consumer_group_id), {
        ...{ last_cursor_at_delete: 42, connector_id: "erp" },
        deleted_by: keeper.username,
      });
      assert.deepEqual(await audited(), [
        audit("DELETE", { consumer_group_id, connector_id: "erp", last_cursor: 42, subscription: {} }),
      ]);
      assert.ok(!(await listed()).includes(consumer_group_id));
      assert.deepEqual(statusAndBody(await keeper.delete(path)), [404, { error: "consumer_group_not_found" }]);
    });

    it("and come again only when it is said that all events are to come again", async () => {
      const { consumer_group_id } = await deletedAt(42);
      mark = await auditMark();
      const asked = body({ consumer_group_id });
      const { status, body: refused } = await keeper.post(ROUTE, asked);
      const { message, deleted_at, ...rest } = refused;
      assert.equal(status, 409);
      assert.deepEqual(rest, {
        ...{ error: "replay_would_skip_history", consumer_group_id },
        ...{ last_cursor_at_delete: 42, deleted_by: keeper.username },
      });
      assert.match(message, /deleted at cursor 42.*acknowledge_replay: true/);
      assert.match(deleted_at, /^\d{4}-.*\+00:00$/);
      assert.ok(await tombstone(consumer_group_id), "a refusal changes nothing");
      assert.ok(!(await listed()).includes(consumer_group_id));
      assert.deepEqual(await audited(), []);

      const made = await keeper.post(ROUTE, { ...asked, acknowledge_replay: true });
      assert.deepEqual([made.status, made.body.last_cursor], [201, 0]);
      assert.equal(await tombstone(consumer_group_id), undefined);
      const taken = await keeper.post(ROUTE, asked);
      assert.equal(taken.body.error, "duplicate_consumer_group_id");
    });

    it("never unseen by who makes one of the same id at that moment", async () => {
      for (let i = 0; i < 10; i++) {
        const { path, consumer_group_id } = await group();
        const [deleted, made] = await Promise.all([
          keeper.delete(path),
          keeper.post(ROUTE, body({ consumer_group_id })),
        ]);
        assert.equal(deleted.status, 204);
        assert.ok(["replay_would_skip_history", "duplicate_consumer_group_id"].includes(made.body.error));
      }
    });
  });

  describe("of other warehouses", () => {
    it("are not there for a USER; those of all warehouses are", async () => {
      const foreign = await group({ subscription: { warehouse_ids: [other] } }, service.admin);
      const shared = await group({ subscription: { warehouse_ids: [own, other] } }, service.admin);
      const everywhere = await group({}, service.admin);
      const seen = await listed();
      assert.ok(seen.includes(everywhere.consumer_group_id));
      for (const { path, consumer_group_id } of [foreign, shared]) {
        assert.ok(!seen.includes(consumer_group_id));
        assert.ok((await listed(service.admin)).includes(consumer_group_id));
        for (const answer of [await keeper.patch(path, { subscription: {} }), await keeper.delete(path)])
          assert.deepEqual([answer.status, answer.body], [404, { error: "consumer_group_not_found" }]);
      }
    });
  });
});
