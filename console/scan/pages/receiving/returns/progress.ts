import type { NewReturnReceipt, ReturnToReceive } from "../../../../../client/src/index.js";
import type { Scanning } from "../../../task.js";
import type { ScannedUnits } from "../on-device/done.js";

/** How goods that come back look to whoever has them in hands. */
export const conditions = ["asNew", "opened", "damaged"] as const;
export type Condition = (typeof conditions)[number];

export interface Bin {
  bin_id: number;
  bin_code: string;
}

/** What was scanned so far. */
export interface Progress extends Omit<ScannedUnits, "produced"> {
  /** What was scanned for the return. */
  code?: string;
  /** Which of several returns with this code it is. */
  so_id?: number;
  condition?: Condition;
  bin?: Bin;
  /** Where units of each condition were put last. */
  bins?: Partial<Record<Condition, Bin>>;
}

export interface Receipt {
  body: NewReturnReceipt & { so_id: number };
  so_number: string;
  said: { quantity: number; sku: string; bin: string };
  condition: Condition;
}

/** What was received last, and may be taken back. */
export interface Last {
  text: string;
  receipt?: { so_id: number; receipt_id: number; said: Receipt["said"] };
}

export interface ReturnProps {
  progress: Progress;
  set: (progress: Progress) => void;
  booking: Scanning<Receipt>;
  returned: ReturnToReceive;
}
