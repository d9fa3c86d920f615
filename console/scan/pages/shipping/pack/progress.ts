import type { Answer } from "../../../../../client/src/index.js";

/** What was scanned so far. */
export interface Progress {
  so_number?: string;
  /** It is packed into parcels, of which there may be one. */
  isInParcels?: boolean;
  /** The one that units go into now. */
  parcel_id?: number;
  /** Units that the next scan stands for. */
  perScan?: number;
  /** The order that was packed last. */
  packed?: { so_id: number; number: string; units: number; weight: number; isInParcels?: boolean };
}

/** An order with its parcels, and what is in none. */
export type OrderInParcels = Answer<"/api/packing/parcels">;
