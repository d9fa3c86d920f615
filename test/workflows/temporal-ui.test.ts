import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import type { Browser, Page } from "playwright-core";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { db, transaction } from "../../src/db/db.js";
import { maintenanceQueue } from "../../src/temporal/maintenance.js";
import { OUTCOMES, STAGES } from "../../src/temporal/search-attributes.js";
import { runSequencer } from "../../workers/sequencer.js";
import { openBrowser } from "../support/browser.js";
import type { Caller } from "../support/caller.js";
import { emit, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { bin, item, salesOrder, shippedOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { newTransfer, openApproval, pickTransfer, statusOf as transferStatus } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";

/** Where the pictures go, to be looked at; without it none are taken. */
const folder = process.env.TEST_SCREENSHOTS;

/** What docs/operations.md has people choose under "Configure columns". */
const COLUMNS = JSON.stringify({
  default: [
    ...["Status", "Workflow ID", "Type", "Stage", "Outcome", "WarehouseCode", "DestinationCode", "ToNumber", "Picker"],
    ...["Start", "End"],
  ].map((label) => ({ label })),
});

/**
 * Temporal's own UI, as somebody sees it who has never seen the code. Each test brings processes into a state, and looks
 * for the texts that answer: where is it, why is it there, what comes next and when. `TEST_SCREENSHOTS=<folder>` keeps
 * the pictures.
 */
describe("the Temporal UI", function () {
  this.timeout(120_000);

  let browser: Browser;
  let page: Page;
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  let goods: { item_id: number; sku: string };
  let inventory_id: number;
  const sinks: Sink[] = [];

  before(async () => {
    if (folder) mkdirSync(folder, { recursive: true });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, timezoneId: "UTC" });
    page.setDefaultTimeout(patient(15_000));
    await page.addInitScript(`localStorage.setItem("namespace-workflow-table-columns", '${COLUMNS}')`);
  });
  after(() => browser?.close());

  /** A service of its own, whose workers wait so long before the attempts of a webhook; gives what closes it. */
  async function open(retryDelays: string): Promise<() => Promise<void>> {
    const env = { ...senderEnv, DISPATCHER_RETRY_DELAYS_MS: retryDelays };
    service = await openService({ worker: true, env });
    // Workflow ids carry delivery ids, and both services share one Temporal server.
    await db.run("select setval(pg_get_serial_sequence('webhook_deliveries', 'delivery_id'), $1)", [
      randomInt(2 ** 40),
    ]);
    const sequencer = runSequencer();
    warehouse_id = await warehouse();
    goods = await item();
    inventory_id = await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 100);
    picker = await service.user({ warehouse_ids: [warehouse_id], username: "ann" });
    return async () => {
      await assertInvariants();
      await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
      await sequencer.stop();
      await service.close();
      for (const sink of sinks.splice(0)) await sink.stop();
    };
  }

  const ui = (path: string) => `${process.env.TEST_TEMPORAL_UI}/namespaces/default/${path}`;
  const idOf = (answer: { headers: Headers }) => answer.headers.get("x-service-workflow-id") as string;

  /** What the page says; the UI shows details in a frame of their own. */
  async function said(): Promise<string> {
    const texts = page.frames().map((frame) =>
      frame
        .locator("body")
        // biome-ignore lint/performance/useDomNodeTextContent: what a person sees is what is asked for
        .innerText()
        .catch(() => ""),
    );
    return (await Promise.all(texts)).join("\n").replace(/\s+/g, " ");
  }

  /** Waits for texts on the page, and takes a picture of it. */
  async function see(picture: string, texts: (string | RegExp)[]): Promise<void> {
    let page_says = "";
    const missing = () =>
      texts.filter((text) => (text instanceof RegExp ? !text.test(page_says) : !page_says.includes(text)));
    try {
      await until(
        async () => {
          page_says = await said();
          return missing().length === 0;
        },
        15_000,
        100,
      );
    } catch {
      assert.fail(`${picture}: not on the page: ${missing().join(" | ")}, which says: ${page_says}`);
    } finally {
      if (folder) await page.screenshot({ path: join(folder, `${picture}.png`) });
    }
  }

  interface Shown {
    /** What stands in its row of the list. */
    list: string[];
    /** What stands on its own page: timers, activities, the reason of a failure. */
    page?: (string | RegExp)[];
    /** Where it is, why, and what comes next and when. */
    details: (string | RegExp)[];
  }

  /** Looks at a process as people do: the list, a click on it, a click on "User Metadata". */
  async function look(picture: string, workflowId: string, shown: Shown): Promise<void> {
    const [status, ...others] = shown.list as [string, ...string[]];
    const query = `WorkflowId = "${workflowId}"`;
    const ended = status === "RUNNING" ? "" : ` and ExecutionStatus != "Running"`;
    await until(async () => (await temporalClient().workflow.count(query + ended)).count === 1, 30_000);
    await page.goto(ui(`workflows?query=${encodeURIComponent(query)}`));
    await see(`${picture}-1-list`, [workflowId, status, ...others]);
    await page.getByRole("link", { name: workflowId }).first().click();
    await see(`${picture}-2-page`, [status, "User Metadata", "Workflow SDK", ...(shown.page ?? [])]);
    await page.getByText("User Metadata", { exact: true }).first().click();
    await see(`${picture}-3-details`, ["Where:", "Why:", "Next:", ...shown.details]);
  }

  /** What a person does whom nothing else helps. */
  async function requestCancellation(workflowId: string): Promise<void> {
    await page.goto(ui(`workflows/${workflowId}`));
    await page.getByRole("button", { name: "Request Cancellation" }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    const ended = temporalClient().workflow.getHandle(workflowId).result();
    await assert.rejects(ended, /Workflow execution cancelled/);
  }

  /** A time that comes next. */
  const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/;

  describe("shows waves, counts, maintenance, and webhooks that end", () => {
    let close: () => Promise<void>;
    before(async () => {
      close = await open("100,100,100,100,100,100,100");
    });
    after(() => close());

    const post = (path: string, body: object) => picker.ok("POST", `/api/picking/${path}`, body);
    async function wave(quantity = 5) {
      const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity }]);
      const answer = await picker.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      return { id: idOf(answer), ...answer.body } as {
        id: string;
        batch_id: number;
        first_pick: { pick_task_id: number };
      };
    }

    it("a wave that is being picked, and is cancelled in the UI: its stock is released", async () => {
      const { id, batch_id } = await wave();
      await look("wave-picking", id, {
        list: ["RUNNING", "picking", "ann"],
        page: [/Released at .* unless somebody scans before/],
        details: ["1 of 1 pick(s) to go, 5 unit(s) in all", /ann picks SO-/, TIME],
      });
      assert.equal((await stockOf(inventory_id)).allocated, 5);
      await requestCancellation(id);
      assert.equal((await stockOf(inventory_id)).allocated, 0);
      assert.deepEqual(
        await db.row(
          `select status, user_id as username, details->>'reason' as reason from pick_batches p
           join audit_log a on a.entity_id = p.batch_id and a.entity_type = 'PICK_BATCH' and action_type = 'CANCEL'
           where batch_id = $1`,
          [batch_id],
        ),
        { status: "CANCELLED", username: "system", reason: "cancelled in the Temporal UI" },
      );
      await look("wave-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", "the orders are OPEN for another wave"],
      });
    });

    it("a wave that is picked, then completed", async () => {
      const { id, batch_id, first_pick } = await wave();
      await post("confirm", {
        ...{ pick_task_id: first_pick.pick_task_id, scanned_barcode: goods.sku, quantity_picked: 5 },
      });
      await until(
        async () => (await temporalClient().workflow.count(`WorkflowId="${id}" and Stage="to complete"`)).count > 0,
      );
      await look("wave-to-complete", id, {
        list: ["RUNNING", "to complete"],
        details: ["0 of 1 pick(s) to go", "ann completes the batch", TIME],
      });
      await post("complete-batch", { batch_id });
      await look("wave-completed", id, {
        list: ["COMPLETED", "completed"],
        details: ["completed by ann: 5 unit(s) picked", "the orders are PICKED and go to packing"],
      });
    });

    it("a wave that came out short", async () => {
      const { id, batch_id, first_pick } = await wave();
      await post("short", { pick_task_id: first_pick.pick_task_id, quantity_available: 2 });
      await post("complete-batch", { batch_id });
      await look("wave-short", id, { list: ["COMPLETED", "short"], details: ["1 pick(s) short"] });
    });

    it("a wave that somebody cancelled, and says who", async () => {
      const { id, batch_id } = await wave();
      await post("cancel-batch", { batch_id });
      await look("wave-cancelled", id, { list: ["COMPLETED", "cancelled"], details: ["cancelled by ann"] });
    });

    it("a wave that another one replaced, and one that nobody scanned for", async () => {
      const first = await wave();
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours: "0.0003" } });
      const second = await wave();
      await look("wave-superseded", first.id, {
        list: ["COMPLETED", "superseded"],
        details: [`the same picker began wave ${second.batch_id}, which released this one`],
      });
      await look("wave-idle", second.id, { list: ["COMPLETED", "idle"], details: ["nobody scanned for so long"] });
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours: "12" } });
    });

    it("a wave that was refused, and why", async () => {
      const { id } = await wave(1_000);
      await look("wave-refused", id, {
        list: ["FAILED", "refused", await codeOf(warehouse_id)],
        page: [/needs 1000 SKU-/],
        details: [/not enough stock: SO-.* needs 1000 SKU-.*, \d+ there/, "the picker begins a wave again"],
      });
    });

    const codeOf = async (id: number) =>
      (await db.row<{ code: string }>("select warehouse_code as code from warehouses where warehouse_id = $1", [id]))
        ?.code as string;

    /** A count of a bin with five units. */
    async function count() {
      const bin_id = await bin(warehouse_id);
      await stock(warehouse_id, bin_id, goods.item_id, 5);
      const path = "/api/inventory/cycle-count";
      const answer = await picker.post(`${path}/create`, { warehouse_id, bin_ids: [bin_id] });
      const { count_id } = answer.body.counts[0];
      const { lines } = await picker.ok("GET", `${path}/${count_id}`);
      return {
        id: idOf(answer),
        count_id,
        submit: (counted_quantity: number) =>
          picker.ok("POST", `${path}/submit`, {
            count_id,
            lines: [{ count_line_id: lines[0].count_line_id, counted_quantity }],
          }),
      };
    }
    const statusOf = (count_id: number) =>
      db.row<{ status: string; adjustments: string[] }>(
        `select status, array(select status from inventory_adjustments where cycle_count_id = $1)::text[] as adjustments
         from cycle_counts where count_id = $1`,
        [count_id],
      );
    async function decide(decision: "approve" | "reject") {
      const { id, count_id, submit } = await count();
      await submit(3);
      const { adjustments } = await service.admin.ok("GET", "/api/admin/adjustments/pending");
      const [mine] = adjustments.filter((one: { cycle_count_id: number }) => one.cycle_count_id === count_id);
      const decisions = [{ adjustment_id: mine.adjustment_id, action: decision }];
      await service.admin.ok("POST", "/api/admin/adjustments/review", { decisions });
      return id;
    }

    it("a count that is to be counted, and is cancelled in the UI: stock stays", async () => {
      const { id, count_id } = await count();
      await look("count-counting", id, {
        list: ["RUNNING", "counting"],
        details: [/is to be counted: 1 item/, "ann asked for it", "ann counts and submits; there is no time limit"],
      });
      await requestCancellation(id);
      assert.deepEqual(await statusOf(count_id), { status: "COMPLETED", adjustments: [] });
      await look("count-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", /stock stays as it was/],
      });
    });

    it("a count that waits for an admin, and is cancelled in the UI: its adjustments are rejected", async () => {
      const { id, count_id, submit } = await count();
      await submit(3);
      await look("count-to-review", id, {
        list: ["RUNNING", "to review"],
        details: ["1 of 1 line(s) differ, counted by ann", "an admin other than the counter approves or rejects"],
      });
      await requestCancellation(id);
      assert.deepEqual(await statusOf(count_id), { status: "VARIANCE", adjustments: ["REJECTED"] });
    });

    it("counts that ended, and by whom", async () => {
      const { id, submit } = await count();
      await submit(5);
      await look("count-no-variance", id, {
        list: ["COMPLETED", "no variance"],
        details: ["counted by ann, as expected"],
      });
      for (const [decision, outcome] of [
        ["approve", "approved"],
        ["reject", "rejected"],
      ] as const)
        await look(`count-${outcome}`, await decide(decision), {
          list: ["COMPLETED", outcome],
          details: ["decided by admin"],
        });
    });

    it("a count that was refused, and why", async () => {
      const answer = await picker.post("/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [2 ** 30] });
      await look("count-refused", idOf(answer), {
        list: ["FAILED", "refused"],
        details: [/Bin.* not found/i, "the count is begun again"],
      });
    });

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

    it("a return that waits for goods, and is cancelled in the UI: it is voided", async () => {
      const { id, so_id, so_number, original, by } = await returned();
      await look("return-to-receive", id, {
        list: ["RUNNING", "to receive", await codeOf(warehouse_id)],
        details: [
          `waits for 3 unit(s): 3 × ${goods.sku}`,
          `${by} expects goods of ${original.so_number} back`,
          "what comes is received, or an admin voids it; there is no time limit",
        ],
      });
      await requestCancellation(id);
      assert.deepEqual(await db.row("select voided_by from sales_orders where so_id = $1", [so_id]), {
        voided_by: "system",
      });
      await look("return-cancelled-in-ui", id, {
        list: ["CANCELED", "voided"],
        details: [`${so_number} in`, "cancellation was requested in the Temporal UI", "may be returned anew"],
      });
    });

    it("a return of which a part came, that is not cancelled any more, and then ends", async () => {
      const { id, so_number, by, receive } = await returned();
      await receive(1);
      await look("return-partly-received", id, {
        list: ["RUNNING", "partly received"],
        page: ["receiveReturn"],
        details: ["waits for 2 unit(s)", `1 unit(s) have come. Last: 1 × ${goods.sku} received by ${by}`],
      });
      await page.goto(ui(`workflows/${id}`));
      await page.getByRole("button", { name: "Request Cancellation" }).click();
      await page.getByRole("button", { name: "Confirm" }).click();
      await look("return-stays", id, {
        list: ["RUNNING", "partly received"],
        details: [
          `Cancellation was requested in the Temporal UI and refused: Goods of return ${so_number} have come`,
          "what comes is received; there is no time limit",
        ],
      });
      await receive(2);
      await look("return-received", id, {
        list: ["COMPLETED", "received"],
        details: [`all has come. Last: 2 × ${goods.sku} received by ${by}`, "what came is in stock"],
      });
    });

    it("returns that were voided, and refused", async () => {
      const { id, so_id } = await returned();
      await service.admin.ok("POST", `${ORDERS}/${so_id}/void-return`);
      await look("return-voided", id, { list: ["COMPLETED", "voided"], details: ["voided by admin"] });
      const refused = await returned(4);
      await look("return-refused", refused.id, {
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
      await look("transfer-to-pick", id, {
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
      await look("transfer-picking", id, {
        list: ["RUNNING", "picking", to_number],
        details: ["admin began to pick at 1 place(s)", `admin picks BATCH-TO-${batch_id}, see pick-wave-${batch_id}`],
      });
      await look("transfer-wave", `pick-wave-${batch_id}`, {
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
      await look("transfer-wave-completed", `pick-wave-${batch_id}`, {
        list: ["COMPLETED", "completed"],
        details: ["completed by admin: 5 unit(s) picked", `what was picked waits for approval, see ${id}`],
      });
      await look("transfer-to-approve", id, {
        list: ["RUNNING", "to approve"],
        page: [/Records a reminder of what is still to approve at/],
        details: [/admin submitted 5 unit\(s\) at /, `somebody of ${to} approves or rejects approval`, TIME],
      });
      await decide(to_id, "reject", { rejection_reason: "two boxes are wet" });
      await look("transfer-to-submit", id, {
        list: ["RUNNING", "to submit"],
        details: [new RegExp(`${by} rejected \\d+: two boxes are wet`), "what is picked is submitted for approval"],
      });
      await service.admin.ok("POST", `/api/admin/picker/transfer-orders/${to_id}/submit`);
      await decide(to_id, "approve");
      await look("transfer-closed", id, {
        list: ["COMPLETED", "closed"],
        details: [new RegExp(`${by} approved \\d+`), "what was approved is in the other warehouse"],
      });
    });

    it("a transfer order that waits too long for a decision, and is cancelled in the UI", async () => {
      const { submitted } = await transfers();
      await reminders("0.0003");
      const { id, to_id } = await submitted();
      await look("transfer-reminded", id, {
        list: ["RUNNING", "to approve"],
        details: ["1 approval(s) are open for long: a reminder was recorded", /admin submitted 5 unit/, TIME],
      });
      await reminders("24");
      await requestCancellation(id);
      assert.equal(await transferStatus(to_id), "CANCELLED");
      await look("transfer-cancelled-in-ui", id, {
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
      await page.goto(ui(`workflows/${id}`));
      await page.getByRole("button", { name: "Request Cancellation" }).click();
      await page.getByRole("button", { name: "Confirm" }).click();
      await look("transfer-not-cancelled", id, {
        list: ["RUNNING", "to pick"],
        details: [
          "cancellation was requested in the Temporal UI, which is not possible any more: some of it is approved",
        ],
      });
      await service.admin.ok("POST", `${TRANSFERS}/${to_id}/lines/${await lineOf(to_id)}/short-close`);
      await look("transfer-short-closed", id, {
        list: ["COMPLETED", "closed"],
        details: ["admin closed a line short"],
      });
    });
    const lineOf = async (to_id: number) =>
      (await db.row<{ id: number }>("select to_line_id as id from transfer_order_lines where to_id = $1", [to_id]))?.id;

    it("transfer orders that were cancelled, deleted and refused, and why", async () => {
      const { create } = await transfers();
      const [cancelled, deleted] = [await create(), await create()];
      await service.admin.ok("POST", `${TRANSFERS}/${cancelled.to_id}/cancel`);
      await look("transfer-cancelled", cancelled.id, {
        list: ["COMPLETED", "cancelled"],
        details: ["cancelled by admin"],
      });
      await service.admin.delete(`${TRANSFERS}/${deleted.to_id}`);
      await look("transfer-deleted", deleted.id, { list: ["COMPLETED", "deleted"], details: ["deleted by admin"] });
      const refused = await service.admin.post(`${TRANSFERS}/import`, {
        source_warehouse_code: await codeOf(warehouse_id),
        destination_warehouse_code: await codeOf(await warehouse()),
        records: [{ sku: "NO-SUCH", quantity: 1 }],
      });
      await look("transfer-refused", idOf(refused), {
        list: ["FAILED", "refused"],
        page: [/row 0: unknown sku NO-SUCH/],
        details: [/row 0: unknown sku NO-SUCH/, "the transfer order is made again"],
      });
    });

    /** Starts a job on the task queue of maintenance; gives the workflow's id. */
    async function job(name: string) {
      const workflowId = `maintenance-${name}-${service.config.temporalTaskQueue}`;
      const taskQueue = maintenanceQueue(service.config.temporalTaskQueue);
      await temporalClient().workflow.start("maintenance", {
        workflowId,
        taskQueue,
        args: [name],
        workflowExecutionTimeout: "30 minutes",
        staticSummary: name,
      });
      return workflowId;
    }

    it("maintenance under way, done, and failed", async () => {
      await transaction(async (tx) => {
        await tx.run("lock table webhook_secrets in access exclusive mode");
        await look("maintenance-running", await job("webhook-secrets"), {
          list: ["RUNNING", "maintenance"],
          page: ["Forgets webhook secrets that were replaced 24 hours ago"],
          details: ["under way", "its schedule starts it, 1 hour after the last time", TIME],
        });
      });
      await look("maintenance-done", await job("purge"), {
        list: ["COMPLETED", "maintenance"],
        details: [/it did: commands: \d+/],
      });
      const failed = await job("sweep");
      await until(
        async () =>
          (await temporalClient().workflow.count(`WorkflowId="${failed}" and ExecutionStatus="Failed"`)).count > 0,
      );
      await page.goto(ui(`workflows/${failed}`));
      await see("maintenance-failed", ["FAILED", /No such job: sweep/]);
    });

    it("an event that was delivered in the end, and one that was not: a dead letter", async () => {
      for (const [failures, picture, shown] of [
        [
          2,
          "delivery-delivered",
          { list: ["COMPLETED", "delivered"], details: [/Acme ERP: event \d+/, "the partner accepted it"] },
        ],
        [
          8,
          "delivery-dead-letter",
          {
            list: ["FAILED", "dead-lettered"],
            page: [/Acme ERP did not take event \d+/],
            details: [
              "all 8 attempts failed, the last one: Error at the destination (HTTP 500)",
              "replay the dead letter",
            ],
          },
        ],
      ] as [number, string, Shown][]) {
        const { id, sink } = await stuck(failures);
        await until(async () => sink.received.length === Math.min(failures + 1, 8), 60_000);
        await look(picture, id, shown);
        // The first attempt was not its own; and nothing tries again what was given up.
        assert.equal(sink.received.length, Math.min(failures + 1, 8));
      }
    });
  });

  describe("shows webhooks that wait", () => {
    let close: () => Promise<void>;
    before(async () => {
      close = await open("100,3600000,100,100,100,100,100");
    });
    after(() => close());

    it("an event with its next attempt, and given up in the UI: the next event is sent", async () => {
      const { id, sink, subscription_id } = await stuck(2);
      await look("delivery-retrying", id, {
        list: ["RUNNING", "retrying"],
        page: [/Error at the destination \(HTTP 500\): attempt 3 of 8 at/],
        details: [/Acme ERP: event \d+/, "attempt 2 failed: Error at the destination (HTTP 500)", TIME],
      });
      await requestCancellation(id);
      await look("delivery-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", "replay the dead letter"],
      });
      const statuses = (await rowsOf(subscription_id)).map(({ status }) => status);
      assert.deepEqual(statuses, ["failed", "failed", "dlq"]);
      await emit(warehouse_id, 1, 2);
      await until(() => sink.received.length === 3, 30_000);
    });
  });

  it("is explained in docs/operations.md: every stage and outcome, with views that the server understands", async () => {
    const text = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    const [, page = ""] = /## Reading the workflows in the Temporal UI([\s\S]*?)\n## /.exec(text) ?? [];
    for (const word of [...STAGES, ...OUTCOMES]) assert.ok(page.includes(`| \`${word}\` `), word);
    const [, views = ""] = /### Views to make once([\s\S]*?)### /.exec(page) ?? [];
    const queries = [...views.matchAll(/\| `(.+?)`\s+\|$/gm)].map(([, query]) => query as string);
    assert.ok(queries.length > 8);
    const client = new Client({
      connection: await Connection.connect({ address: process.env.TEST_TEMPORAL_ADDRESS ?? "" }),
    });
    for (const query of queries) await client.workflow.count(query);
    await client.connection.close();
  });

  /** A webhook whose first event fails so often; its sink, and the id of the workflow that tries again. */
  async function stuck(failures: number) {
    const sink = await openSink();
    sinks.push(sink);
    sink.answerNext(...Array(failures).fill(500));
    const { subscription_id } = await subscribe(service.admin, sink.url, {
      display_name: "Acme ERP",
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
    await db.run(
      `update webhook_subscriptions set last_delivered_event_id = last_no, scanned_event_id = last_no
       from sequencer_state where name = 'events' and subscription_id = $1`,
      [subscription_id],
    );
    await emit(warehouse_id);
    await until(async () => (await rowsOf(subscription_id)).length > 1, 30_000);
    const [first] = await rowsOf(subscription_id);
    return { sink, subscription_id, id: `webhook-delivery-${first?.delivery_id}` };
  }
});
