import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { fresh, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { confirm, transferOrder, walk } from "../support/transfers.js";

describe("inbound inventory_update", () => {
  const service = testService({ worker: true });
  let shop: Caller & { token_id: number };
  let warehouse_id: number;
  before(async () => {
    await useTestMappings();
    warehouse_id = await warehouse();
    shop = await sender(service, { warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());

  const path = "/api/v1/inbound/inventory_update";
  const update = (by: Caller, source_payload: object, more: object = {}) =>
    by.post(path, { external_id: fresh("update"), external_version: "1", source_payload, ...more });

  /** An item of the source and a bin, and how to say what is to lie there. */
  async function place() {
    const { external_id, item_id } = await pushedItem(shop);
    const bin_code = fresh("BIN");
    const bin_id = await bin(warehouse_id, { code: bin_code });
    const target = (target_quantity: unknown, more: object = {}) => ({
      item_external_id: external_id,
      ...{ bin_code, warehouse_id, target_quantity },
      reason_code: "RECOUNT",
      ...more,
    });
    return { item_id, bin_id, target };
  }
  const onHand = (item_id: number) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0)::int as units from inventory where item_id = $1", [
      item_id,
    ]);

  it("says what is found: units picked for a transfer order have left the bin, and not the books", async () => {
    const { item_id, bin_id, target } = await place();
    await stock(warehouse_id, bin_id, item_id, 10);
    const picker = await service.user({ role: "ADMIN" });
    const sites = { source: warehouse_id, destination: await warehouse() };
    const order = await transferOrder(picker, sites, [{ item_id, quantity: 4 }]);
    const { tasks } = await walk(picker, order.to_id);
    await confirm(picker, tasks[0] as (typeof tasks)[0], 4);
    assert.equal((await update(shop, target(6))).body.applied_delta, 0);
    assert.equal(await onHand(item_id), 10);
    assert.equal((await update(shop, target(5))).body.applied_delta, -1);
    assert.equal(await onHand(item_id), 9);
  });

  it("sets what lies in a bin, as an approved adjustment by the difference", async () => {
    const { item_id, bin_id, target } = await place();
    const answer = await update(shop, target(7));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
    const { canonical_id, adjustment_id, ...rest } = answer.body;
    assert.deepEqual(rest, {
      ...{ applied_delta: 7, current_quantity: 7, target_quantity: 7 },
      ...{ warehouse_id, bin_id, item_id, noop: false },
    });
    const down = await update(shop, target(4));
    assert.equal(down.body.applied_delta, -3);
    assert.equal(await onHand(item_id), 4);
    assert.deepEqual(
      await db.rows(
        `select external_id, quantity_change, status, reason_code, adjusted_by from inventory_adjustments
         where adjustment_id = $1`,
        [adjustment_id],
      ),
      [
        {
          ...{ external_id: canonical_id, quantity_change: 7 },
          ...{ status: "APPROVED", reason_code: "RECOUNT" },
          adjusted_by: `system:wms_token:${shop.token_id}`,
        },
      ],
    );
    const events = await db.rows<{ payload: Record<string, unknown> }>(
      `select event_data(integration_events) as payload from integration_events
        where event_type = 'inventoryadjusted.completed' and aggregate_external_id = $1`,
      [canonical_id],
    );
    assert.deepEqual(
      events.map(({ payload }) => [payload.quantity_delta, payload.applied_by_user_external_id]),
      [[7, null]],
    );
    assert.equal(
      (
        await db.rows("select from audit_log where action_type = 'ADJUST' and details->>'adjustment_id' = $1", [
          String(adjustment_id),
        ])
      ).length,
      1,
    );
    assert.deepEqual(
      (await unexplainedUnits(warehouse_id)).filter((row) => row.item_id === item_id),
      [],
    );
  });

  it("changes nothing when that is what lies there, in all lots together", async () => {
    const { item_id, bin_id, target } = await place();
    await stock(warehouse_id, bin_id, item_id, 3, "L1");
    await stock(warehouse_id, bin_id, item_id, 2, "L2");
    const answer = await update(shop, target(5));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      ...{ applied_delta: 0, current_quantity: 5, target_quantity: 5 },
      ...{ warehouse_id, bin_id, item_id, noop: true },
    });
    const empty = await place();
    assert.equal((await update(shop, empty.target(0))).body.noop, true);
  });

  it("ends with the target when two say it at the same time of an empty bin", async () => {
    const { item_id, target } = await place();
    const ask = () => update(shop, target(10));
    const table = "lock table inventory in share mode";
    const answers = await queuedBehindLock(table, [], ask, ask);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 201]);
    assert.equal(await onHand(item_id), 10);
  });

  it("does not take units that a wave is about to pick: 409", async () => {
    const { item_id, bin_id, target } = await place();
    const row = await stock(warehouse_id, bin_id, item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 4 }]);
    await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const answer = await update(shop, target(3));
    assert.deepEqual([answer.status, answer.body.error_kind], [409, "promised_to_picks"]);
    assert.deepEqual(await stockOf(row), { on_hand: 5, allocated: 4 });
    assert.equal((await update(shop, target(4))).status, 201);
  });

  it("keeps 60 characters of a reason", async () => {
    const { target } = await place();
    const { body } = await update(shop, target(1, { reason_code: "x".repeat(200) }));
    const [row] = await db.rows<{ reason_code: string }>(
      "select reason_code from inventory_adjustments where adjustment_id = $1",
      [body.adjustment_id],
    );
    assert.equal(row?.reason_code, "x".repeat(60));
  });

  it("says what it does not understand or find", async () => {
    const { target } = await place();
    const elsewhere = await warehouse();
    const both = await sender(service, { warehouse_ids: [warehouse_id, elsewhere] });
    const refused: [object, number, string, object][] = [
      [
        { bin_code: "A" },
        422,
        "missing_source_payload_fields",
        { missing: ["item_external_id", "warehouse_id", "target_quantity", "reason_code"] },
      ],
      [target("7"), 422, "invalid_payload_types", {}],
      [target(1.5), 422, "invalid_payload_types", {}],
      [target(3e9), 422, "invalid_payload_types", {}],
      [target(1, { warehouse_id: "1" }), 422, "invalid_payload_types", {}],
      [target(-1), 422, "negative_target_quantity", { target_quantity: -1 }],
      [target(1, { item_external_id: "no" }), 404, "item_not_found", { item_external_id: "no", source_system: "shop" }],
      [target(1, { bin_code: "no" }), 404, "bin_not_found", { warehouse_id, bin_code: "no" }],
      [target(1, { warehouse_id: elsewhere }), 404, "bin_not_found", { warehouse_id: elsewhere }],
    ];
    for (const [sent, status, kind, fields] of refused) {
      const answer = await update(both, sent);
      assert.deepEqual([answer.status, answer.body.error_kind], [status, kind]);
      assert.deepEqual({ ...answer.body, ...fields }, answer.body);
    }
  });

  it("is for the token's warehouses: 403", async () => {
    const { target } = await place();
    const other = await sender(service, { warehouse_ids: [await warehouse()] });
    const answer = await update(other, target(1));
    assert.deepEqual([answer.status, answer.body.error_kind], [403, "warehouse_scope_violation"]);
  });

  it("takes no overrides: 403", async () => {
    const { target } = await place();
    const capable = await sender(service, { mapping_override: true });
    const more = { mapping_overrides: {} };
    const kinds = [await update(shop, target(1), more), await update(capable, target(1), more)].map(
      ({ status, body }) => `${status} ${body.error_kind}`,
    );
    assert.deepEqual(kinds, [
      "403 mapping_override_capability_required",
      "403 mapping_overrides_not_supported_in_body",
    ]);
  });
});
