import assert from "node:assert/strict";
import { orderActions } from "../support/order-actions.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";

describe("an order that somebody holds", () => {
  const { at, act, ordered, shelved, header } = orderActions();
  const hold = (so_id: number, reason = "The payment is being checked") => act(so_id, "hold", { reason });
  const holdOf = async (so_id: number) => (await header(so_id)).hold_reason;

  it("is not picked until somebody releases it; both are in the audit log, with the reason", async () => {
    const { item_id } = await shelved(5);
    const { so_id, so_number } = await ordered({ item_id, quantity: 5 });
    const mark = await auditMark();
    const { status, body } = await hold(so_id);
    assert.deepEqual([status, body], [200, { so_id, hold_reason: "by_hand" }]);
    const wave = { so_ids: [so_id], warehouse_id: at().warehouse_id };
    const refused = await at().service.admin.post("/api/picking/wave-create", wave);
    assert.deepEqual(
      [refused.status, refused.body.hold_reason, refused.body.error],
      [409, "by_hand", `Sales order ${so_number} is held: somebody holds it, and has to release it`],
    );
    const { code, hold: why } = await at().service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/why`);
    assert.deepEqual(
      [code, why.reason, why.note, why.by],
      ["held_by_hand", "by_hand", "The payment is being checked", at().service.admin.username],
    );
    await act(so_id, "release-hold", {});
    assert.equal(await holdOf(so_id), null);
    assert.equal((await at().service.admin.post("/api/picking/wave-create", wave)).status, 200);
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details").slice(0, 2), [
      ["SO_HELD", { so_number, hold_reason: "by_hand", reason: "The payment is being checked" }],
      ["SO_HOLD_RELEASED", { so_number, hold_reason: "by_hand" }],
    ]);
  });

  it("is held and released with its backorder", async () => {
    const { item_id } = await shelved(3);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const lines = [{ so_line_id: line_ids[0], short_qty: 2 }];
    const { body } = await act(so_id, "partial-fulfill", { lines });
    const backorder = (body.backorder_so as { so_id: number }).so_id;
    await hold(backorder);
    assert.deepEqual([await holdOf(so_id), await holdOf(backorder)], ["by_hand", "by_hand"]);
    await act(so_id, "release-hold", {});
    assert.deepEqual([await holdOf(so_id), await holdOf(backorder)], [null, null]);
  });

  it("is there, under way, of the user's warehouses, and not held yet", async () => {
    const { item_id } = await shelved(5);
    const { so_id } = await ordered({ item_id, quantity: 5 });
    const { admin } = at().service;
    const path = (id: number) => `/api/admin/sales-orders/${id}/hold`;
    const stranger = await at().service.user({ page_keys: ["sales-orders"] });
    const codes = [
      (await stranger.post(path(so_id), { reason: "wait" })).code,
      (await admin.post(path(99_999_999), { reason: "wait" })).code,
      (await admin.post(path(so_id), { reason: " " })).code,
      (await hold(so_id)).code,
      (await hold(so_id)).code,
    ];
    assert.deepEqual(codes, ["warehouse_denied", "so_not_found", "validation_error", undefined, "order_held"]);
    const ended = await ordered({ item_id, quantity: 1 });
    await act(ended.so_id, "cancel", {});
    assert.equal((await hold(ended.so_id)).code, "order_not_holdable");
  });
});
