import type { SearchAttributePair } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type { AttributeActivities } from "../src/platform/temporal/missing-attributes.js";
import { Outcome, type OutcomeValue, Stage, searchAttributes } from "../src/platform/temporal/search-attributes.js";
import { WITHIN_5_S } from "./database-activities.js";

const local = wf.proxyLocalActivities<AttributeActivities>({
  ...WITHIN_5_S,
  summary: "Reads which search attributes the namespace lacks",
});

/** Which search attributes the namespace lacks; where that cannot be read, all of them: no workflow fails for one. */
export const attributesMissingHere = (): Promise<string[]> =>
  local.attributesMissingHere().catch(() => searchAttributes.map(({ name }) => name));

/** What activities that begin a workflow tell beside their answer (workers/interceptors.ts). */
export interface ToldMissing {
  missing_attributes?: string[];
}

/** Sets search attributes, but none that the namespace lacks: Temporal would refuse the workflow's task, for ever. */
export function setAttributes(pairs: SearchAttributePair[], missing: string[] = []): void {
  const there = pairs.filter(({ key }) => !missing.includes(key.name));
  if (there.length > 0) wf.upsertSearchAttributes(there);
}

/** Shows in the list that the workflow has ended, and how. */
export const setEnded = (outcome: OutcomeValue, missing?: string[]): void =>
  setAttributes(
    [
      { key: Stage, value: "ended" },
      { key: Outcome, value: outcome },
    ],
    missing,
  );
