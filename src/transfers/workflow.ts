/** Types and pure functions for the routes, the workflow and the activities of transfer orders; no zod values. */

import type { SearchAttributePair } from "@temporalio/common";
import { DestinationCode, ToNumber, WarehouseCode, WarehouseId } from "../platform/temporal/search-attributes.js";
import type { TransferState } from "./steps.js";

export const transferWorkflowId = (toId: number) => `transfer-order-${toId}`;

/** The title of a transfer order in the Temporal UI. */
export const transferTitle = (
  transfer: Pick<TransferState, "to_number" | "source_warehouse_code" | "destination_warehouse_code">,
) => `${transfer.to_number} from ${transfer.source_warehouse_code} to ${transfer.destination_warehouse_code}`;

/** What identifies a transfer order in the Temporal UI, as far as it is known when it is requested. */
export interface TransferNames {
  source_warehouse_id?: number | null;
  source_warehouse_code?: string | null;
  destination_warehouse_code?: string | null;
  to_number?: string;
}

/** The search attributes of a transfer order. */
export const transferAttributes = (names: TransferNames): SearchAttributePair[] => [
  ...(names.source_warehouse_id ? [{ key: WarehouseId, value: names.source_warehouse_id }] : []),
  ...(names.source_warehouse_code ? [{ key: WarehouseCode, value: names.source_warehouse_code }] : []),
  ...(names.destination_warehouse_code ? [{ key: DestinationCode, value: names.destination_warehouse_code }] : []),
  ...(names.to_number ? [{ key: ToNumber, value: names.to_number }] : []),
];
