import type { Scanning } from "../../../task.js";

/** What is said of units besides what their label says. */
export interface Said {
  lot_number?: string;
  expiry_date?: string;
  production_date?: string;
}

/** What was scanned so far. */
export interface Progress {
  po?: string;
  item_id?: number;
  quantity?: number;
  /** The label of the item as it was scanned, and what the service read in it. */
  scanned?: string;
  /** Units that the label stands for; scanned again, it is as many more. */
  perScan?: number;
  lot?: string | null;
  expiry?: string | null;
  produced?: string | null;
  said?: Said;
  /** Of the units that were scanned so far, where the item asks for them. */
  serials?: string[];
  bin?: { bin_id: number; bin_code: string };
  /** Whether more than was ordered is to be received. */
  isAsking?: boolean;
}

/** What is sent, and what is said of it afterwards. */
export interface Receipt {
  body: {
    po_id: number;
    items: ({
      item_id: number;
      quantity: number;
      bin_id: number;
      scanned_barcode?: string;
      serial_numbers?: string[];
    } & Said)[];
  };
  po: string;
  said: { quantity: number; sku: string; bin: string };
}

export interface ReceiveProps {
  progress: Progress;
  set: (progress: Progress) => void;
  booking: Scanning<Receipt>;
  /** What was received last. */
  done: string;
}
