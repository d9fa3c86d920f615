/** How something is carried. */
export interface Carriage {
  /** Null when the customer picks the parcel up. */
  tracking_number: string | null;
  carrier: string;
  ship_method: string | null;
  /** The carriage cost where a station gives it: an exact decimal. */
  shipping_cost?: string | null;
}

/** A shipping station that ships an order. */
export interface AtStation {
  label: string;
  auditId: number;
  /** Additional details of the audit row. */
  details: Record<string, unknown>;
}
