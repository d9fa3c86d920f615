import { z } from "zod";
import {
  batchStates,
  countStates,
  purchaseOrderStates,
  replenishmentStates,
  salesOrderStates,
  taskStates,
  transferApprovalStates,
  transferLineStates,
  transferOrderStates,
} from "./states.js";

/** The statuses of records, as the state tables have them. */
const statusOf = <S extends string>(id: string, states: Readonly<Record<S, readonly string[]>>, description: string) =>
  z.enum(Object.keys(states) as S[]).meta({ id, description });

export const OrderStatus = statusOf("SalesOrderStatus", salesOrderStates, "Where a sales order stands in its life.");
export const PoStatus = statusOf("PurchaseOrderStatus", purchaseOrderStates, "Where a purchase order stands.");
export const BatchStatus = statusOf("PickBatchStatus", batchStates, "Where a wave stands.");
export const TaskStatus = statusOf("PickTaskStatus", taskStates, "Where a pick task stands.");
export const ReplenishmentStatus = statusOf(
  "ReplenishmentStatus",
  replenishmentStates,
  "Where a task to fill up a pick face stands.",
);
export const CountStatus = statusOf("CycleCountStatus", countStates, "Where a cycle count stands.");
export const TransferStatus = statusOf("TransferOrderStatus", transferOrderStates, "Where a transfer order stands.");
export const TransferLineStatus = statusOf(
  "TransferOrderLineStatus",
  transferLineStates,
  "Where a line of a transfer order stands.",
);
export const ApprovalStatus = statusOf(
  "TransferApprovalStatus",
  transferApprovalStates,
  "Whether submitted picks of a transfer order were approved.",
);
