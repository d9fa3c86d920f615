import {
  defineSearchAttributeKey,
  SearchAttributeType,
} from "@temporalio/common";

/** What operations people search processes by in the Temporal UI. The worker registers them. */
export const WarehouseId = defineSearchAttributeKey(
  "WarehouseId",
  SearchAttributeType.INT,
);
export const BatchId = defineSearchAttributeKey(
  "BatchId",
  SearchAttributeType.INT,
);
export const CountId = defineSearchAttributeKey(
  "CountId",
  SearchAttributeType.INT,
);
export const SoNumbers = defineSearchAttributeKey(
  "SoNumbers",
  SearchAttributeType.KEYWORD_LIST,
);
// A server may offer only three of type INT, so what comes after them is a keyword.
export const SubscriptionId = defineSearchAttributeKey(
  "SubscriptionId",
  SearchAttributeType.KEYWORD,
);
export const EventId = defineSearchAttributeKey(
  "EventId",
  SearchAttributeType.KEYWORD,
);
