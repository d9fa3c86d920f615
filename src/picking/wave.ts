/** Types and pure functions for the routes, the workflow and the activities of waves. No zod values here. */

import type { SearchAttributePair } from "@temporalio/common";
import {
  BatchId,
  Picker,
  SoNumbers,
  ToNumber,
  WarehouseCode,
  WarehouseId,
} from "../platform/temporal/search-attributes.js";
import type { Walk } from "./route/layout-tour.js";
import type { NextPickTask, PickTask } from "./shapes.js";

export interface WaveRequest {
  batchId: number;
  warehouseId: number;
  soIds: number[];
  excludeSoIds: number[];
  /** True: tasks combined over the orders (wave). False: tasks and a tote for each order (batch). */
  combine: boolean;
}

/** The requested orders without the excluded ones. */
export const ordersOf = ({ soIds, excludeSoIds }: Pick<WaveRequest, "soIds" | "excludeSoIds">) =>
  soIds.filter((id) => !excludeSoIds.includes(id));

/** The transfer order that a batch picks. */
export interface WaveTransfer {
  to_id: number;
  to_number: string;
  source_warehouse_code: string;
  destination_warehouse_code: string;
}

/** The part of a batch that the workflow needs. The plan of a large one would not fit into a Temporal message. */
export interface WaveStarted {
  batch_id: number;
  batch_number: string;
  warehouse_id: number;
  warehouse_code: string;
  picker: string;
  /** The remaining work of a wave whose rows existed already. */
  pending_picks?: number;
  total_picks: number;
  total_units: number;
  /** The first of them. */
  so_numbers: string[];
  /** What it picks instead of orders. */
  transfer?: WaveTransfer | null;
  /** Not in those of earlier releases. */
  walk?: Walk | null;
  /** The user's earlier batches, which this one replaces. */
  superseded: number[];
  /** The wave is released after this time without a scan; null = never. */
  idle_ms: number | null;
}

/** The answer of the routes for a new batch. */
export interface WavePlan extends Omit<WaveStarted, "so_numbers" | "transfer"> {
  orders: { so_id: number; so_number: string; line_count: number; tote_number: string }[];
  tasks: PickTask[];
  first_pick: NextPickTask | null;
}

/** A confirmed or short pick, as it is signalled to the workflow. */
export interface Scan {
  pick_task_id: number;
  status: "PICKED" | "SHORT";
  sku: string;
  bin_code: string;
  quantity_picked: number;
  remaining_tasks: number;
  by: string;
}

/** How many order numbers a workflow shows at most. */
export const SHOWN_NUMBERS = 50;
/**
 * Temporal refuses a search attribute of more than 2,048 bytes, and with it the workflow; it needs some of them itself.
 */
const MOST_BYTES = 2_000;

/** The first of the numbers, as many as fit into a search attribute. */
export function firstNumbers(soNumbers: string[]): string[] {
  const utf8 = new TextEncoder();
  let bytes = 0;
  return soNumbers.slice(0, SHOWN_NUMBERS).filter((number) => {
    // In JSON, with a comma; after the first one that does not fit, none is added.
    bytes += utf8.encode(JSON.stringify(number)).length + 1;
    return bytes < MOST_BYTES;
  });
}

/** What identifies a wave in the Temporal UI, as far as it is known when the wave is requested. */
interface WaveNames extends Pick<WaveStarted, "batch_id" | "warehouse_id" | "so_numbers" | "picker" | "transfer"> {
  warehouse_code?: string | null;
}

/** The search attributes of a wave. */
export const waveAttributes = (wave: WaveNames): SearchAttributePair[] => [
  { key: WarehouseId, value: wave.warehouse_id },
  { key: BatchId, value: wave.batch_id },
  wave.transfer
    ? { key: ToNumber, value: wave.transfer.to_number }
    : { key: SoNumbers, value: firstNumbers(wave.so_numbers) },
  { key: Picker, value: wave.picker },
  ...(wave.warehouse_code ? [{ key: WarehouseCode, value: wave.warehouse_code }] : []),
];

export const waveWorkflowId = (batchId: number) => `pick-wave-${batchId}`;
