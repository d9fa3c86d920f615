import { type Resource, resources } from "../auth/tokens/scope.js";
import { purchaseOrderStates, salesOrderStates } from "../platform/states.js";

/**
 * The columns that a mapping document may write, per resource (docs/interface.md, Inbound): checked when documents are
 * loaded, for the overrides of tokens and for every write. Keys, `external_id` and columns that the service maintains
 * are not among them.
 */
export type Column = (
  | { kind: "text"; maxLength?: number }
  | { kind: "integer"; min: number; max: number }
  | { kind: "decimal"; precision: number; scale: number; min?: number }
  | { kind: "enum"; values: readonly string[] }
  | { kind: "textList"; maxLength: number; max: number }
  | { kind: "boolean" | "date" | "uuid" | "properties" }
) & {
  /** A new record needs a value. */
  required?: true;
  /** The column is not nullable and has a default: a null is ignored. */
  filled?: true;
};
export type Columns = Readonly<Record<string, Column>>;

/** The type of a record of each resource: `canonical_type`, and `source_type` of cross-system mappings. */
export const canonicalTypes = {
  customers: "customer",
  items: "item",
  vendors: "vendor",
  purchase_orders: "purchase_order",
  sales_orders: "sales_order",
} as const satisfies Record<Resource, string>;
export type CanonicalType = (typeof canonicalTypes)[Resource];

export const resourceOf = (type: CanonicalType): Resource =>
  resources.find((resource) => canonicalTypes[resource] === type) as Resource;

const INT4_MAX = 2_147_483_647;
const text = (maxLength: number) => ({ kind: "text", maxLength }) as const;
const longText = { kind: "text" } as const;
const integer = (min: number, max = INT4_MAX) => ({ kind: "integer", min, max }) as const;
const measure = (precision: number, scale: number) => ({ kind: "decimal", precision, scale, min: 0 }) as const;
const money = { kind: "decimal", precision: 12, scale: 2 } as const;
const date = { kind: "date" } as const;
const boolean = { kind: "boolean", filled: true } as const;
const oneOf = (states: object) => ({ kind: "enum", values: Object.keys(states), filled: true }) as const;
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
    is_active: boolean,
  },
  items: {
    sku: required(text(128)),
    item_name: required(text(256)),
    description: text(1000),
    upc: text(128),
    mpn: text(64),
    barcode_aliases: { kind: "textList", maxLength: 128, max: 100 },
    category: text(128),
    weight_lbs: measure(10, 4),
    length_in: measure(10, 2),
    width_in: measure(10, 2),
    height_in: measure(10, 2),
    reorder_point: filled(integer(0)),
    reorder_qty: filled(integer(0)),
    is_lot_tracked: boolean,
    is_serial_tracked: boolean,
    is_active: boolean,
    default_bin_id: integer(1),
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
    is_active: boolean,
  },
  purchase_orders: {
    po_number: required(text(128)),
    po_barcode: filled(text(128)),
    vendor_name: text(256),
    vendor_id: text(50),
    status: oneOf(purchaseOrderStates),
    expected_date: date,
    warehouse_id: required(integer(1)),
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
    status: oneOf(salesOrderStates),
    priority: filled(integer(-INT4_MAX)),
    warehouse_id: required(integer(1)),
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
    order_date: date,
    ship_by_date: date,
  },
};

/** The columns of a line; `item_id` is the item's canonical UUID, which the write replaces by its id. */
const line = {
  item_id: required({ kind: "uuid" } as const),
  quantity_ordered: required(integer(1, 1_000_000)),
  line_number: filled(integer(1)),
};
/** The customer's wishes for the units of the line. */
const properties = filled({ kind: "properties" } as const);

/** The columns of lines, for the resources that have lines. */
export const lineColumns: Readonly<Partial<Record<Resource, Columns>>> = {
  purchase_orders: { ...line, unit_cost: measure(10, 4) },
  sales_orders: { ...line, properties },
};

/**
 * The columns by which an existing record is found for one that a source sends for the first time. Several records may
 * have the same name or UPC; that is refused then. Lists and imports of links identify a record by the first column.
 */
export const adoptionKeys = {
  customers: ["email"],
  items: ["sku", "upc"],
  vendors: ["vendor_name"],
  purchase_orders: ["po_number"],
  sales_orders: ["so_number"],
} as const satisfies Record<Resource, readonly string[]>;
