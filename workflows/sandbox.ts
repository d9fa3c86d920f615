import * as wf from "@temporalio/workflow";
import type * as sandboxes from "../activities/sandboxes/index.js";
import type { Actor } from "../src/platform/actor.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import type {
  SandboxActivities,
  SandboxRequest,
  SandboxState,
  SandboxStep,
  Scenario,
} from "../src/sandboxes/workflow.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Sandbox } from "./managers/sandbox.js";
import type * as texts from "./texts/sandbox.js";

export interface SandboxEnded {
  sandbox_id: number;
  ended: texts.SandboxEnded;
}

const { beginSandbox, resumeSandbox, paceSandbox } = databaseActivities<typeof sandboxes>({
  beginSandbox: "Makes the sandbox and its warehouse",
  resumeSandbox: "Reads the sandbox from its row",
  paceSandbox: "Sets how fast it moves",
});

// They make requests, some of which start workflows. A killed worker is found out by its heartbeat.
const requests = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "30s", nonRetryableErrorTypes: [FAULT] },
} satisfies wf.ActivityOptions;
const { fillSandbox } = wf.proxyActivities<SandboxActivities>({ ...requests, summary: "Makes bins, items and stock" });
const { moveSandbox } = wf.proxyActivities<SandboxActivities>({ ...requests, summary: "Does what comes next in it" });
const { stepSandbox } = wf.proxyActivities<SandboxActivities>({ ...requests, summary: "Does what somebody asked for" });
const { endSandbox } = wf.proxyActivities<SandboxActivities>({ ...requests, summary: "Removes it" });

/** The first update: waits until the sandbox and its warehouse are there. */
export const created = wf.defineUpdate<SandboxState>("created");
export const step = wf.defineUpdate<SandboxStep, [Scenario, Actor]>("step");
export const pace = wf.defineUpdate<SandboxState, [number, Actor]>("pace");
export const end = wf.defineUpdate<SandboxState, [Actor]>("end");
/** Somebody looks at it again: it goes on at once. */
const changed = wf.defineSignal("changed");

/**
 * A sandbox of a partner (docs/sandbox.md); its id is `sandbox-<sandbox_id>`. Something happens in its warehouse by a
 * timer, as long as somebody looks at it, moves it or uses its token; a scenario is an update. Nobody's use ends it
 * after some days, and so does a cancellation that is requested in the Temporal UI.
 * @param by Who began it, or started it again.
 * @param request What it is begun with; absent when the workflow of an existing sandbox is started again.
 */
export function sandbox(sandboxId: number, by: Actor, request?: SandboxRequest): Promise<SandboxEnded> {
  return uninterrupted(async () => {
    const box = new Sandbox(sandboxId, request !== undefined);
    wf.setHandler(step, (scenario, who) =>
      box.step(async () => {
        const { step: done, state } = await stepSandbox(sandboxId, scenario, who);
        box.learn(state);
        return done;
      }),
    );
    wf.setHandler(pace, (seconds, who) => box.step(async () => box.learn(await paceSandbox(sandboxId, seconds, who))));
    const endFor = async (who: Actor | string) => box.hasEnded(await endSandbox(sandboxId, who));
    wf.setHandler(end, (who) => box.step(() => endFor(who)));
    wf.setHandler(changed, box.markStale);

    await box.begin(created, () => (request ? beginSandbox(sandboxId, request, by) : resumeSandbox(sandboxId)));
    for (let moves = 1; !box.ending; moves++) {
      if (!box.isFilled) await box.step(async () => box.learn(await fillSandbox(sandboxId)));
      else if (box.isUnused) await box.step(() => endFor(box.commandId("unused")));
      else {
        const told = await box.wait(box.timer());
        if (box.ending) break;
        if (box.mayCancel) await box.cancel(() => endFor(box.commandId("cancelled")));
        else if (box.isLong) return wf.continueAsNew<typeof sandbox>(sandboxId, by);
        else if (!told || box.stale) {
          box.stale = false;
          await box.step(async () => box.learn(await moveSandbox(sandboxId, box.commandId(`move:${moves}`))));
        }
      }
    }
    return { sandbox_id: sandboxId, ended: await box.end() };
  });
}
