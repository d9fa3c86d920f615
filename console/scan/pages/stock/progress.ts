export interface Bin {
  bin_id: number;
  bin_code: string;
  bin_barcode: string;
  warehouse_id: number;
}

/** A lot of an item in the bin. */
export interface Chosen {
  item_id: number;
  sku: string;
  item_name: string;
  lot_number: string | null;
  on_hand: number;
  /** Its label, as it was scanned. */
  scanned_barcode?: string;
}

/** What was scanned so far. */
export interface Progress {
  from?: Bin;
  chosen?: Chosen;
  /** The label of the item, as it was scanned. */
  scanned?: string | undefined;
  quantity?: number;
  to?: Bin;
}
