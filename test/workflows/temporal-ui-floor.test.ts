import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { startMissing } from "../../workers/reconcile.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { faced } from "../support/replenishments.js";
import type { TestService } from "../support/service.js";
import { codeOf, idOf, openShownFloor, type ShownFloor } from "../support/shown-floor.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";
import { runBySchedule, runOf } from "../support/wave-runs.js";

/**
 * Temporal's own UI, as somebody sees it who has never seen the code: waves and counts. Each test brings processes into
 * a state, and looks for the texts that answer: where is it, why is it there, what comes next and when.
 * `TEST_SCREENSHOTS=<folder>` keeps pictures of all of them.
 */
describe("the Temporal UI shows", function () {
  this.timeout(120_000);
  const ui = temporalUi();

  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  let goods: ShownFloor["goods"];
  let inventory_id: number;
  let close: () => Promise<void>;
  before(async () => {
    ({ service, picker, warehouse_id, goods, inventory_id, close } = await openShownFloor());
    // All of these waves pick from one bin, also after one of them came out short.
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "false" } });
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
    await ui.look("wave-picking", id, {
      list: ["RUNNING", "picking", "ann"],
      page: [/Released at .* unless somebody scans before/],
      details: ["1 of 1 pick(s) to go, 5 unit(s) in all", /ann picks SO-/, TIME],
    });
    assert.equal((await stockOf(inventory_id)).allocated, 5);
    await ui.pressCancel(id);
    await endsCancelled(id);
    // Its order holds the units again.
    assert.equal((await stockOf(inventory_id)).allocated, 5);
    assert.deepEqual(
      await db.row(
        `select status, user_id as username, details->>'reason' as reason from pick_batches p
         join audit_log a on a.entity_id = p.batch_id and a.entity_type = 'PICK_BATCH' and action_type = 'CANCEL'
         where batch_id = $1`,
        [batch_id],
      ),
      { status: "CANCELLED", username: "system", reason: "cancelled in the Temporal UI" },
    );
    await ui.check("wave-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI", "the orders are OPEN for another wave"],
    });
  });

  it("a wave that is picked, then completed", async () => {
    const { id, batch_id, first_pick } = await wave();
    await post("confirm", { pick_task_id: first_pick.pick_task_id, scanned_barcode: goods.sku, quantity_picked: 5 });
    await until(
      async () => (await temporalClient().workflow.count(`WorkflowId="${id}" and Stage="to complete"`)).count > 0,
    );
    await ui.check("wave-to-complete", id, {
      list: ["RUNNING", "to complete"],
      details: ["0 of 1 pick(s) to go", "ann completes the batch", TIME],
    });
    await post("complete-batch", { batch_id });
    await ui.check("wave-completed", id, {
      list: ["COMPLETED", "completed"],
      details: ["completed by ann: 5 unit(s) picked", "the orders are PICKED and go to packing"],
    });
  });

  it("a wave that came out short", async () => {
    const { id, batch_id, first_pick } = await wave();
    await post("short", { pick_task_id: first_pick.pick_task_id, quantity_available: 2 });
    await post("complete-batch", { batch_id });
    await ui.check("wave-short", id, { list: ["COMPLETED", "short"], details: ["1 pick(s) short"] });
  });

  it("a wave that somebody cancelled, and says who", async () => {
    const { id, batch_id } = await wave();
    await post("cancel-batch", { batch_id });
    await ui.check("wave-cancelled", id, { list: ["COMPLETED", "cancelled"], details: ["cancelled by ann"] });
  });

  it("a wave that another one replaced, and one that nobody scanned for", async () => {
    const first = await wave();
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours: "0.0003" } });
    const second = await wave();
    await ui.check("wave-superseded", first.id, {
      list: ["COMPLETED", "superseded"],
      details: [`the same picker began wave ${second.batch_id}, which released this one`],
    });
    await ui.check("wave-idle", second.id, { list: ["COMPLETED", "idle"], details: ["nobody scanned for so long"] });
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours: "12" } });
  });

  it("a wave that was refused, and why", async () => {
    const { id } = await wave(1_000);
    await ui.check("wave-refused", id, {
      list: ["FAILED", "refused", await codeOf(warehouse_id)],
      page: [/needs 1000 SKU-/],
      details: [/not enough stock: SO-.* needs 1000 SKU-.*, \d+ there/, "the picker begins a wave again"],
    });
  });

  it("the replenishment of a warehouse, which is not cancelled, and ends with its last pick face", async () => {
    const house = await warehouse();
    const { admin } = service;
    const { item_id, face } = await faced({ warehouse_id: house, by: admin });
    await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: false });
    const id = `replenishment-${house}`;
    await ui.check("replenishment", id, {
      list: ["RUNNING", "to replenish", await codeOf(house)],
      details: [
        `Replenishment of ${await codeOf(house)}: 1 pick face(s), 1 task(s) open, 0 urgent, 0 wave(s) wait`,
        "its last look made 1 task(s)",
        /Looks at the pick faces again at .*, or when a task ends or a release waits for one/,
      ],
    });
    await ui.requestCancellation(id);
    await ui.check("replenishment-stays", id, {
      list: ["RUNNING", "to replenish"],
      details: ["Cancellation was requested in the Temporal UI and refused: the warehouse has pick faces"],
    });
    const limits = { min_units: null, max_units: null, case_units: null };
    await admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
    await temporalClient().workflow.getHandle(id).signal("changed");
    await ui.check("replenishment-completed", id, {
      list: ["COMPLETED", "completed"],
      details: ["the warehouse has no pick face, no open task and no wave that waits"],
    });
  });

  /** The run of a template of waves for one order, as its schedule starts it. */
  async function released(cut_off_minutes: number | null) {
    const ship_method = unique();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
    await db.run("update sales_orders set ship_method = $2 where so_id = $1", [so_id, ship_method]);
    const plan = { filter: { ship_method } };
    const template = { warehouse_id, template_name: "Parcels", times: ["03:00"], cut_off_minutes, plan };
    const { template_id } = await service.admin.ok("POST", "/api/admin/wave-templates", template);
    const remove = async () => {
      await service.admin.ok("DELETE", `/api/admin/wave-templates/${template_id}`);
      const { batch_id } = await post("next-batch", { warehouse_id });
      await post("cancel-batch", { batch_id });
    };
    return { id: await runBySchedule(template_id), remove };
  }

  it("a release by the clock that waits for its cut-off, and is cancelled in the UI: its batches stay", async () => {
    const { id, remove } = await released(60);
    await ui.look("release-to-cut-off", id, {
      list: ["RUNNING", "to release", await codeOf(warehouse_id)],
      page: [/Releases what came in meanwhile at the cut-off, /, "Plans the waves of the template and releases them"],
      details: [/Parcels in .*: released at .*: 1 order\(s\) in 1 batch\(es\)/, "it waits for its cut-off", TIME],
    });
    await ui.requestCancellation(id);
    await endsCancelled(id);
    await ui.check("release-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI; released at", "what was released stays"],
    });
    await remove();
  });

  it("releases by the clock that ended, and why one released nothing", async () => {
    const { id, remove } = await released(null);
    await ui.look("release-completed", id, {
      list: ["COMPLETED", "completed", await codeOf(warehouse_id)],
      details: [/released at .*: 1 order\(s\) in 1 batch\(es\), 0 short of stock/, "the batches wait for pickers"],
    });
    await remove();
    const template = { warehouse_id, template_name: "Parcels", times: ["03:00"] };
    const { template_id } = await service.admin.ok("POST", "/api/admin/wave-templates", template);
    await service.admin.ok("PUT", `/api/admin/wave-templates/${template_id}`, { is_active: false });
    await ui.check("release-skipped", await runBySchedule(template_id), {
      list: ["COMPLETED", "skipped"],
      details: ["the template was paused", "nothing was released"],
    });
    await service.admin.ok("DELETE", `/api/admin/wave-templates/${template_id}`);
  });

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
    await ui.look("count-counting", id, {
      list: ["RUNNING", "counting"],
      details: [/is to be counted: 1 item/, "ann asked for it", "ann counts and submits; there is no time limit"],
    });
    await ui.requestCancellation(id);
    await endsCancelled(id);
    assert.deepEqual(await statusOf(count_id), { status: "COMPLETED", adjustments: [] });
    await ui.check("count-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      page: ["Ends the count for the Temporal UI: stock stays"],
      details: ["cancellation was requested in the Temporal UI", /stock stays as it was/],
    });
  });

  it("a count that waits for an admin, and is cancelled in the UI: its adjustments are rejected", async () => {
    const { id, count_id, submit } = await count();
    await submit(3);
    await ui.check("count-to-review", id, {
      list: ["RUNNING", "to review"],
      details: ["1 of 1 line(s) differ, counted by ann", "an admin other than the counter approves or rejects"],
    });
    await ui.requestCancellation(id);
    await endsCancelled(id);
    assert.deepEqual(await statusOf(count_id), { status: "VARIANCE", adjustments: ["REJECTED"] });
  });

  it("counts that ended, and by whom", async () => {
    const { id, submit } = await count();
    await submit(5);
    await ui.check("count-no-variance", id, {
      list: ["COMPLETED", "no variance"],
      details: ["counted by ann, as expected"],
    });
    for (const [decision, outcome] of [
      ["approve", "approved"],
      ["reject", "rejected"],
    ] as const)
      await ui.check(`count-${outcome}`, await decide(decision), {
        list: ["COMPLETED", outcome],
        details: ["decided by admin"],
      });
  });

  it("a count that was refused, and why", async () => {
    const answer = await picker.post("/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [2 ** 30] });
    await ui.look("count-refused", idOf(answer), {
      list: ["FAILED", "refused"],
      details: [/Bin.* not found/i, "the count is begun again"],
    });
  });

  it("the counts of a day that a programme made, and why one made none", async () => {
    const house = await warehouse();
    await stock(house, await bin(house), goods.item_id, 5);
    await bin(house);
    const { programme_id } = await service.admin.ok("POST", "/api/admin/count-programmes", {
      ...{ warehouse_id: house, per_day: 1, empty_interval_days: 30, start_time: "03:00" },
    });
    const schedule = `count-programme-${programme_id}`;
    await ui.look("programme-completed", await runOf(schedule), {
      list: ["COMPLETED", "completed", await codeOf(house)],
      details: [
        "1 count(s) made: 1 of class C; 1 bin(s) are due and wait",
        "Seen within their intervals: 0 of 2 (0.00 %) bin(s)",
        "people count",
      ],
    });
    const [made] = (await service.admin.ok("GET", `/api/inventory/cycle-counts/open?warehouse_id=${house}`)).counts;
    await ui.check("programme-count", `cycle-count-${made.count_id}`, {
      list: ["RUNNING", "counting"],
      details: ["system asked for it", "whoever comes by counts and submits"],
    });
    await service.admin.ok("PUT", `/api/admin/count-programmes/${programme_id}`, { is_active: false });
    await ui.check("programme-skipped", await runOf(schedule), {
      list: ["COMPLETED", "skipped"],
      details: ["the programme was paused", "no count was made"],
    });
    await service.admin.ok("DELETE", `/api/admin/count-programmes/${programme_id}`);
  });
});
