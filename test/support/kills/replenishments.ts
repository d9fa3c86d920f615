import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { replenishmentWorkflowId } from "../../../src/picking/replenishment/workflow.js";
import { db } from "../db.js";
import { bin, item } from "../fixtures.js";
import { overPromised } from "../replenishments.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import { unique } from "../unique.js";
import { HEALED_WITHIN_MS, type Work } from "./kills.js";

/** Of each order; more than that is put into reserve with each, so that what is in doubt is missed by nobody. */
const ORDERED = 2;
const ADDED = 6;
const POLL_MS = 200;
/** What waits is asked for again every so many polls: a short may have left an order out of its release. */
const POLLS_OF_A_RELEASE = 25;

/**
 * Orders whose units lie in reserve. Two people carry them to the pick face, all at once, in parts, to the last unit
 * that they find, or back; and pick what was released then, whoever of them ordered it. `tell` has a workflow look.
 */
export async function replenishmentsOf(
  stack: Pick<Stack, "admin">,
  tell: (workflowId: string) => Promise<void>,
): Promise<Work> {
  const { scanners, warehouse_id } = await openFloor(stack, 2);
  const [first] = scanners as [Scanner];
  const { item_id, sku } = await item();
  const face = await bin(warehouse_id);
  const reserves = [await bin(warehouse_id, { is_reserve: true }), await bin(warehouse_id, { is_reserve: true })];
  const limited = (limits: object) =>
    stack.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
  // A process that dies may not have told the workflow what was carried.
  await stack.admin.ok("PUT", "/api/admin/settings", { settings: { replenishment_look_minutes: "1" } });
  await limited({ min_units: 2, max_units: 4, case_units: 1 });
  let added = 0;
  let tasks = 0;

  const add = (scanner: Scanner) =>
    scanner.post("/api/admin/adjustments/direct", {
      ...{ item_id, warehouse_id, bin_id: reserves[added++ % 2], adjustment_type: "ADD", quantity: ADDED },
      reason: "found",
    });
  const release = (scanner: Scanner) =>
    scanner.post("/api/admin/waves/release", { warehouse_id, group: { max_orders: 1 } });

  /** Takes a task and does a part of it or all; false where there is none. */
  async function carry(scanner: Scanner): Promise<boolean> {
    const task = await unless(
      /No pick face is to be filled up/,
      scanner.post("/api/replenishment/take", { warehouse_id }),
    );
    if (!task) return false;
    const { replenishment_id } = task;
    let left: number = task.quantity - task.quantity_done;
    const confirm = async (quantity: number) => {
      const body = { replenishment_id, quantity };
      // Another found its reserve bin empty meanwhile.
      const done = await unless(/Insufficient quantity/, scanner.post("/api/replenishment/confirm", body));
      if (done) left -= quantity;
      return done !== undefined;
    };
    const turn = tasks++ % 4;
    if (turn < 3 && left > 1 && !(await confirm(1))) await short(scanner, replenishment_id);
    else if (turn === 0) await scanner.post("/api/replenishment/give-back", { replenishment_id });
    else if (turn === 2 || !(await confirm(left))) await short(scanner, replenishment_id);
    return true;
  }
  async function short(scanner: Scanner, replenishment_id: number) {
    await scanner.post("/api/replenishment/short", { replenishment_id });
    await add(scanner);
  }

  async function walk(scanner: Scanner) {
    await add(scanner);
    const lines = [{ item_id, quantity_ordered: ORDERED }];
    await scanner.post("/api/admin/sales-orders", { so_number: `F-${unique()}`, warehouse_id, lines });
    const deadline = Date.now() + HEALED_WITHIN_MS;
    for (let polls = 0; Date.now() < deadline; polls++) {
      if (polls % POLLS_OF_A_RELEASE === 0) await release(scanner);
      if (await carry(scanner)) continue;
      const batch = await unless(/No batch waits/, scanner.post("/api/picking/next-batch", { warehouse_id }));
      if (batch) return pick(scanner, batch.batch_id);
      await pause(POLL_MS);
    }
    throw new Error("no batch came of an order whose units lie in reserve");
  }
  async function pick(scanner: Scanner, batch_id: number) {
    const { pick_task_id } = await scanner.get(`/api/picking/batch/${batch_id}/next`);
    await scanner.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: ORDERED });
    await scanner.post("/api/picking/complete-batch", { batch_id });
  }

  /** Counts a bin in which units were short, or that was empty: all that the books have is there. */
  async function count({ count_id, bin_id }: { count_id: number; bin_id: number }) {
    const { lines } = await first.get(`/api/inventory/cycle-count/${count_id}`);
    const counted_quantity = (await db.value<number>(
      "select coalesce(sum(quantity_on_hand), 0)::int as units from inventory where bin_id = $1",
      [bin_id],
    )) as number;
    // A bin that was empty has no line; goods may have come since.
    const what = lines[0] ? { count_line_id: lines[0].count_line_id } : { item_id, unexpected: true };
    const counted = lines[0] || counted_quantity > 0 ? [{ ...what, counted_quantity }] : [];
    await first.post("/api/inventory/cycle-count/submit", { count_id, lines: counted });
  }

  return {
    scanners,
    walk,
    /** The workflow of the warehouse waits for the next look as long as there is a face, and so do the counts. */
    leaveOpen: async () => {
      const counts = await db.rows<{ count_id: number; bin_id: number }>(
        "select count_id, bin_id from cycle_counts where warehouse_id = $1 and status = 'PENDING'",
        [warehouse_id],
      );
      const end = async () => {
        for (const one of counts) await count(one);
        await limited({ min_units: null, max_units: null, case_units: null });
        await tell(replenishmentWorkflowId(warehouse_id));
      };
      return { waiting: 1 + counts.length, end };
    },
    /** Each confirmed part is one move, each task had one person at a time, and each order was picked once. */
    done: async () => {
      const done = (await db.row<Record<string, number>>(
        `select (select sum(quantity_on_hand)::int from inventory where item_id = $2) as stored,
                (select count(*)::int from bin_transfers
                 where warehouse_id = $1 and transfer_type = 'REPLENISH') as moves,
                (select sum(quantity)::int from bin_transfers
                 where warehouse_id = $1 and transfer_type = 'REPLENISH') as moved,
                (select sum(quantity_done)::int from replenishments where warehouse_id = $1) as carried,
                (select count(*)::int from replenishments where warehouse_id = $1 and status = 'SHORT') as short,
                (select count(*)::int from replenishments
                 where warehouse_id = $1 and status in ('OPEN', 'TAKEN')) as unfinished,
                (select count(*)::int from waves_waiting where warehouse_id = $1) as waiting,
                (select count(distinct so_id)::int from pick_batch_orders
                 join pick_batches using (batch_id) where warehouse_id = $1) as orders,
                (select count(*)::int from pick_batches
                 where warehouse_id = $1 and status = 'COMPLETED') as batches`,
        [warehouse_id, item_id],
      )) as Record<string, number>;
      const of = (path: RegExp) => scanners.flatMap((one) => one.accepted).filter((request) => path.test(request.path));
      const made = of(/sales-orders$/).length;
      const confirmed = of(/replenishment\/confirm$/);
      const units = confirmed.reduce((sum, { body }) => sum + (body as { quantity: number }).quantity, 0);
      assert.ok(made > 0 && confirmed.length > 0);
      assert.deepEqual(done, {
        ...{ stored: ADDED * of(/adjustments/).length - ORDERED * made, moves: confirmed.length },
        ...{ moved: units, carried: units, short: of(/short$/).length, unfinished: 0, waiting: 0 },
        ...{ orders: made, batches: made },
      });
      assert.deepEqual(await overPromised(warehouse_id), []);
      assert.deepEqual(await takenByTwo(warehouse_id), []);
      return done;
    },
  };
}

/** What came, or undefined where it was refused as that. */
async function unless<T>(refusal: RegExp, request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: Error) => {
    if (!refusal.test(error.message)) throw error;
    return undefined;
  });
}

/** Tasks that somebody got while another had them, or gave back without having them. */
const takenByTwo = (warehouseId: number) =>
  db.rows(
    `select entity_id, had, taken from (
       select entity_id, details->'assigned_to'->>'old' as taken,
              lag(details->'assigned_to'->>'new') over (partition by entity_id order by log_id) as had
       from audit_log where entity_type = 'REPLENISHMENT' and warehouse_id = $1 and details ? 'assigned_to') as changes
     where taken is distinct from had`,
    [warehouseId],
  );
