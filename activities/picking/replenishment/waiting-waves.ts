import { z } from "zod";
import type { WaitingReleased } from "../../../src/picking/replenishment/workflow.js";
import { planBatches } from "../../../src/picking/waves/plan.js";
import { WaveToPlan } from "../../../src/picking/waves/shapes.js";
import { partOf } from "../../../src/platform/actor.js";
import { arrayOf, int, text } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
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
  for (const { waiting_id, external_id, so_ids, plan } of rows) {
    const { zone_id, ...rest } = plan;
    const asked: WaveToPlan = { ...rest, warehouse_id: warehouseId, filter: { ...(zone_id && { zone_id }) }, so_ids };
    const by = systemActor(`waiting-wave-${external_id}`);
    if (!(await isBegun(by.commandId)) && (await planBatches(asked)).in_reserve.length > 0) continue;
    const { batches } = await releaseWaves(asked, by);
    await command("replenishment.endWaiting", partOf(by, "ended"), { waiting_id }, async (tx) => {
      await tx.run("delete from waves_waiting where waiting_id = $1", [waiting_id]);
      tx.audit({
        ...{ action: "DELETE", entity: "WAITING_WAVE", entityId: waiting_id, warehouseId },
        details: { so_ids, batch_ids: batches.map(({ batch_id }) => batch_id) },
      });
    });
    done.released++;
    done.batches += batches.length;
    done.waves--;
  }
  return done;
}

/** Whether the release was planned, and then stopped: its own batches must not make it wait again. */
const isBegun = async (commandId: string): Promise<boolean> =>
  (await db.row({ command_id: text }, "select command_id from command_log where command_id = $1", [commandId])) !==
  undefined;
