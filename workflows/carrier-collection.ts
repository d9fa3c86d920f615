import * as wf from "@temporalio/workflow";
import type * as rows from "../activities/carriers/collections/attempt.js";
import {
  type CollectionActivities,
  type CollectionEnded,
  type CollectionSummary,
  type CollectionWait,
  MANIFEST_ATTEMPTS,
} from "../src/carriers/collections/workflow.js";
import { clock } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { warehouseAttributes } from "../src/platform/temporal/search-attributes.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

export interface CollectionEnd {
  collection_id: number;
  ended: CollectionEnded;
}

// It makes several requests, each of which may wait for what the carrier's rate limit allows.
const { attemptManifest } = wf.proxyActivities<CollectionActivities>({
  startToCloseTimeout: "10m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { describeCollection } = databaseActivities<Pick<typeof rows, "describeCollection">>({
  describeCollection: "Reads which collection it is",
});

/** Somebody closed it, or handed it over: look at its row instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * What a carrier fetches on a day: it waits for the cut-off, has the manifest made, once, and waits for the truck.
 */
export async function carrierCollection(collection_id: number): Promise<CollectionEnd> {
  const ended = await retry(
    () => describeCollection(collection_id),
    (summary) => collection(summary, collection_id),
    changed,
  );
  return { collection_id, ended };
}

function collection({ what, ...of }: CollectionSummary, collection_id: number): Retried<CollectionEnded> {
  /** What the last attempt said, and what it called the collection: that may be moved to another day. */
  let said = "";
  let now = what;
  return {
    get title() {
      return now;
    },
    ...{ name: "the carrier", what, undone: `${what} is not settled with the carrier yet` },
    behind: "other collections go on",
    waiting: "waits for its next attempt to get the manifest",
    waits: (waitsFor, until) => waits(waitsFor as CollectionWait, until, `${said} at ${clock(Date.now())}`),
    mend: "nothing: it begins again from its row within a minute",
    stage: "collecting",
    attributes: warehouseAttributes(of),
    attempts: MANIFEST_ATTEMPTS,
    failure: "labels were bought",
    counted: {
      first: of.attempts + 1,
      summary: (attempt) => `Looks what is next, at attempt ${attempt} of ${MANIFEST_ATTEMPTS}: ${now}`,
      during: (attempt) => ({
        where: `is settled with the carrier: attempt ${attempt} of ${MANIFEST_ATTEMPTS}`,
        next: attempt < MANIFEST_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt",
      }),
    },
    // Somebody may hand it over while it ends.
    resumes: true,
    continueAsNew: () => wf.continueAsNew<typeof carrierCollection>(collection_id),
    async attempt(summary, attempt) {
      const { why, what: called, ...came } = await attemptManifest.executeWithOptions({ summary }, [collection_id]);
      said = why ?? "";
      now = called ?? now;
      const isFailure = came.next && came.next.waits_for === undefined && why !== null;
      return { ...came, ...(isFailure && { failure: `attempt ${attempt} failed: ${why}` }) };
    },
    // Its row goes on: parcels that carriers fetch are not given up.
    giveUp: async () => "cancelled" as const,
    ending: (ended) => ending(ended, now, said),
  };
}

/** @param said How much was in it, or loaded, and when: nobody tells of each label and each scan. */
function waits(waitsFor: CollectionWait, until: string, said: string) {
  if (waitsFor === "cut_off")
    return { where: "takes labels until its cut-off", why: said, next: `its manifest is asked for at ${until}` };
  const read = `its row is read again at ${until}`;
  if (waitsFor === "closing") return { where: "takes labels until somebody closes it", why: said, next: read };
  const next = `somebody hands it over; ${read}`;
  return { where: "has its manifest and waits for the truck", why: said, next };
}

function ending(ended: CollectionEnded, what: string, said: string): RetryEnding {
  if (ended === "collected") return { ended: "collected", why: said || "the carrier has it", next: "nothing" };
  if (ended === "manifest_failed") {
    const next = "mend the cause, then close it again, or hand it over with the manifest of the house";
    return { ended: "failed", why: said, next, failure: ["ManifestFailed", `the manifest of ${what} was not made`] };
  }
  const why = ended === "gone" ? "its row is gone" : "nothing was in it";
  return { ended: "stopped", why, next: "nothing" };
}
