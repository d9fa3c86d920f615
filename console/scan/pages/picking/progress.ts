import type { NewWave } from "../../../../client/src/index.js";
import type { Scanning } from "../../task.js";

/** What was scanned so far. */
export interface Progress {
  /** For the next wave. */
  orders?: { so_id: number; so_number: string; units: number }[];
  /** Of a transfer order that was scanned; else it is the wave that the service knows of. */
  batch_id?: number;
  /** The task whose bin was scanned. */
  at?: number;
  /** The task that lacks units, and how many are there. */
  short?: { task: number; found: number };
  /** What the last task lacked: the bins that have some of it, and how much no other bin has. */
  lacked?: { bins: string[]; missing: number };
  isCancelling?: boolean;
  /** What the last wave came to. */
  finished?: { batch_id: number; orders: string[]; units: number; shorts: number };
}

export interface PickProps {
  progress: Progress;
  set: (progress: Progress) => void;
}

type Batch = { batch_id: number };
/** The walk of a transfer order: one that nobody began yet, or that of somebody else. */
export type TransferWalk = { to_id: number } | Batch;
/** Of a wave that the device has. */
interface Leased {
  lease_id?: string;
  scanned_at?: string;
}
export interface Confirmation extends Leased {
  pick_task_id: number;
  scanned_barcode: string;
  quantity_picked: number;
}
export interface ShortBody extends Leased {
  pick_task_id: number;
  quantity_available: number;
  reason: string;
}
export interface Steps {
  wave: Scanning<NewWave>;
  confirm: Scanning<Confirmation>;
  short: Scanning<ShortBody>;
  complete: Scanning<Batch>;
  cancel: Scanning<Batch>;
  giveBack: Scanning<Batch>;
}
