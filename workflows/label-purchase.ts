import * as wf from "@temporalio/workflow";
import type * as rows from "../activities/carriers/attempt-label.js";
import type * as ends from "../activities/carriers/withdraw-label.js";
import {
  LABEL_ATTEMPTS,
  LABEL_STAGE,
  type LabelEnded,
  type LabelSummary,
  labelAttributes,
} from "../src/carriers/workflow.js";
import { databaseActivities } from "./database-activities.js";
import { labelAttempts } from "./label-attempts.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

export interface LabelEnd {
  purchase_id: number;
  ended: LabelEnded;
}

const { describeLabel } = databaseActivities<Pick<typeof rows, "describeLabel">>({
  describeLabel: "Reads which label is to be bought",
});
const { giveUpLabel } = databaseActivities<Pick<typeof ends, "giveUpLabel">>({
  giveUpLabel: "Gives it up for the Temporal UI",
});

/** Somebody took the label back: look at its row instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * Buys the label of a parcel, and takes it back: attempts for a day, with timers between, of an hour in the end. What
 * may have been bought is looked for before another request is made, for as long as the carrier does not say.
 * @param known What is to be bought; nothing when it is read from its row.
 * @param attributesSet Whether the search attributes were set at the start.
 */
export async function labelPurchase(
  purchase_id: number,
  known?: LabelSummary,
  attributesSet = false,
): Promise<LabelEnd> {
  const isNew = known !== undefined && attributesSet;
  const ended = await retry(
    // Where it is not read, the first attempt tells which search attributes are missing.
    async () => (isNew ? { ...known, missing_attributes: undefined } : describeLabel(purchase_id)),
    (summary) => purchase(summary, purchase_id, isNew),
    changed,
  );
  return { purchase_id, ended };
}

function purchase({ what, ...of }: LabelSummary, purchase_id: number, isNew: boolean): Retried<LabelEnded> {
  /** What the last attempt said. */
  let said = "";
  let takesBack = of.takes_back ?? false;
  const makeAttempt = labelAttempts(purchase_id, isNew);
  const numbered = (attempt: number) => `${attempt} of ${LABEL_ATTEMPTS}`;
  const toWhat = () => (takesBack ? " to take it back" : "");
  return {
    title: what,
    ...{ name: "the carrier", what, undone: `${what} is not settled with the carrier yet` },
    behind: "other labels go on",
    waiting: "waits for its next attempt",
    mend: "nothing, unless a label may have been bought: then it begins again within a minute, to take that back",
    stage: LABEL_STAGE,
    ...(!isNew && { attributes: labelAttributes(of) }),
    attempts: LABEL_ATTEMPTS,
    failure: "somebody asked for it",
    counted: {
      first: of.attempts + 1,
      summary: (attempt) => `Attempt ${numbered(attempt)}${toWhat()}: ${what}`,
      during: (attempt) => ({
        where: `is settled with the carrier: attempt ${numbered(attempt)}${toWhat()}`,
        next: attempt < LABEL_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt",
      }),
    },
    // Somebody may take it back while it ends.
    resumes: true,
    continueAsNew: () => wf.continueAsNew<typeof labelPurchase>(purchase_id),
    async attempt(summary, attempt) {
      const { why, ...came } = await makeAttempt(summary);
      said = why ?? "";
      takesBack = came.takes_back ?? takesBack;
      return { ...came, ...(came.next && why !== null && { failure: `attempt ${attempt}${toWhat()} failed: ${why}` }) };
    },
    async giveUp(commandId) {
      const { ended, why } = await giveUpLabel(purchase_id, commandId);
      said = why ?? "";
      return ended;
    },
    ending: (ended) => ending(ended, what, said),
  };
}

function ending(ended: LabelEnded, what: string, said: string): RetryEnding {
  if (ended === "bought") return { ended: "bought", why: said || "the carrier sold it", next: "nothing" };
  if (ended === "voided") return { ended: "voided", why: said || "the carrier took it back", next: "nothing" };
  if (ended === "failed" || ended === "void_failed") {
    const undone = ended === "failed" ? `${what} was not bought` : `${what} was not taken back`;
    const next =
      ended === "failed"
        ? "mend the cause, then ask for it again"
        : "use the label, void it once more, or write it off";
    return { ended: "failed", why: said, next, failure: ["LabelFailed", undone] };
  }
  const why = ended === "gone" ? "its parcel is gone" : "somebody took it back before it was bought";
  return { ended: "stopped", why, next: "nothing: nothing was bought" };
}
