import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { useMappings } from "./mappings.js";
import type { TestService } from "./service.js";
import { tokenCaller } from "./tokens.js";
import { unique } from "./unique.js";

const field = (canonical: string, type = "string", more: object = {}) => ({
  canonical,
  type,
  source_path: `$.${canonical}`,
  ...more,
});
/** A column that names a record of the source by the source's id. */
const named = (canonical: string, source_type: string, more: object = {}) =>
  field(canonical, "uuid", { cross_system_lookup: { source_type }, ...more });
const lineItems = (...more: object[]) => ({
  source_path: "$.lines",
  canonical_path: "lines",
  fields: [
    named("item_id", "item", { required: true }),
    field("quantity_ordered", "integer", { required: true }),
    field("line_number", "integer"),
    ...more,
  ],
});
const addresses = ["billing", "shipping"].flatMap((which) =>
  ["line1", "line2", "city", "state", "postal_code"].map((part) => field(`${which}_address_${part}`)),
);

/** A source system whose payloads have our own names for everything. */
const mirror = (source_system: string, version_compare = "integer") => ({
  mapping_version: "1",
  source_system,
  version_compare,
  resources: {
    customers: {
      canonical_type: "customer",
      fields: [
        field("customer_name"),
        field("email"),
        field("is_active", "boolean"),
        named("tax_id", "vendor", { required: false }),
      ],
    },
    items: {
      canonical_type: "item",
      fields: [
        field("sku"),
        field("item_name"),
        field("upc"),
        field("weight_lbs", "decimal", { max_digits: 10, decimal_places: 4 }),
        field("reorder_point", "integer"),
        field("default_bin_id", "integer"),
      ],
    },
    vendors: { canonical_type: "vendor", fields: [field("vendor_name"), field("email")] },
    purchase_orders: {
      canonical_type: "purchase_order",
      fields: [
        field("po_number"),
        named("vendor_id", "vendor"),
        field("status"),
        field("warehouse_id", "integer"),
        field("notes"),
      ],
      line_items: lineItems(field("unit_cost", "decimal")),
    },
    sales_orders: {
      canonical_type: "sales_order",
      fields: [
        field("so_number"),
        field("customer_name"),
        named("customer_id", "customer"),
        field("status"),
        field("warehouse_id", "integer"),
        field("order_total", "decimal", { max_digits: 12, decimal_places: 2 }),
        field("memo"),
        field("order_date"),
        ...addresses,
      ],
      line_items: lineItems(field("properties")),
    },
  },
});

/** A source system each of whose records names another that must be there. */
const needy = {
  mapping_version: "1",
  source_system: "needy",
  version_compare: "integer",
  resources: Object.fromEntries(
    [
      ["customers", "customer", "tax_id", "customer_name"],
      ["items", "item", "mpn", "sku"],
      ["vendors", "vendor", "tax_id", "vendor_name"],
      ["purchase_orders", "purchase_order", "vendor_id", "po_number"],
      ["sales_orders", "sales_order", "customer_id", "so_number"],
    ].map(([resource, canonical_type, column, name]) => [
      resource,
      {
        canonical_type,
        fields: [
          field(name as string, "string", { required: true }),
          named(column as string, "vendor", { required: true }),
        ],
        ...(resource?.endsWith("orders") && { line_items: lineItems() }),
      },
    ]),
  ),
};

export const resources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"] as const;
export type ResourceName = (typeof resources)[number];

/** Loads the documents of `shop` (versions are whole numbers), `clock` (versions are times) and `needy`. */
export function useTestMappings(): Promise<void> {
  return useMappings({ shop: mirror("shop"), clock: mirror("clock", "iso_timestamp"), needy });
}

/** A token for all inbound routes. */
export async function sender(
  service: TestService,
  fields: Parameters<typeof tokenCaller>[1] = {},
): Promise<Caller & { token_id: number }> {
  const { caller, token_id } = await tokenCaller(service, {
    source_system: "shop",
    inbound_resources: [...resources, "inventory_update"],
    ...fields,
  });
  return Object.assign(caller, { token_id });
}

/** A name that nothing else has. */
export const fresh = (prefix: string) => `${prefix}-${unique()}`;

/** Pushes a version of a record. */
export const push = (
  by: Caller,
  resource: string,
  external_id: string,
  version: number | string,
  source_payload: object,
) => by.post(`/api/v1/inbound/${resource}`, { external_id, external_version: String(version), source_payload });

/** Pushes an item that must be taken; gives its ids. */
export async function pushedItem(by: Caller) {
  const external_id = fresh("item");
  const body = await by.ok("POST", "/api/v1/inbound/items", {
    external_id,
    external_version: "1",
    source_payload: { sku: external_id, item_name: external_id },
  });
  const row = await db.row<{ item_id: number }>("select item_id from items where external_id = $1", [
    body.canonical_id,
  ]);
  return { external_id, item_id: row?.item_id as number };
}
