import * as wf from "@temporalio/workflow";
import type * as looks from "../activities/picking/replenishment/look.js";
import type * as waves from "../activities/picking/replenishment/waiting-waves.js";
import type { Looked } from "../src/picking/replenishment/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Replenishment } from "./managers/replenishment.js";
import type * as texts from "./texts/replenishment.js";

export interface ReplenishmentEnd {
  warehouse_id: number;
  ended: texts.ReplenishmentEnded;
}

const { lookForReplenishment } = databaseActivities<typeof looks>({
  lookForReplenishment: "Looks which pick faces are to be filled up, and makes the tasks",
});

// A release of many batches takes longer than a local activity may.
const { releaseWaitingWaves } = wf.proxyActivities<Pick<typeof waves, "releaseWaitingWaves">>({
  startToCloseTimeout: "5m",
  summary: "Releases the waves whose units are on pick faces now",
});

/** Waits until it has looked once. */
const created = wf.defineUpdate<Looked>("created");
/** Something was carried, released or set: it looks at once. */
const changed = wf.defineSignal("changed");

/**
 * The replenishment of a warehouse (docs/replenishment.md); its id is `replenishment-<warehouse_id>`. As long as the
 * warehouse has pick faces, it looks at them by setting `replenishment_look_minutes` and whenever it is told, and
 * releases the waves that waited for what was carried. A cancellation in the Temporal UI does not end it: the job
 * `reconcile` would start it again.
 * @param _by Who started it, for the one who reads its input.
 */
export function replenishment(warehouseId: number, _by: Actor): Promise<ReplenishmentEnd> {
  return uninterrupted(async () => {
    const faces = new Replenishment(warehouseId);
    wf.setHandler(changed, faces.markStale);
    let looks = 0;
    const look = () => lookForReplenishment(warehouseId, faces.commandId(`look:${++looks}`));

    let looked = await faces.begin(created, look);
    while (looked && !faces.ending) {
      if (looked.waves > 0) {
        const released = await faces.step(() => releaseWaitingWaves(warehouseId));
        faces.learn({ ...looked, waves: released.waves }, released);
      } else faces.learn(looked);
      if (faces.ending) break;
      await faces.wait(faces.timer());
      if (faces.mayCancel) await faces.cancel(async () => faces.refuseToEnd());
      if (faces.isLong) return wf.continueAsNew<typeof replenishment>(warehouseId, _by);
      faces.stale = false;
      looked = faces.learnMissing(await faces.step(look));
    }
    return { warehouse_id: warehouseId, ended: await faces.end() };
  });
}
