import * as wf from "@temporalio/workflow";
import type * as returns from "../activities/returns/index.js";
import type { Actor } from "../src/platform/actor.js";
import type { NewReturnReceipt, ReturnVoided } from "../src/returns/shapes.js";
import type { ReceivedUnits, ReturnRequest, ReturnStarted } from "../src/returns/workflow.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Return } from "./managers/return.js";
import * as texts from "./texts/rma.js";

export interface RmaEnd {
  so_id: number;
  ended: texts.ReturnEnded;
}

const { createReturn, resumeReturn, receiveReturn, voidReturn, expireReturn, voidByOperator } = databaseActivities<
  typeof returns
>({
  createReturn: "Makes the return",
  resumeReturn: "Reads the return from its rows",
  receiveReturn: "Receives units that came back: stock rises",
  voidReturn: "Voids the return: nothing of it comes any more",
  expireReturn: "Ends the return, if nobody has touched it for too long",
  voidByOperator: "Voids the return for the Temporal UI, if nothing of it has come",
});

/** The first update: its result is the answer to the request that creates the return. */
export const created = wf.defineUpdate<ReturnStarted>("created");
export const receive = wf.defineUpdate<ReceivedUnits, [NewReturnReceipt, Actor]>("receive");
/** `void` is a reserved word. */
export const voidIt = wf.defineUpdate<ReturnVoided, [Actor]>("void");

/** Its rows were changed without a step of its own: its rest was closed, or a receipt was reversed. */
const changed = wf.defineSignal("changed");
/** By its rows, nobody has touched it for the days of setting `returns_expire_days` (workers/reconcile.ts). */
const overdue = wf.defineSignal("overdue");

/**
 * A return of goods, from the request to the last unit (docs/interface.md, Returns); its id is `rma-<so_id>`. The
 * database rows say what came; this workflow receives by update, in as many parts as goods come in, and may wait for
 * months. When its cancellation is requested in the Temporal UI, it is voided, unless goods have come: then it stays,
 * and says so.
 * @param soId The id of the return order, reserved beforehand.
 * @param by Who made it.
 * @param request What comes back; absent when the workflow of an existing return is started again.
 */
export function rma(soId: number, by: Actor, request?: ReturnRequest): Promise<RmaEnd> {
  return uninterrupted(async () => {
    const returned = new Return(soId, request !== undefined);
    wf.setHandler(receive, (receipt, who) =>
      returned.step(async () => {
        const came = await receiveReturn({ ...receipt, so_id: soId }, who);
        returned.wasReceived(came, who);
        return came;
      }),
    );
    wf.setHandler(voidIt, (who) =>
      returned.step(async () => {
        const done = await voidReturn({ so_id: soId }, who);
        returned.ending = texts.voided(who.username);
        return done;
      }),
    );
    wf.setHandler(changed, returned.markStale);
    wf.setHandler(overdue, () =>
      returned.step(async () => {
        if (!returned.ending) returned.wasExpired(await expireReturn(soId, returned.commandId(`expire:${wf.uuid4()}`)));
      }),
    );

    await returned.begin(created, () => (request ? createReturn(soId, request, by) : resumeReturn(soId)));

    while (!returned.ending) {
      await returned.wait();
      if (returned.ending) break;
      if (returned.stale) await returned.readAgain(() => resumeReturn(soId));
      else if (returned.mayCancel)
        await returned.cancel(async () =>
          returned.wasCancelled(await voidByOperator(soId, returned.commandId("void"))),
        );
      else return wf.continueAsNew<typeof rma>(soId, by);
    }
    return { so_id: soId, ended: await returned.end() };
  });
}
