import { z } from "zod";
import { WaitingWaveNotFound, WaitingWaveReleased } from "../../../src/picking/problems.js";
import type { WaitingReleased } from "../../../src/picking/replenishment/workflow.js";
import { planBatches } from "../../../src/picking/waves/plan.js";
import { WaveToPlan } from "../../../src/picking/waves/shapes.js";
import { type Actor, checkWarehouse, partOf } from "../../../src/platform/actor.js";
import { arrayOf, int, text } from "../../../src/platform/db/columns.js";
import { db, type Sql } from "../../../src/platform/db/db.js";
import { DomainError } from "../../../src/platform/problem.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";
import { releaseWaves } from "../release-waves.js";

/** Orders of a release whose units lie in reserve: docs/waves.md, Orders that wait for a pick face. */

const Plan = WaveToPlan.pick({ combine: true, group: true }).extend({ zone_id: int.optional() });
const WaitingRow = z.strictObject({ waiting_id: int, external_id: text, so_ids: arrayOf(int), plan: Plan });

/**
 * Releases what waits in a warehouse and lacks nothing more that lies in reserve, each once, under an id of its own: a
 * repeat goes on where the first one stopped. Audit DELETE of what waited.
 */
export async function releaseWaitingWaves(warehouseId: number): Promise<WaitingReleased> {
  const rows = await db.rows(
    WaitingRow,
    "select waiting_id, external_id, so_ids, plan from waves_waiting where warehouse_id = $1 order by waiting_id",
    [warehouseId],
  );
  const done = { released: 0, batches: 0, waves: rows.length };
  for (const row of rows) {
    const batches = await releaseWaiting(warehouseId, row);
    if (batches === "waits") continue;
    done.waves--;
    if (batches === "gone") continue;
    done.released++;
    done.batches += batches;
  }
  return done;
}

/** How many batches it became; `gone` where somebody took it back meanwhile. */
async function releaseWaiting(warehouse_id: number, row: z.infer<typeof WaitingRow>): Promise<number | Kept> {
  const { waiting_id, external_id, so_ids, plan } = row;
  const { zone_id, ...rest } = plan;
  const asked: WaveToPlan = { ...rest, warehouse_id, filter: { ...(zone_id && { zone_id }) }, so_ids, waiting_id };
  const by = releaserOf(external_id);
  if (!(await isBegun(db, by)) && (await planBatches(asked)).in_reserve.length > 0) return "waits";
  try {
    const { batches } = await releaseWaves(asked, by);
    await command("replenishment.endWaiting", partOf(by, "ended"), { waiting_id }, async (tx) => {
      await tx.run("delete from waves_waiting where waiting_id = $1", [waiting_id]);
      tx.audit({
        ...{ action: "DELETE", entity: "WAITING_WAVE", entityId: waiting_id, warehouseId: warehouse_id },
        details: { so_ids, batch_ids: batches.map(({ batch_id }) => batch_id) },
      });
    });
    return batches.length;
  } catch (err) {
    if (err instanceof DomainError && err.kind === WaitingWaveNotFound.kind) return "gone";
    throw err;
  }
}

type Kept = "waits" | "gone";

const Waiting = z.strictObject({ external_id: text, warehouse_id: int, so_ids: arrayOf(int) });

/**
 * Takes back what waits: its orders are open, and a release takes them again. Audit DELETE of what waited.
 *
 * Refusals: 404 `waiting_wave_not_found`, 403 `warehouse_denied`, 409 `waiting_wave_released`.
 */
export function takeBackWaiting(waiting_id: number, by: Actor): Promise<{ message: string }> {
  return command("replenishment.takeBackWaiting", by, { waiting_id }, async (tx) => {
    const row = await tx.row(
      Waiting,
      "select external_id, warehouse_id, so_ids from waves_waiting where waiting_id = $1 for update",
      [waiting_id],
    );
    if (!row) throw WaitingWaveNotFound();
    const { external_id, warehouse_id: warehouseId, so_ids } = row;
    checkWarehouse(by, warehouseId);
    if (await isBegun(tx, releaserOf(external_id))) throw WaitingWaveReleased();
    await tx.run("delete from waves_waiting where waiting_id = $1", [waiting_id]);
    tx.audit({ action: "DELETE", entity: "WAITING_WAVE", entityId: waiting_id, warehouseId, details: { so_ids } });
    return { message: "Taken back" };
  });
}

/** Who releases what waits: always under one command id. */
const releaserOf = (external_id: string): Actor => systemActor(`waiting-wave-${external_id}`);

/** Whether the release was planned, and then stopped: its own batches must not make it wait again. */
const isBegun = async (sql: Sql, { commandId }: Actor): Promise<boolean> =>
  (await sql.row({ command_id: text }, "select command_id from command_log where command_id = $1", [commandId])) !==
  undefined;
