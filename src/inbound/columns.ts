import { purchaseOrderStates, salesOrderStates } from "../states.js";

/**
 * What a mapping document may write, per resource (reference 04 §5.5): the start-up check, the overrides of tokens and
 * the writes all ask here. Keys, `external_id` and what the service itself keeps are real columns too, and no sender's
 * to set.
 */
export type Column = (
  | { kind: "text"; width?: number }
  | { kind: "whole"; least: number; most: number }
  | { kind: "decimal"; digits: number; places: number; least?: number }
  | { kind: "word"; words: readonly string[] }
  | { kind: "texts"; width: number; most: number }
  | { kind: "yesno" | "day" | "uuid" }
) & {
  /** A new record cannot do without it. */
  required?: true;
  /** The column cannot be null, and fills itself when nothing is said. */
  filled?: true;
};
export type Columns = Readonly<Record<string, Column>>;

export const resources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"] as const;
export type Resource = (typeof resources)[number];

/** What a resource is one of: `canonical_type`, and the `source_type` of cross-system mappings. */
export const canonicalTypes = {
  customers: "customer",
  items: "item",
  vendors: "vendor",
  purchase_orders: "purchase_order",
  sales_orders: "sales_order",
} as const satisfies Record<Resource, string>;
export type CanonicalType = (typeof canonicalTypes)[Resource];

const INT4_MAX = 2_147_483_647;
const text = (width: number) => ({ kind: "text", width }) as const;
const longText = { kind: "text" } as const;
const whole = (least: number, most = INT4_MAX) => ({ kind: "whole", least, most }) as const;
const measure = (digits: number, places: number) => ({ kind: "decimal", digits, places, least: 0 }) as const;
const money = { kind: "decimal", digits: 12, places: 2 } as const;
const day = { kind: "day" } as const;
const yesno = { kind: "yesno", filled: true } as const;
const word = (states: object) => ({ kind: "word", words: Object.keys(states), filled: true }) as const;
const required = <C extends Column>(column: C) => ({ ...column, required: true }) as const;
const filled = <C extends Column>(column: C) => ({ ...column, filled: true }) as const;

const address = (which: "billing" | "shipping"): Columns => ({
  [`${which}_address_name`]: text(200),
  [`${which}_address_line1`]: text(200),
  [`${which}_address_line2`]: text(200),
  [`${which}_address_city`]: text(100),
  [`${which}_address_state`]: text(100),
  [`${which}_address_postal_code`]: text(32),
  [`${which}_address_country`]: text(64),
  [`${which}_address_phone`]: text(64),
});

export const columns: Readonly<Record<Resource, Columns>> = {
  customers: {
    customer_name: required(text(256)),
    email: text(255),
    phone: text(64),
    billing_address: longText,
    shipping_address: longText,
    tax_id: text(64),
    is_active: yesno,
  },
  items: {
    sku: required(text(128)),
    item_name: required(text(256)),
    description: text(1000),
    upc: text(128),
    mpn: text(64),
    barcode_aliases: { kind: "texts", width: 128, most: 100 },
    category: text(128),
    weight_lbs: measure(10, 4),
    length_in: measure(10, 2),
    width_in: measure(10, 2),
    height_in: measure(10, 2),
    reorder_point: filled(whole(0)),
    reorder_qty: filled(whole(0)),
    is_lot_tracked: yesno,
    is_serial_tracked: yesno,
    is_active: yesno,
    default_bin_id: whole(1),
  },
  vendors: {
    vendor_name: required(text(256)),
    contact_name: text(256),
    email: text(255),
    phone: text(64),
    billing_address: longText,
    remit_to_address: longText,
    tax_id: text(64),
    payment_terms: text(64),
    is_active: yesno,
  },
  purchase_orders: {
    po_number: required(text(128)),
    po_barcode: filled(text(128)),
    vendor_name: text(256),
    vendor_id: text(50),
    status: word(purchaseOrderStates),
    expected_date: day,
    warehouse_id: required(whole(1)),
    notes: longText,
  },
  sales_orders: {
    so_number: required(text(160)),
    so_barcode: text(160),
    customer_name: text(256),
    customer_id: text(50),
    customer_phone: text(64),
    customer_email: text(255),
    customer_address: longText,
    status: word(salesOrderStates),
    priority: filled(whole(-INT4_MAX)),
    warehouse_id: required(whole(1)),
    ship_method: text(100),
    ship_address: text(512),
    ...address("billing"),
    ...address("shipping"),
    order_total: money,
    customer_shipping_paid: money,
    currency: text(8),
    memo: longText,
    order_origin: text(64),
    source_system: text(64),
    order_date: day,
    ship_by_date: day,
  },
};

/** The columns of a line; `item_id` is the item's canonical UUID until the write finds the row. */
const line = {
  item_id: required({ kind: "uuid" } as const),
  quantity_ordered: required(whole(1, 1_000_000)),
  line_number: filled(whole(1)),
};

/** The resources that have lines, and what a line of them may say. */
export const lineColumns: Readonly<Partial<Record<Resource, Columns>>> = {
  purchase_orders: { ...line, unit_cost: measure(10, 4) },
  sales_orders: line,
};
