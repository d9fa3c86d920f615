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
