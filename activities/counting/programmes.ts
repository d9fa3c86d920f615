import { ProgrammeExists, ProgrammeNotFound } from "../../src/counting/problems.js";
import { countProgress } from "../../src/counting/programmes/progress.js";
import { countProgramme, PROGRAMME } from "../../src/counting/programmes/queries.js";
import type { MadeCounts, NothingMade } from "../../src/counting/programmes/run.js";
import {
  CountProgramme,
  type CountProgrammeChanges,
  type CountRun,
  type DueReason,
  type MadeBy,
  type NewCountProgramme,
} from "../../src/counting/programmes/shapes.js";
import type { CountCreated } from "../../src/counting/shapes.js";
import { type Actor, checkWarehouse, partOf } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";
import { dueBins } from "./due-bins.js";
import { countBin } from "./insert.js";
import { lockBinOfCounts } from "./lock.js";

/**
 * Makes the count programme of a warehouse (docs/counting.md). Audit CREATE.
 *
 * Refusals: 400 `unknown_warehouse`, 409 `count_programme_exists`.
 */
export function createCountProgramme(input: NewCountProgramme, by: Actor): Promise<CountProgramme> {
  return command("countProgrammes.create", by, input, async (tx) => {
    const { warehouse_id, ...fields } = input;
    await checkWarehouseExists(tx, warehouse_id);
    const made = tx.row(
      CountProgramme,
      `insert into count_programmes as p
         (warehouse_id, interval_days_a, interval_days_b, interval_days_c, empty_interval_days, per_day, days,
          start_time)
       values (:warehouse_id, :interval_days_a, :interval_days_b, :interval_days_c, :empty_interval_days, :per_day,
               :days, :start_time)
       returning ${PROGRAMME}`,
      input,
    );
    const programme = (await refusingDuplicate(made, ProgrammeExists())) as CountProgramme;
    tx.audit({ action: "CREATE", ...entityOf(programme), details: fields });
    return programme;
  });
}

/**
 * Changes the sent fields of a programme, which stays in its warehouse. Audit UPDATE.
 *
 * Refusals: 404 `count_programme_not_found`.
 */
export function updateCountProgramme(programme_id: number, changes: CountProgrammeChanges, by: Actor) {
  return command("countProgrammes.update", by, { programme_id, ...changes }, async (tx) => {
    const before = await lockProgramme(tx, programme_id, by);
    const after = withChanges(before, changes);
    const programme = await tx.row(
      CountProgramme,
      `update count_programmes p
       set interval_days_a = :interval_days_a, interval_days_b = :interval_days_b, interval_days_c = :interval_days_c,
           empty_interval_days = :empty_interval_days, per_day = :per_day, days = :days, start_time = :start_time,
           is_active = :is_active, updated_at = clock_timestamp()
       where programme_id = :programme_id returning ${PROGRAMME}`,
      after,
    );
    auditEdit(tx, entityOf(before), before, after);
    return programme as CountProgramme;
  });
}

/** Deletes a programme; counts that it made stay. Audit DELETE. */
export function deleteCountProgramme(programme_id: number, by: Actor): Promise<{ message: string }> {
  return command("countProgrammes.delete", by, { programme_id }, async (tx) => {
    const programme = await lockProgramme(tx, programme_id, by);
    await tx.run("delete from count_programmes where programme_id = $1", [programme_id]);
    tx.audit({ action: "DELETE", ...entityOf(programme) });
    return { message: `Count programme of ${programme.warehouse_code} deleted` };
  });
}

const Warehouse = { warehouse_id: int };

/**
 * Makes counts of the bins that are due, as many as a programme may still make today, and notes at it what came of it.
 * Which bins that are is one command and each count another one, under ids made from the caller's: who asks again gets
 * the same counts, and those are made that were not made yet. A bin that is counted by now is left out.
 *
 * Refusals: 404 `count_programme_not_found`.
 */
export async function runCountProgramme(programme_id: number, by: Actor, lateMinutes = 0): Promise<CountRun> {
  const sql = "select warehouse_id from count_programmes where programme_id = $1";
  const programme = await db.row(Warehouse, sql, [programme_id]);
  if (!programme) throw ProgrammeNotFound();
  const { warehouse_id } = programme;
  checkWarehouse(by, warehouse_id);
  const { bins, due } = await command("countProgrammes.plan", by, { programme_id }, (tx) => dueBins(tx, programme_id));
  const counts: CountCreated[] = [];
  const made: MadeBy = { doubt: 0, class_a: 0, class_b: 0, class_c: 0, empty: 0 };
  for (const { bin_id, reason } of bins) {
    const count = await countDueBin({ warehouse_id, bin_id, reason, programme_id }, partOf(by, `bin-${bin_id}`));
    if (!count) continue;
    counts.push(count);
    made[reason]++;
  }
  const run = { made, waiting: due - bins.length };
  await command("countProgrammes.noteRun", partOf(by, "noted"), { programme_id }, (tx) =>
    tx.run(
      `update count_programmes set last_run = $2::jsonb || jsonb_build_object('ran_at', clock_timestamp())
       where programme_id = $1`,
      [programme_id, JSON.stringify({ ...run, late_minutes: lateMinutes })],
    ),
  );
  return { counts, ...run };
}

const ProgrammeByClock = { is_active: bool, warehouse_is_active: bool };

/**
 * The same by the clock, as the system user. Nothing is made where the programme is gone or switched off, or its
 * warehouse is.
 */
export async function makeDueCounts(
  programme_id: number,
  commandId: string,
  lateMinutes: number,
): Promise<MadeCounts | NothingMade> {
  const found = await db.row(
    ProgrammeByClock,
    `select p.is_active, w.is_active as warehouse_is_active
     from count_programmes p join warehouses w using (warehouse_id) where programme_id = $1`,
    [programme_id],
  );
  if (!found) return { nothing_made: "deleted" };
  if (!found.is_active) return { nothing_made: "paused" };
  if (!found.warehouse_is_active) return { nothing_made: "warehouse_inactive" };
  const by = systemActor(commandId);
  const { counts, ...run } = await runCountProgramme(programme_id, by, lateMinutes);
  const programme = await countProgramme(programme_id);
  if (!programme) return { nothing_made: "deleted" };
  const { seen, right } = (await countProgress(programme)).house;
  const named = counts.map(({ count_id, bin_code }) => ({ count_id, bin_code }));
  return { warehouse_id: programme.warehouse_id, counts: named, ...run, seen, right, by };
}

interface DueBin {
  warehouse_id: number;
  bin_id: number;
  reason: DueReason;
  programme_id: number;
}

/** Makes the count of a bin; null where one is open, or the bin is gone. */
const countDueBin = (bin: DueBin, by: Actor): Promise<CountCreated | null> =>
  command("countProgrammes.count", by, bin, async (tx) => {
    const { reason, programme_id, ...place } = bin;
    if ((await lockBinOfCounts(tx, bin.bin_id)) === 0) return null;
    return countBin(tx, place, { reason: "count programme", due: reason, programme_id }, true);
  });

const entityOf = ({ programme_id, warehouse_id }: Pick<CountProgramme, "programme_id" | "warehouse_id">) => ({
  entity: "COUNT_PROGRAMME",
  entityId: programme_id,
  warehouseId: warehouse_id,
});

async function lockProgramme(tx: Tx, programme_id: number, by: Actor): Promise<CountProgramme> {
  const [, programme] = await tx.inOrder([
    tx.run("select from count_programmes where programme_id = $1 for update", [programme_id]),
    tx.row(CountProgramme, `select ${PROGRAMME} from count_programmes p where programme_id = $1`, [programme_id]),
  ]);
  if (!programme) throw ProgrammeNotFound();
  checkWarehouse(by, programme.warehouse_id);
  return programme;
}
