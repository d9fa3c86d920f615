import type { SearchAttributePair, SearchAttributeType } from "@temporalio/common";

/** Like the SDK's `defineSearchAttributeKey`, for which the launcher would have to load the whole SDK. */
const searchAttribute = <T extends SearchAttributeType>(name: string, type: T) => ({ name, type });

/** The search attributes by which operators find workflows in the Temporal UI (docs/operations.md says how). */
export const WarehouseId = searchAttribute("WarehouseId", "INT");
export const BatchId = searchAttribute("BatchId", "INT");
export const CountId = searchAttribute("CountId", "INT");
export const SoNumbers = searchAttribute("SoNumbers", "KEYWORD_LIST");
// A server may offer only three of type INT and ten of type KEYWORD.
export const SubscriptionId = searchAttribute("SubscriptionId", "KEYWORD");
export const EventId = searchAttribute("EventId", "KEYWORD");
export const WarehouseCode = searchAttribute("WarehouseCode", "KEYWORD");
/** The destination of a transfer order; its source is `WarehouseCode`. */
export const DestinationCode = searchAttribute("DestinationCode", "KEYWORD");
/** The number of a transfer order. */
export const ToNumber = searchAttribute("ToNumber", "KEYWORD");
/** The user who picks the wave. */
export const Picker = searchAttribute("Picker", "KEYWORD");
/** The connector that a webhook or a pushed shipment belongs to. */
export const Connector = searchAttribute("Connector", "KEYWORD");
/** The stage of the workflow. */
export const Stage = searchAttribute("Stage", "KEYWORD");
/** The outcome; set once the workflow has ended. */
export const Outcome = searchAttribute("Outcome", "KEYWORD");

/** All of them: the development server is started with them, and a worker registers missing ones. */
export const searchAttributes = [
  ...[WarehouseId, BatchId, CountId, SoNumbers, SubscriptionId, EventId],
  ...[WarehouseCode, DestinationCode, ToNumber, Picker, Connector, Stage, Outcome],
];

interface OfWarehouse {
  warehouse_id: number | null;
  warehouse_code: string | null;
}

/** The attributes of what belongs to a warehouse, if it does. */
export const warehouseAttributes = ({ warehouse_id, warehouse_code }: OfWarehouse): SearchAttributePair[] => [
  ...(warehouse_id === null ? [] : [{ key: WarehouseId, value: warehouse_id }]),
  ...(warehouse_code === null ? [] : [{ key: WarehouseCode, value: warehouse_code }]),
];

/** docs/operations.md has the meaning of each. */
export const STAGES = [
  ...(["picking", "to complete", "counting", "to review", "to pick", "to submit", "to approve"] as const),
  ...(["to inspect", "to replenish", "to receive", "partly received", "recalling", "to close"] as const),
  "to release",
  ...(["filling", "moving", "resting"] as const),
  ...(["syncing", "pushing", "printing", "buying a label", "collecting", "retrying"] as const),
  "ended",
] as const;
export type StageValue = (typeof STAGES)[number];

export const OUTCOMES = [
  ...(["completed", "short", "cancelled", "superseded", "idle", "given back", "refused", "repeated"] as const),
  ...(["approved", "rejected", "expired", "no variance"] as const),
  ...(["closed", "deleted", "received", "voided"] as const),
  ...(["delivered", "dead-lettered", "failed", "stopped"] as const),
  ...(["pushed", "skipped", "printed", "bought", "collected"] as const),
] as const;
export type OutcomeValue = (typeof OUTCOMES)[number];
