import { type Resource, resources } from "../auth/tokens/scope.js";
import { pushedItem } from "../master-data/items/shapes.js";
import { pushedVendor } from "../master-data/vendors/shapes.js";
import {
  boolean,
  type Columns,
  filled,
  integer,
  longText,
  measure,
  required,
  text,
} from "../platform/pushed-columns.js";
import { pushedPurchaseOrder } from "../purchasing/shapes.js";
import { pushedSalesOrder } from "../sales-orders/shapes.js";

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

/**
 * The columns that a mapping document may write, per resource (docs/interface.md, Inbound): checked when documents are
 * loaded, for the overrides of tokens and for every write. Keys, `external_id` and columns that the service maintains
 * are not among them.
 */
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
  items: pushedItem,
  vendors: pushedVendor,
  purchase_orders: pushedPurchaseOrder,
  sales_orders: pushedSalesOrder,
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
