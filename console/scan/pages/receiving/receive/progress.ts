import type { Scanning } from "../../../task.js";
import type { Bin, Receipt, ScannedUnits } from "../on-device/done.js";
import type { OnDevice } from "../on-device/on-device.js";

/** What was scanned so far. */
export interface Progress extends ScannedUnits {
  po?: string;
  bin?: Bin;
  /** Whether more than was ordered is to be received. */
  isAsking?: boolean;
}

export interface ReceiveProps {
  progress: Progress;
  set: (progress: Progress) => void;
  booking: Scanning<Receipt>;
  /** What was received last. */
  done: string;
  device: OnDevice;
}
