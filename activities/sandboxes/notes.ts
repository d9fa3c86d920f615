import type { Actor } from "../../src/platform/actor.js";
import { arrayOf, bool, int } from "../../src/platform/db/columns.js";
import { SandboxEnded, SandboxNotFound } from "../../src/sandboxes/problems.js";
import { sandbox, sandboxState } from "../../src/sandboxes/queries.js";
import type { Sandbox } from "../../src/sandboxes/shapes.js";
import type { SandboxState, SandboxStep } from "../../src/sandboxes/workflow.js";
import { command, type Tx } from "../command.js";
import { auditEdit } from "../edit.js";
import { noteTime } from "../note-time.js";

/** What is written of a sandbox itself; what happens in it are the ordinary commands. */

/** Notes that it has its bins, items and stock. */
export function noteFilled(sandboxId: number, itemIds: number[], by: Actor): Promise<SandboxState> {
  return command("sandboxes.filled", by, { sandboxId }, async (tx) => {
    await tx.run("update sandboxes set item_ids = $2, filled_at = coalesce(filled_at, now()) where sandbox_id = $1", [
      sandboxId,
      itemIds,
    ]);
    await tx.run("update items set is_sandbox = true where item_id = any($1)", [itemIds]);
    return sandboxState(tx, sandboxId);
  });
}

/** What the request that began it is answered: a repeat gets the same, whatever has happened in it since. */
export const answerBegun = (sandboxId: number, by: Actor): Promise<Sandbox> =>
  command("sandboxes.answer", by, { sandboxId }, async (tx) => {
    const begun = await sandbox(sandboxId, tx);
    if (!begun) throw SandboxNotFound();
    return begun;
  });

/** Counts something that was done in it. */
export function noteMove(sandboxId: number, what: string, by: Actor): Promise<SandboxState> {
  return command("sandboxes.moved", by, { sandboxId }, async (tx) => {
    await tx.run(COUNTED, [sandboxId, what, 1]);
    return sandboxState(tx, sandboxId);
  });
}

/** Counts a scenario that somebody asked for; the same request again gets what the first one did. */
export function noteStep(
  sandboxId: number,
  step: SandboxStep,
  by: Actor,
): Promise<{ step: SandboxStep; state: SandboxState }> {
  const { scenario, number, done } = step;
  return command("sandboxes.step", by, { sandboxId, scenario }, async (tx) => {
    await tx.run(COUNTED, [sandboxId, done.at(-1) ?? null, done.length]);
    await tx.run("update sandboxes set used_at = now() where sandbox_id = $1", [sandboxId]);
    const state = await sandboxState(tx, sandboxId);
    const { warehouse_id } = state;
    tx.audit({
      ...{ action: "SANDBOX_STEP", entity: "WAREHOUSE", entityId: warehouse_id, warehouseId: warehouse_id },
      details: { scenario, number },
    });
    return { step, state };
  });
}

const COUNTED = "update sandboxes set moves = moves + $3, last_move = coalesce($2, last_move) where sandbox_id = $1";

/** Sets how fast it moves. */
export function paceSandbox(sandboxId: number, pace_seconds: number, by: Actor): Promise<SandboxState> {
  return command("sandboxes.pace", by, { sandboxId, pace_seconds }, async (tx) => {
    const before = await lockOpen(tx, sandboxId);
    await tx.run("update sandboxes set pace_seconds = $2, used_at = now() where sandbox_id = $1", [
      sandboxId,
      pace_seconds,
    ]);
    const { warehouse_id } = before;
    const entry = { entity: "WAREHOUSE", entityId: warehouse_id, warehouseId: warehouse_id, action: "SANDBOX_PACE" };
    auditEdit(tx, entry, { pace_seconds: before.pace_seconds }, { pace_seconds });
    return sandboxState(tx, sandboxId);
  });
}

const Locked = { warehouse_id: int, item_ids: arrayOf(int), pace_seconds: int, is_open: bool };

/** Locks a sandbox that has not ended. */
export async function lockOpen(tx: Tx, sandboxId: number) {
  const found = await tx.row(
    Locked,
    `select warehouse_id, item_ids, pace_seconds, ended_at is null as is_open
     from sandboxes where sandbox_id = $1 for update`,
    [sandboxId],
  );
  if (!found) throw SandboxNotFound();
  if (!found.is_open) throw SandboxEnded();
  return found;
}

/** Notes that somebody looks at it, at most once a minute. */
export const noteSandboxUse = (sandboxId: number): Promise<void> =>
  noteTime({ table: "sandboxes", key: "sandbox_id", column: "used_at", every: "1 minute" }, sandboxId);
