import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { testSites, transferOrder, walk } from "../support/transfers.js";

/** The most that one line asks for, and lines enough for more units than a stock row holds. */
const LINE = 1_000_000;
const LINES = 2_300;

describe("a transfer order of the largest quantities", () => {
  const service = testService({ worker: true });
  const at = testSites();
  afterEach(() => assertInvariants());

  /** A transfer order of an item that fills two bins. */
  async function transfer() {
    const { item_id } = await fixtures.item();
    for (let i = 0; i < 2; i++) await fixtures.stock(at.source, await fixtures.bin(at.source), item_id, 2_147_483_647);
    const order = await transferOrder(service.admin, at, Array(LINES).fill({ item_id, quantity: LINE }));
    const mark = await auditMark();
    const noted = async (action: string) =>
      (await auditSince(mark)).find(({ action_type }) => action_type === action)?.details;
    return { ...order, noted };
  }

  /** Picks all units of a transfer order, as its walk would, task by task. */
  async function pickAll(to_id: number) {
    const { batch_id } = await walk(service.admin, to_id);
    await db.run(
      `with lines as (
         update transfer_order_lines set picked_qty = committed_qty, status = 'PICKED' where to_id = $1
           returning to_line_id
       ), held as (
         update transfer_reservations r set picked = quantity from lines l where r.to_line_id = l.to_line_id
       ), tasks as (
         update pick_tasks set status = 'PICKED', quantity_picked = quantity_to_pick, picked_at = now()
           where batch_id = $2
       ) update transfer_orders set status = 'AWAITING_APPROVAL' where to_id = $1`,
      [to_id, batch_id],
    );
    return batch_id;
  }
  const end = (how: "cancel" | "complete", batch_id: number) =>
    service.admin.ok("POST", `/api/picking/${how}-batch`, { batch_id });

  it("is put back and submitted", async () => {
    const { to_id, noted } = await transfer();
    await end("cancel", await pickAll(to_id));
    assert.equal((await noted("TO_PICK_RELEASED"))?.quantity, LINES * LINE);
    await end("complete", await pickAll(to_id));
    assert.equal((await noted("TO_SUBMITTED"))?.units, LINES * LINE);
  });

  it("is cancelled", async () => {
    const { path, noted } = await transfer();
    await service.admin.ok("POST", `${path}/cancel`);
    assert.equal((await noted("TO_CANCELLED"))?.released_qty, LINES * LINE);
  });

  it("is deleted", async () => {
    const { path, noted } = await transfer();
    assert.equal((await service.admin.delete(path)).status, 204);
    assert.equal((await noted("TO_DELETED"))?.released_qty, LINES * LINE);
  });
});
