import type { SearchAttributeType } from "@temporalio/common";

/** As the SDK's `defineSearchAttributeKey`, which the launcher would have to load the whole SDK for. */
const searchAttribute = <T extends SearchAttributeType>(name: string, type: T) => ({ name, type });

/** What operators search workflows by in the Temporal UI (docs/operations.md says how). */
export const WarehouseId = searchAttribute("WarehouseId", "INT");
export const BatchId = searchAttribute("BatchId", "INT");
export const CountId = searchAttribute("CountId", "INT");
export const SoNumbers = searchAttribute("SoNumbers", "KEYWORD_LIST");
// A server may offer only three of type INT and ten of type KEYWORD.
export const SubscriptionId = searchAttribute("SubscriptionId", "KEYWORD");
export const EventId = searchAttribute("EventId", "KEYWORD");
export const WarehouseCode = searchAttribute("WarehouseCode", "KEYWORD");
/** Where a transfer order goes; it comes from `WarehouseCode`. */
export const DestinationCode = searchAttribute("DestinationCode", "KEYWORD");
/** The number of a transfer order. */
export const ToNumber = searchAttribute("ToNumber", "KEYWORD");
/** Who picks the wave. */
export const Picker = searchAttribute("Picker", "KEYWORD");
/** The connector that a webhook or a pushed shipment belongs to. */
export const Connector = searchAttribute("Connector", "KEYWORD");
/** Where the workflow is. */
export const Stage = searchAttribute("Stage", "KEYWORD");
/** How it ended; set once it has. */
export const Outcome = searchAttribute("Outcome", "KEYWORD");

/** All of them: the development server is started with them, and a worker registers those that are missing. */
export const searchAttributes = [
  ...[WarehouseId, BatchId, CountId, SoNumbers, SubscriptionId, EventId],
  ...[WarehouseCode, DestinationCode, ToNumber, Picker, Connector, Stage, Outcome],
];

/** What each of them means is in docs/operations.md. */
export const STAGES = [
  ...(["picking", "to complete", "counting", "to review", "to pick", "to submit", "to approve"] as const),
  ...(["to receive", "partly received", "syncing", "pushing", "retrying"] as const),
  "ended",
] as const;
export type StageValue = (typeof STAGES)[number];

export const OUTCOMES = [
  ...(["completed", "short", "cancelled", "superseded", "idle", "refused", "repeated"] as const),
  ...(["approved", "rejected", "no variance"] as const),
  ...(["closed", "deleted", "received", "voided"] as const),
  ...(["delivered", "dead-lettered", "failed", "stopped"] as const),
  ...(["pushed", "skipped"] as const),
] as const;
export type OutcomeValue = (typeof OUTCOMES)[number];
