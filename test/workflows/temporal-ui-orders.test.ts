import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import type { TestService } from "../support/service.js";
import { codeOf, idOf, openShownFloor, type ShownFloor } from "../support/shown-floor.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";
import { newTransfer, openApproval, pickTransfer, statusOf as transferStatus } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";

/**
 * Temporal's own UI, as somebody sees it who has never seen the code: inspections, recalls, returns and transfer
 * orders. Each test brings processes into a state, and looks for the texts that answer: where is it, why is it there,
 * what comes next and when.
 * `TEST_SCREENSHOTS=<folder>` keeps pictures of all of them.
 */
describe("the Temporal UI shows", function () {
  this.timeout(120_000);
  const ui = temporalUi();

  let service: TestService;
  let warehouse_id: number;
  let goods: ShownFloor["goods"];
  let close: () => Promise<void>;
  before(async () => {
    ({ service, warehouse_id, goods, close } = await openShownFloor());
  });
  after(() => close());

  const ORDERS = "/api/admin/sales-orders";
  /** A return of three units that were shipped. */
  async function returned(quantity = 3) {
    const { item_id } = goods;
    const original = await shippedOrder(warehouse_id, [{ item_id, quantity: 3 }]);
    const clerk = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
    const answer = await clerk.post(`${ORDERS}/${original.so_id}/create-rma`, { lines: [{ item_id, quantity }] });
    const { so_id, so_number } = answer.body as { so_id: number; so_number: string };
    const bin_id = await bin(warehouse_id, { type: "Staging" });
    const receive = (units: number) =>
      clerk.ok("POST", `${ORDERS}/${so_id}/receive-return`, { item_id, quantity: units, warehouse_id, bin_id });
    return { id: idOf(answer), so_id, so_number, original, by: clerk.username, receive };
  }

  it("an inspection that waits for a decision, which is not cancelled, and one that is decided", async () => {
    const clerk = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["inventory"] });
    const row = await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 5);
    const hold = { quantity: 5, condition: "QUARANTINE", reason: "complaint 17" };
    const { inspection_id } = await clerk.ok("POST", `/api/admin/inventory/${row}/hold`, hold);
    const id = `inspection-${inspection_id}`;
    const decide = (decision: string, quantity?: number) =>
      clerk.ok("POST", `/api/admin/inspections/${inspection_id}/decide`, { decision, quantity, reason: "looked at" });
    await decide("release", 2);
    await ui.check("inspection-to-inspect", id, {
      list: ["RUNNING", "to inspect", await codeOf(warehouse_id)],
      details: [
        `Inspection ${inspection_id} of ${goods.sku} in ${await codeOf(warehouse_id)}: 3 unit(s) to decide about`,
        `release: 2 by ${clerk.username}`,
        `${clerk.username} put them in quarantine: complaint 17`,
        /somebody decides by .*: release, hold, damage or return_to_supplier; a reminder is told at /,
      ],
    });
    await ui.requestCancellation(id);
    await ui.check("inspection-stays", id, {
      list: ["RUNNING", "to inspect"],
      details: ["Cancellation was requested in the Temporal UI and refused: people decide about goods"],
    });
    await decide("damage");
    await ui.check("inspection-closed", id, {
      list: ["COMPLETED", "closed"],
      details: [`release: 2 by ${clerk.username}, damage: 3 by ${clerk.username}`],
    });
  });

  it("a recall whose units are open, which is not cancelled, and one that is closed or refused", async () => {
    const { admin } = service;
    const { item_id, sku } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5, "L-7");
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    const recall = { lot_ids: [lot_id], reason: "glass in the jar" };
    const opened = await admin.post("/api/admin/recalls", recall);
    const { recall_id } = opened.body as { recall_id: number };
    const path = `/api/admin/recalls/${recall_id}`;
    const count = async () => (await admin.ok("GET", path)).places[0].count_id as number | null;
    await until(async () => (await count()) !== null);
    await ui.check("recall-recalling", idOf(opened), {
      list: ["RUNNING", "recalling"],
      page: ["Holds a lot in all warehouses", "Makes counts of the bins in which units lie", "Looks again where"],
      details: [
        `Recall ${recall_id} of ${sku}, lot L-7: 5 of 5 unit(s) are open (5 to count, 0 picked for orders`,
        `opened by ${admin.username}: glass in the jar`,
        "bins are counted, picked orders are taken back, customers are told; it waits as long as that takes",
      ],
    });
    await ui.check("recall-count", `cycle-count-${await count()}`, { list: ["RUNNING", "counting"] });
    await ui.requestCancellation(idOf(opened));
    await ui.check("recall-stays", idOf(opened), {
      list: ["RUNNING", "recalling"],
      details: ["Cancellation was requested in the Temporal UI and refused: units are open"],
    });
    const refused = await admin.post("/api/admin/recalls", recall);
    await ui.check("recall-refused", idOf(refused), {
      list: ["FAILED", "refused"],
      details: [/is on recall/, "the recall is opened again"],
    });
    const { inventory_id } = (await admin.ok("GET", path)).places[0];
    await admin.ok("POST", `${path}/destroy`, { inventory_id, reason: "burnt" });
    await ui.check("recall-to-close", idOf(opened), {
      list: ["RUNNING", "to close"],
      details: ["0 of 5 unit(s) are open", "5 destroyed", "an admin closes it: each unit is accounted for"],
    });
    await admin.ok("POST", `${path}/close`);
    await ui.check("recall-closed", idOf(opened), {
      list: ["COMPLETED", "closed"],
      details: [`closed by ${admin.username}`, "its lots stay held until they are released"],
    });
  });

  it("a return that waits for goods, and is cancelled in the UI: it is voided", async () => {
    const { id, so_id, so_number, original, by } = await returned();
    await ui.check("return-to-receive", id, {
      list: ["RUNNING", "to receive", await codeOf(warehouse_id)],
      details: [
        `waits for 3 unit(s): 3 × ${goods.sku}`,
        `${by} expects goods of ${original.so_number} back`,
        "what comes is received, or an admin voids it; it may wait for the days of setting returns_expire_days",
      ],
    });
    await ui.requestCancellation(id);
    await endsCancelled(id);
    assert.equal(await db.value("select voided_by from sales_orders where so_id = $1", [so_id]), "system");
    const [row] = await db.rows("select user_id, details from audit_log where entity_id = $1 and action_type = $2", [
      ...[so_id, "RETURN_VOID"],
    ]);
    assert.deepEqual(row, { user_id: "system", details: { so_number, reason: "cancelled in the Temporal UI" } });
    await ui.check("return-cancelled-in-ui", id, {
      list: ["CANCELED", "voided"],
      details: [`${so_number} in`, "cancellation was requested in the Temporal UI", "may be returned anew"],
    });
  });

  it("a return of which a part came, that is not cancelled any more, and then ends", async () => {
    const { id, so_number, by, receive } = await returned();
    await receive(1);
    await ui.look("return-partly-received", id, {
      list: ["RUNNING", "partly received"],
      page: [/\breceive\b/],
      details: ["waits for 2 unit(s)", `1 unit(s) have come. Last: 1 × ${goods.sku} received by ${by}`],
    });
    await ui.requestCancellation(id);
    await ui.check("return-stays", id, {
      list: ["RUNNING", "partly received"],
      details: [
        `Cancellation was requested in the Temporal UI and refused: Goods of return ${so_number} have come`,
        "what comes is received; it may wait for the days of setting returns_expire_days",
      ],
    });
    await receive(2);
    await ui.check("return-received", id, {
      list: ["COMPLETED", "received"],
      details: [`all has come. Last: 2 × ${goods.sku} received by ${by}`, "what came is in stock"],
    });
  });

  it("returns that were voided, and refused", async () => {
    const { id, so_id } = await returned();
    await service.admin.ok("POST", `${ORDERS}/${so_id}/void-return`);
    await ui.check("return-voided", id, { list: ["COMPLETED", "voided"], details: ["voided by admin"] });
    const refused = await returned(4);
    await ui.check("return-refused", refused.id, {
      list: ["FAILED", "refused"],
      page: [/4 cannot come back, only 3 remaining/],
      details: [/only 3 remaining of 3 shipped/, "the return is made again"],
    });
  });

  /** A transfer order from this warehouse to another one, whose people are ann and bob. */
  async function transfers() {
    const destination = await warehouse();
    await bin(destination, { type: "Staging" });
    const houses = { source: warehouse_id, destination, goods: [goods] };
    const page_keys = ["transfer-orders"];
    const bob = await service.user({ warehouse_ids: [destination], page_keys });
    const create = async (quantity = 5) => {
      const answer = await service.admin.post(TRANSFERS, newTransfer(houses, quantity));
      return { id: idOf(answer), ...answer.body } as { id: string; to_id: number; to_number: string };
    };
    const submitted = async () => {
      const made = await create();
      const batch_id = await pickTransfer(service.admin, made.to_id);
      await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
      return made;
    };
    const decide = async (to_id: number, decision: string, body?: object) =>
      bob.ok("POST", `${TRANSFERS}/${to_id}/approvals/${await openApproval(to_id)}/${decision}`, body);
    return { to: await codeOf(destination), by: bob.username, create, submitted, decide };
  }
  const reminders = (transfer_approval_reminder_hours: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { transfer_approval_reminder_hours } });

  it("a transfer order from its creation to its end, with the batch that picks it", async () => {
    const { to, by, create, decide } = await transfers();
    const from = await codeOf(warehouse_id);
    const { id, to_id, to_number } = await create();
    await ui.look("transfer-to-pick", id, {
      list: ["RUNNING", "to pick", from, to, to_number],
      page: [/Looks at the rows again at/],
      details: [
        `1 line(s) from ${from} to ${to}, by admin`,
        `${to_number} from ${from} to ${to}`,
        "0 of 5 reserved unit(s) picked",
        "admin asked for it",
      ],
    });
    const { batch_id } = await service.admin.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
    await ui.check("transfer-picking", id, {
      list: ["RUNNING", "picking", to_number],
      details: ["admin began to pick at 1 place(s)", `admin picks BATCH-TO-${batch_id}, see pick-wave-${batch_id}`],
    });
    await ui.check("transfer-wave", `pick-wave-${batch_id}`, {
      list: ["RUNNING", "picking", "admin", to_number],
      details: [
        `BATCH-TO-${batch_id}: ${to_number} from ${from} to ${to}, picked by admin`,
        "1 of 1 pick(s) to go",
        `admin picks ${to_number} from ${from} to ${to}`,
        TIME,
      ],
    });
    const { pick_task_id, sku } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}/next`);
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: 5 };
    await service.admin.ok("POST", "/api/picking/confirm", scan);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await ui.check("transfer-wave-completed", `pick-wave-${batch_id}`, {
      list: ["COMPLETED", "completed"],
      details: ["completed by admin: 5 unit(s) picked", `what was picked waits for approval, see ${id}`],
    });
    await ui.check("transfer-to-approve", id, {
      list: ["RUNNING", "to approve"],
      page: [/Records a reminder of what is still to approve at/],
      details: [/admin submitted 5 unit\(s\) at /, `somebody of ${to} approves or rejects approval`, TIME],
    });
    await decide(to_id, "reject", { rejection_reason: "two boxes are wet" });
    await ui.check("transfer-to-submit", id, {
      list: ["RUNNING", "to submit"],
      details: [new RegExp(`${by} rejected \\d+: two boxes are wet`), "what is picked is submitted for approval"],
    });
    await service.admin.ok("POST", `/api/admin/picker/transfer-orders/${to_id}/submit`);
    await decide(to_id, "approve");
    await ui.check("transfer-closed", id, {
      list: ["COMPLETED", "closed"],
      details: [new RegExp(`${by} approved \\d+`), "what was approved is in the other warehouse"],
    });
  });

  it("a transfer order that waits too long for a decision, and is cancelled in the UI", async () => {
    const { submitted } = await transfers();
    await reminders("0.0003");
    const { id, to_id } = await submitted();
    await ui.check("transfer-reminded", id, {
      list: ["RUNNING", "to approve"],
      details: ["1 approval(s) are open for long: a reminder was recorded", /admin submitted 5 unit/, TIME],
    });
    await reminders("24");
    await ui.requestCancellation(id);
    await endsCancelled(id);
    assert.equal(await transferStatus(to_id), "CANCELLED");
    const by = "select user_id from audit_log where action_type = 'TO_CANCELLED' and entity_id = $1";
    assert.deepEqual(await db.column(by, [to_id]), ["system"]);
    await ui.check("transfer-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI", "what was reserved is free again"],
    });
  });

  it("a transfer order that cannot be cancelled in the UI any more, and why", async () => {
    const { create, decide } = await transfers();
    const { id, to_id } = await create();
    const { batch_id } = await service.admin.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
    const { pick_task_id, sku } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}/next`);
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: 2 };
    await service.admin.ok("POST", "/api/picking/confirm", scan);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await decide(to_id, "approve");
    await ui.requestCancellation(id);
    await ui.check("transfer-not-cancelled", id, {
      list: ["RUNNING", "to pick"],
      details: [
        "cancellation was requested in the Temporal UI, which is not possible any more: some of it is approved",
      ],
    });
    await service.admin.ok("POST", `${TRANSFERS}/${to_id}/lines/${await lineOf(to_id)}/short-close`);
    await ui.check("transfer-short-closed", id, {
      list: ["COMPLETED", "closed"],
      details: ["admin closed a line short"],
    });
  });
  const lineOf = (to_id: number) =>
    db.value<number>("select to_line_id as id from transfer_order_lines where to_id = $1", [to_id]);

  it("transfer orders that were cancelled, deleted and refused, and why", async () => {
    const { create } = await transfers();
    const [cancelled, deleted] = [await create(), await create()];
    await service.admin.ok("POST", `${TRANSFERS}/${cancelled.to_id}/cancel`);
    await ui.check("transfer-cancelled", cancelled.id, {
      list: ["COMPLETED", "cancelled"],
      details: ["cancelled by admin"],
    });
    await service.admin.delete(`${TRANSFERS}/${deleted.to_id}`);
    await ui.check("transfer-deleted", deleted.id, { list: ["COMPLETED", "deleted"], details: ["deleted by admin"] });
    const refused = await service.admin.post(`${TRANSFERS}/import`, {
      source_warehouse_code: await codeOf(warehouse_id),
      destination_warehouse_code: await codeOf(await warehouse()),
      records: [{ sku: "NO-SUCH", quantity: 1 }],
    });
    await ui.check("transfer-refused", idOf(refused), {
      list: ["FAILED", "refused"],
      page: [/row 0: unknown sku NO-SUCH/],
      details: [/row 0: unknown sku NO-SUCH/, "the transfer order is made again"],
    });
  });
});
