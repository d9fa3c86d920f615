import * as wf from "@temporalio/workflow";
import type * as returns from "../activities/returns/index.js";
import type { Actor } from "../src/platform/actor.js";
import { detailsText, reasonOf } from "../src/platform/temporal/details.js";
import { SoNumbers, Stage, WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import type { NewReturnReceipt, ReturnVoided } from "../src/returns/shapes.js";
import {
  type ReceivedUnits,
  type ReturnRequest,
  type ReturnStarted,
  returnWorkflowId,
  type UnitsOf,
} from "../src/returns/workflow.js";
import { attributesMissingHere, setAttributes, setEnded } from "./attributes.js";
import { createRows } from "./creation.js";
import { databaseActivities, isFault } from "./database-activities.js";
import { refusal, uninterrupted } from "./endings.js";
import { oneAtATime } from "./one-at-a-time.js";

export interface RmaEnd {
  so_id: number;
  ended: "received" | "voided" | "refused" | "repeated";
}

const { createReturn, resumeReturn, receiveReturn, voidReturn, voidByOperator } = databaseActivities<typeof returns>({
  createReturn: "Makes the return",
  resumeReturn: "Reads the return from its rows",
  receiveReturn: "Receives units that came back: stock rises",
  voidReturn: "Voids the return: nothing of it comes any more",
  voidByOperator: "Voids the return for the Temporal UI, if nothing of it has come",
});

/** The first update: its result is the answer to the request that makes the return. */
export const created = wf.defineUpdate<ReturnStarted>("created");
export const receive = wf.defineUpdate<ReceivedUnits, [NewReturnReceipt, Actor]>("receive");
/** `void` is a word of the language. */
export const voidIt = wf.defineUpdate<ReturnVoided, [Actor]>("void");

/** Its rows were changed without a step of its own: its rest was closed, or a receipt taken back. */
const changed = wf.defineSignal("changed");

/** What is said when a return has ended. */
interface Ending {
  ended: RmaEnd["ended"];
  why: string;
  next: string;
  /** Its cancellation was requested in the Temporal UI, and done. */
  cancelled?: boolean;
}

const IN_STOCK = "nothing here: what came is in stock";
const RETURNABLE = "nothing here: what it named may be returned anew";

/**
 * A return of goods, from the request to the last unit (docs/interface.md, Returns). The database rows hold what came;
 * this workflow receives by update, in as many parts as goods come in, and may wait for months. When somebody asks for
 * its cancellation in the Temporal UI, it is voided, unless goods have come: then it stays, and says so.
 * @param soId The id of the return order, taken beforehand.
 * @param by Who made it.
 * @param request What comes back; absent when the workflow of an existing return is started again.
 */
export function rma(soId: number, by: Actor, request?: ReturnRequest): Promise<RmaEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => waitForGoods(soId, by, request, () => scope.consideredCancelled));
}

async function waitForGoods(
  soId: number,
  by: Actor,
  request: ReturnRequest | undefined,
  cancelled: () => boolean,
): Promise<RmaEnd> {
  const { runId } = wf.workflowInfo();
  let rows: ReturnStarted | undefined;
  let missing: string[] | undefined;
  let last = "";
  let stays = "";
  let ending: Ending | undefined;
  let isStale = false;

  wf.setHandler(changed, () => {
    isStale = true;
  });
  const creation = createRows(created, () => (request ? createReturn(soId, request, by) : resumeReturn(soId)));
  const exclusively = oneAtATime(creation);
  wf.setHandler(receive, (receipt, who) =>
    exclusively(async () => {
      const came = await receiveReturn({ ...receipt, so_id: soId }, who);
      const left = rows?.expected.units ?? 0;
      // The answer to a repeated request is older than what is known here.
      if (rows && came.expected.units < left) {
        last = `${listed([came.came])} received by ${who.username}`;
        rows.received += left - came.expected.units;
        rows.expected = came.expected;
      }
      if (came.expected.units === 0) ending = { ended: "received", why: `all has come. Last: ${last}`, next: IN_STOCK };
      else show();
      return came;
    }),
  );
  wf.setHandler(voidIt, (who) =>
    exclusively(async () => {
      const done = await voidReturn({ so_id: soId }, who);
      ending = { ended: "voided", why: `voided by ${who.username}`, next: RETURNABLE };
      return done;
    }),
  );

  const made = await creation;
  if (!made.rows) {
    missing = await exclusively(attributesMissingHere);
    if (isFault(made.error)) {
      await wf.condition(wf.allHandlersFinished);
      throw made.error;
    }
    const next = "nothing was changed: what the reason names is put right, and the return is made again";
    return end({ ended: "refused", why: reasonOf(made.error), next });
  }
  rows = made.rows;
  missing = rows.missing_attributes;
  if (rows.so_id !== soId) {
    const why = `the same request had made return ${rows.so_number} before`;
    return end({ ended: "repeated", why, next: `see ${returnWorkflowId(rows.so_id)}` });
  }
  if (rows.ended) return end(found(rows.ended));
  describe(rows);
  show();

  for (;;) {
    await wf.condition(() => ending !== undefined || isStale || (cancelled() && !stays) || mustContinue());
    if (ending) return end(ending);
    if (isStale) {
      isStale = false;
      rows = await exclusively(() => resumeReturn(soId));
      if (ending) return end(ending);
      if (rows.ended) return end(found(rows.ended));
      show();
      continue;
    }
    if (!cancelled() || stays) return wf.continueAsNew<typeof rma>(soId, by);
    await wf.condition(wf.allHandlersFinished);
    if (ending) return end(ending);
    const done = await exclusively(() => voidByOperator(soId, `${runId}:void`));
    if (done.ended) return end(done.by_operator ? BY_OPERATOR : found(done.ended));
    stays = done.because;
    show();
  }

  /** Makes the return findable in the Temporal UI, by its own number and by that of its original. */
  function describe({ warehouse_id, warehouse_code, so_number, original_so_number }: ReturnStarted): void {
    setAttributes(
      [
        { key: WarehouseId, value: warehouse_id },
        { key: WarehouseCode, value: warehouse_code },
        { key: SoNumbers, value: [so_number, original_so_number] },
      ],
      missing,
    );
  }

  function show(): void {
    if (!rows) return;
    const { received, expected, original_so_number, made_by } = rows;
    const part = received > 0;
    setAttributes([{ key: Stage, value: part ? "partly received" : "to receive" }], missing);
    const more = expected.units > expected.first.reduce((sum, one) => sum + one.units, 0) ? ", …" : "";
    const came = part ? `; ${received} unit(s) have come${last ? `. Last: ${last}` : ""}` : "";
    const asked = stays ? `. Cancellation was requested in the Temporal UI and refused: ${stays}` : "";
    const voids = part ? "" : ", or an admin voids it";
    wf.setCurrentDetails(
      detailsText({
        where: `${title()} waits for ${expected.units} unit(s): ${listed(expected.first)}${more}${came}`,
        why: `${made_by} expects goods of ${original_so_number} back${asked}`,
        next: `what comes is received${voids}; there is no time limit`,
      }),
    );
  }

  function title(): string {
    return rows ? `${rows.so_number} in ${rows.warehouse_code}` : `Return ${soId}`;
  }

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async function end(how: Ending): Promise<RmaEnd> {
    await wf.condition(wf.allHandlersFinished);
    const { ended, why, next, cancelled: byOperator } = ending ?? how;
    wf.setCurrentDetails(detailsText({ where: `${title()} has ended: ${ended}`, why, next }));
    setEnded(ended, missing);
    if (ended === "refused" && request) throw refusal(why);
    if (byOperator) throw new wf.CancelledFailure(why);
    return { so_id: soId, ended };
  }
}

const listed = (units: UnitsOf[]): string => units.map(({ sku, units }) => `${units} × ${sku}`).join(", ");

const BY_OPERATOR: Ending = {
  ...{ ended: "voided", cancelled: true },
  ...{ why: "cancellation was requested in the Temporal UI", next: RETURNABLE },
};

/** How a return has ended whose rows were asked. */
const found = (ended: "received" | "voided"): Ending => ({
  ended,
  why: `its rows say that it was ${ended}`,
  next: ended === "received" ? IN_STOCK : RETURNABLE,
});

/** Whether to continue as new, from the rows: the history is long, and no update is running (it would be lost). */
const mustContinue = () => wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();
