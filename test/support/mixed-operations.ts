import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { planWave } from "../../activities/picking/create-wave.js";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { DomainError } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { assertInvariants } from "./invariants.js";
import { SEED } from "./seed.js";
import { unique } from "./unique.js";
import { actor } from "./walk.js";

const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? 24);
const MOST_ROUNDS = 10;

/** A warehouse where one item is sold, and a user who does everything. */
interface Site {
  warehouse_id: number;
  item_id: number;
  sku: string;
  picker: Caller;
}

/** Something that is done at a site; `a` and `b` choose what it is done to. */
export type Operation<S> = (site: S, a: number, b: number, units: number, by: Caller) => Promise<unknown>;
type Operations<S> = Record<string, Operation<S>>;

/** The one of some rows that a number chooses. */
export const chosen = <T>(rows: T[], n: number): T | undefined => rows[n % Math.max(1, rows.length)];

export const pendingTasks = ({ warehouse_id }: Site) =>
  db.rows<{ pick_task_id: number; quantity_to_pick: number }>(
    `select pick_task_id, quantity_to_pick from pick_tasks join pick_batches p using (batch_id)
     where p.warehouse_id = $1 and pick_tasks.status = 'PENDING' order by pick_task_id`,
    [warehouse_id],
  );

/** Orders of the item, and waves of two orders at most that are picked and completed. */
export const selling = {
  order: ({ warehouse_id, item_id }, _a, _b, quantity_ordered) =>
    createSalesOrder(
      { so_number: `M-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] } as never,
      systemActor(randomUUID()),
    ),
  wave: async ({ warehouse_id }, _a, _b, _units, by) => {
    const open = await db.rows<{ so_id: number }>(
      `select so_id from sales_orders so where warehouse_id = $1 and status = 'OPEN'
         and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)
       order by so_id limit 2`,
      [warehouse_id],
    );
    const soIds = open.map(({ so_id }) => so_id);
    if (soIds.length === 0) return;
    const batchId = await takeBatchId();
    await planWave({ batchId, warehouseId: warehouse_id, soIds, excludeSoIds: [], combine: true }, actor(by));
  },
  confirm: async (site, a, _b, _units, by) => {
    const task = chosen(await pendingTasks(site), a);
    if (!task) return;
    const { pick_task_id, quantity_to_pick: quantity_picked } = task;
    await confirmPick({ pick_task_id, scanned_barcode: site.sku, quantity_picked }, actor(by));
  },
  complete: async ({ warehouse_id }, _a, _b, _units, by) => {
    const batch = await db.value<number>(
      "select batch_id from pick_batches where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS') limit 1",
      [warehouse_id],
    );
    if (batch) await completeWave(batch, actor(by));
  },
} satisfies Operations<Site>;

/**
 * Does any sequence of operations at a new site each, sometimes two at once, and looks at the site after each of them
 * and at the end. An operation may be refused; there are more sequences until each was done once. Those of `often` come
 * more often.
 */
export async function mix<S extends Site>(
  operations: Operations<S>,
  often: string[],
  site: { begun: () => Promise<S>; afterEach: (site: S) => Promise<void>; atEnd: (site: S) => Promise<void> },
): Promise<void> {
  console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
  const any = fc.nat(99);
  const step = fc.record({
    does: fc.constantFrom(...Object.keys(operations), ...often),
    ...{ a: any, b: any, units: fc.integer({ min: 1, max: 4 }) },
  });
  const done = new Set<string>();
  const sequences = fc.asyncProperty(
    fc.array(fc.tuple(step, fc.option(step)), { minLength: 8, maxLength: 16 }),
    async (sequence) => {
      const at = await site.begun();
      for (const both of sequence) {
        await Promise.all(
          both
            .filter((one) => one !== null)
            .map(async ({ does, a, b, units }) => {
              try {
                await operations[does]?.(at, a, b, units, at.picker);
                done.add(does);
              } catch (error) {
                if (!(error instanceof DomainError)) throw error;
              }
            }),
        );
        await assertInvariants(at.warehouse_id);
        await site.afterEach(at);
      }
      await site.atEnd(at);
    },
  );
  const names = Object.keys(operations);
  for (let round = 0; round < MOST_ROUNDS && names.length > done.size; round++)
    await fc.assert(sequences, { numRuns: SEQUENCES, seed: SEED + round });
  assert.deepEqual([...done].sort(), names.sort(), "each of them was done at least once");
}
