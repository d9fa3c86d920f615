import { withHeartbeat } from "../../activities/heartbeat.js";
import { closeSandbox, removeSandbox } from "../../activities/sandboxes/end.js";
import { noteMove, noteStep } from "../../activities/sandboxes/notes.js";
import { endWorkflowsOf } from "../../api/http/end-workflows.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Config } from "../../src/platform/config/config.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { sandboxActor } from "../../src/sandboxes/actor.js";
import { MOST_ORDERS } from "../../src/sandboxes/limits.js";
import { SandboxEnded, SandboxFull } from "../../src/sandboxes/problems.js";
import { sandboxState } from "../../src/sandboxes/queries.js";
import {
  type SandboxActivities,
  type SandboxEnd,
  type SandboxState,
  type Scenario,
  sandboxWorkflowId,
} from "../../src/sandboxes/workflow.js";
import { askIn } from "./ask.js";
import { fillSandbox } from "./fill.js";
import { moveOn, stepOf } from "./moves.js";

/** Well within what the workflow waits for one. */
const HEARTBEAT_MS = 2_000;

/** The activities of the workflow `sandbox` that need the routes of the service (docs/sandbox.md). */
export function sandboxActivities(config: Config<"worker">): SandboxActivities {
  const moving = async (sandboxId: number, commandId: string): Promise<SandboxState> => {
    const state = await sandboxState(db, sandboxId);
    const isDone = (await recorded(sandboxActor(state.warehouse_id, commandId))) !== undefined;
    if (isDone || state.ended_by !== null || state.goes !== "on") return state;
    const what = await moveOn(state, askIn(config, sandboxId, state.warehouse_id), commandId);
    return noteMove(sandboxId, what, sandboxActor(state.warehouse_id, commandId));
  };
  const stepping = async (sandboxId: number, scenario: Scenario, by: Actor) => {
    const nothing = { scenario, number: "", done: [] };
    // A repeated request does nothing more: it gets what the first one did.
    if (await recorded(by)) return noteStep(sandboxId, nothing, by);
    const state = await sandboxState(db, sandboxId);
    if (state.ended_by !== null) throw SandboxEnded();
    if (state.goes === "full") throw SandboxFull({ most: MOST_ORDERS });
    const step = await stepOf(state, askIn(config, sandboxId, state.warehouse_id), scenario, by.commandId);
    return noteStep(sandboxId, step, by);
  };
  const ending = async (sandboxId: number, by: Actor): Promise<SandboxEnd> => {
    // A partner may end its own, though it may manage no tokens.
    await closeSandbox(sandboxId, by.role === "ADMIN" ? by : systemActor(by.commandId));
    const end = await removeSandbox(sandboxId, by);
    await endWorkflowsOf(end.state.warehouse_id, "the sandbox has ended", sandboxWorkflowId(sandboxId));
    return end;
  };
  return {
    fillSandbox: (id) => withHeartbeat(HEARTBEAT_MS, () => fillSandbox(id)),
    moveSandbox: (id, commandId) => withHeartbeat(HEARTBEAT_MS, () => moving(id, commandId)),
    stepSandbox: (id, scenario, by) => withHeartbeat(HEARTBEAT_MS, () => stepping(id, scenario, by)),
    endSandbox: (id, by) =>
      withHeartbeat(HEARTBEAT_MS, () => ending(id, typeof by === "string" ? systemActor(by) : by)),
  };
}
