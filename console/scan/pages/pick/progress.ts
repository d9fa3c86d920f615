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
  isCancelling?: boolean;
  /** What the last wave came to. */
  finished?: { batch_id: number; orders: string[]; units: number; shorts: number };
}

export interface PickProps {
  progress: Progress;
  set: (progress: Progress) => void;
}

type Batch = { batch_id: number };
export interface Steps {
  wave: Scanning<NewWave>;
  complete: Scanning<Batch>;
  cancel: Scanning<Batch>;
}
