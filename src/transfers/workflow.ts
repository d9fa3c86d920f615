/** What the routes, the workflow and the activities of transfer orders share. Types and pure functions, no zod values. */

import type { SearchAttributePair } from "@temporalio/common";
import { DestinationCode, ToNumber, WarehouseCode, WarehouseId } from "../temporal/search-attributes.js";
import type { TransferState } from "./steps.js";

export const transferWorkflowId = (toId: number) => `transfer-order-${toId}`;

/** What a transfer order is called in the Temporal UI. */
export const transferTitle = (
  transfer: Pick<TransferState, "to_number" | "source_warehouse_code" | "destination_warehouse_code">,
) => `${transfer.to_number} from ${transfer.source_warehouse_code} to ${transfer.destination_warehouse_code}`;

/** The search attributes of a transfer order in the Temporal UI, as far as they are known when it is asked for. */
export const transferAttributes = (
  sourceId: number,
  sourceCode: string,
  destinationCode: string,
  number?: string,
): SearchAttributePair[] => [
  { key: WarehouseId, value: sourceId },
  { key: WarehouseCode, value: sourceCode },
  { key: DestinationCode, value: destinationCode },
  ...(number ? [{ key: ToNumber, value: number }] : []),
];
