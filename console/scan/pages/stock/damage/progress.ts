import type { Bin, Chosen } from "../progress.js";

/** What was scanned so far. */
export interface Progress {
  bin?: Bin;
  chosen?: Chosen;
  /** The label of the item, as it was scanned. */
  scanned?: string | undefined;
  quantity?: number;
  /** What the pick is of from which somebody came, and to which that person goes back. */
  ofPick?: OfPick;
  /** What was reported last from a pick, to be told there. */
  told?: Reported;
}

export interface OfPick {
  bin_barcode: string;
  sku: string;
  lot_number: string | null;
}

/** What was taken out of sale. */
export interface Reported {
  quantity: number;
  sku: string;
  bin: string;
  number: number;
}
