import type { SearchAttributeType } from "@temporalio/common";

/** As the SDK's `defineSearchAttributeKey`, which the launcher would have to load the whole SDK for. */
const searchAttribute = <T extends SearchAttributeType>(name: string, type: T) => ({ name, type });

/** What operators search workflows by in the Temporal UI. */
export const WarehouseId = searchAttribute("WarehouseId", "INT");
export const BatchId = searchAttribute("BatchId", "INT");
export const CountId = searchAttribute("CountId", "INT");
export const SoNumbers = searchAttribute("SoNumbers", "KEYWORD_LIST");
// A server may offer only three of type INT, so what comes after them is a keyword.
export const SubscriptionId = searchAttribute("SubscriptionId", "KEYWORD");
export const EventId = searchAttribute("EventId", "KEYWORD");

/** All of them: the development server is started with them, and a worker registers those that are missing. */
export const searchAttributes = [WarehouseId, BatchId, CountId, SoNumbers, SubscriptionId, EventId];
