import type { SearchAttributePair } from "@temporalio/common";
import * as wf from "@temporalio/workflow";

/** Sets search attributes, but none that the namespace lacks: Temporal would refuse the workflow's task, for ever. */
export function setAttributes(pairs: SearchAttributePair[], missing: string[] = []): void {
  const there = pairs.filter(({ key }) => !missing.includes(key.name));
  if (there.length > 0) wf.upsertSearchAttributes(there);
}
