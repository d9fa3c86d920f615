import * as wf from "@temporalio/workflow";
import type * as inspections from "../activities/lots/index.js";
import type { NewDecision } from "../src/lots/inspections/shapes.js";
import type { InspectionState } from "../src/lots/inspections/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Inspection } from "./managers/inspection.js";
import type * as texts from "./texts/inspection.js";

export interface InspectionEnd {
  inspection_id: number;
  ended: texts.InspectionEnded;
}

type Decided = Awaited<ReturnType<typeof inspections.decideInspection>>;

const { resumeInspection, decideInspection, remindOfInspection } = databaseActivities<typeof inspections>({
  resumeInspection: "Reads the inspection from its rows",
  decideInspection: "Decides what becomes of the goods",
  remindOfInspection: "Tells that the goods still wait for a decision",
});

/** Waits until its rows were read. */
const created = wf.defineUpdate<InspectionState>("created");
export const decide = wf.defineUpdate<Decided, [NewDecision, Actor]>("decide");
/** Its rows were changed without a step of its own: its lot was released, or its units were not found. */
const changed = wf.defineSignal("changed");

/**
 * An inspection of goods in quarantine, until there is nothing left to decide about (docs/inspection.md); its id is
 * `inspection-<inspection_id>`. Its rows were made with the hold; each decision is an update. While it waits, it tells
 * of that by setting `inspection_reminder_hours`, and when its deadline is over. A cancellation in the Temporal UI does
 * not end it: people decide about goods.
 * @param inspectionId Whose rows exist.
 * @param _by Who started it, for the one who reads its input.
 */
export function inspection(inspectionId: number, _by: Actor): Promise<InspectionEnd> {
  return uninterrupted(async () => {
    const waiting = new Inspection(inspectionId);
    wf.setHandler(decide, (decided, who) =>
      waiting.step(async () => {
        const done = await decideInspection(inspectionId, decided, who);
        waiting.learn(done.state);
        return done;
      }),
    );
    wf.setHandler(changed, waiting.markStale);

    await waiting.begin(created, () => resumeInspection(inspectionId));

    for (let look = 1; !waiting.ending; look++) {
      const news = await waiting.wait(waiting.nextLook());
      if (waiting.ending) break;
      if (waiting.mayCancel) await waiting.cancel(async () => waiting.refuseToEnd());
      else if (waiting.stale) await waiting.readAgain(() => resumeInspection(inspectionId));
      else if (!news)
        await waiting.step(async () =>
          waiting.wasReminded(await remindOfInspection(inspectionId, waiting.commandId(`remind:${look}`))),
        );
      else if (waiting.isLong) return wf.continueAsNew<typeof inspection>(inspectionId, _by);
    }
    return { inspection_id: inspectionId, ended: await waiting.end() };
  });
}
