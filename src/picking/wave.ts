/** The messages and shapes that a wave's route, workflow and activities share. Types and pure functions only. */

import type { SearchAttributePair } from "@temporalio/common";
import { BatchId, SoNumbers, WarehouseId } from "../search-attributes.js";

export interface WaveRequest {
  batchId: number;
  warehouseId: number;
  soIds: number[];
  excludeSoIds: number[];
  /** True: one walk combined over the orders (wave). False: per-order tasks with a tote each (batch). */
  combine: boolean;
}

/** The orders that are picked. */
export const ordersOf = ({
  soIds,
  excludeSoIds,
}: Pick<WaveRequest, "soIds" | "excludeSoIds">) =>
  soIds.filter((id) => !excludeSoIds.includes(id));

export interface PickTask {
  pick_task_id: number;
  pick_sequence: number;
  bin_code: string;
  bin_barcode: string;
  zone: string | null;
  aisle: string | null;
  row_num: string | null;
  level_num: string | null;
  sku: string;
  item_name: string;
  upc: string | null;
  quantity_to_pick: number;
  tote_number: string | null;
  so_number: string | null;
  status: string;
}

export interface NextPick extends PickTask {
  contributing_orders: { so_number: string; quantity: number }[];
  pick_number: number;
  total_picks: number;
}

/** What the floor and the workflow need to know of a new batch. */
export interface WavePlan {
  batch_id: number;
  batch_number: string;
  warehouse_id: number;
  total_picks: number;
  total_units: number;
  orders: {
    so_id: number;
    so_number: string;
    line_count: number;
    tote_number: string;
  }[];
  tasks: PickTask[];
  first_pick: NextPick | null;
  /** The user's earlier batches that this one put an end to. */
  superseded: number[];
  /** After so long without a scan the wave is let go; null = never. */
  idle_ms: number | null;
}

export interface WaveCompleted {
  message: string;
  batch_id: number;
  batch_number: string;
  summary: {
    total_orders: number;
    total_items_picked: number;
    total_shorts: number;
    orders: { so_number: string; status: string }[];
  };
}

/** A confirmed or short pick, as the wave's history shows it. */
export interface Scan {
  pick_task_id: number;
  status: "PICKED" | "SHORT";
  sku: string;
  bin_code: string;
  quantity_picked: number;
  remaining_tasks: number;
  by: string;
}

/** Of many order numbers, as many as a process shows. */
export const shownOf = (soNumbers: string[]) => soNumbers.slice(0, 50);

/** What a wave is found by in the Temporal UI. */
export const waveAttributes = (
  warehouseId: number,
  batchId: number,
  soNumbers: string[],
): SearchAttributePair[] => [
  { key: WarehouseId, value: warehouseId },
  { key: BatchId, value: batchId },
  { key: SoNumbers, value: shownOf(soNumbers) },
];

export const waveWorkflowId = (batchId: number) => `pick-wave-${batchId}`;
