import type { Scanning } from "../../../task.js";
import type { Bin, OnLabel, Receipt, Said } from "../on-device/done.js";
import type { OnDevice } from "../on-device/on-device.js";

/** What was scanned so far. */
export interface Progress extends OnLabel {
  po?: string;
  item_id?: number;
  quantity?: number;
  /** The label of the item as it was scanned. */
  scanned?: string;
  /** Units that the label stands for; scanned again, it is as many more. */
  perScan?: number;
  said?: Said;
  /** Of the units that were scanned so far, where the item asks for them. */
  serials?: string[];
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
