import type { Caller } from "../http/caller.js";

/** The warehouses of a run, who works in them, and what waits for whom. */

export interface Item {
  item_id: number;
  /** Its name in events and snapshots. */
  external_id: string;
  sku: string;
  upc: string;
}

export interface Bin {
  bin_id: number;
  bin_code: string;
}

/** An order on its way through a warehouse. */
export interface Order {
  so_id: number;
  so_number: string;
  /** The simulated minute it came in; of one from an earlier run none. */
  since?: number;
  /** How often a wave had to leave it out. */
  leftOut?: number;
}

/** A parcel that leaves before the rest of its order is packed. */
export interface Part {
  order: Order;
  parcel_id: number;
  /** Null where the shipper takes one from the carrier. */
  tracking_number: string | null;
}

export interface Delivery {
  po_number: string;
  at: number;
}

/** What the counter sold, of one item from one bin. */
export interface Sale {
  so_number: string;
  line: { sku: string; bin_id: string; quantity: number };
}

/** Who works in a warehouse. */
export interface People {
  pickers: Caller[];
  packers: Caller[];
  /** Packs at the station, and is named by it. */
  stationOperator: Caller;
  shipper: Caller;
  receiver: Caller;
  putAway: Caller;
  counter: Caller;
  returnsDesk: Caller;
  backorderDesk: Caller;
}

export interface House {
  warehouse_id: number;
  code: string;
  /** Of an item its own shelf. */
  shelfOf: Map<number, Bin>;
  shelves: Bin[];
  /** With which labels are bought for parcels; before 1.0.0 there were none, and orders went as a whole. */
  account_id: number | undefined;
  dock: Bin;
  returns: Bin;
  people: People;
  toPick: Order[];
  /** In waves that the system released, by number. */
  released: Map<string, Order>;
  toPack: Order[];
  toShip: Order[];
  partsToShip: Part[];
  /** Left out of waves because units are missing. */
  waiting: Order[];
  /** Backorders that wait for stock, and how long their customers do. */
  backorders: { order: Order; at: number }[];
  /** Transfer orders to walk. */
  transfers: number[];
  deliveries: Delivery[];
  /** What customers send back, and when it is here. */
  comingBack: { order: Order; at: number }[];
  /** What customers bring back to the counter, and when. */
  toRefund: { sale: Sale; at: number }[];
}

export interface Site {
  /** The one with the shop and the counter, and the one it exchanges goods with. */
  houses: [House, House];
  items: Item[];
  /** The ADMIN who runs the office, and another one who approves what others counted and moved. */
  office: Caller;
  supervisor: Caller;
}
