import type { Sql } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { canonicalTypes } from "../columns.js";
import { SourceLink, type SourceLinkFilters, sourceLinkList } from "./shapes.js";

const LINKS = `cross_system_mappings m
  left join items on m.source_type = 'item' and items.external_id = m.canonical_id
  left join vendors on m.source_type = 'vendor' and vendors.canonical_id = m.canonical_id
  left join customers on m.source_type = 'customer' and customers.canonical_id = m.canonical_id
  left join purchase_orders po on m.source_type = 'purchase_order' and po.external_id = m.canonical_id
  left join sales_orders so on m.source_type = 'sales_order' and so.external_id = m.canonical_id`;

const COLUMNS = `m.mapping_id as link_id, m.source_system, m.source_type, m.source_id, m.canonical_id,
  coalesce(items.sku, vendors.vendor_name, customers.email, po.po_number, so.so_number) as code,
  coalesce(items.item_name, customers.customer_name) as name,
  coalesce(po.warehouse_id, so.warehouse_id) as warehouse_id, m.first_seen_at, m.last_updated_at,
  ${codeOf("coalesce(po.warehouse_id, so.warehouse_id)")}`;

/** Orders in one of these warehouses: all other records belong to no warehouse. */
const within = (parameter: string) => `coalesce(po.warehouse_id, so.warehouse_id) = any(${parameter}::int[])`;

/** Links by source system, type and id; null does not restrict them to orders of some warehouses. */
export function sourceLinks(filters: SourceLinkFilters, warehouseIds: number[] | null) {
  const { source_system, source_type, source_id, canonical_id } = filters;
  const linked = (from: string) => {
    const query = builder(builder.raw(from));
    if (warehouseIds) query.whereRaw(within("?"), [warehouseIds]);
    if (source_system) query.where("m.source_system", source_system);
    // The index on ids begins with systems and types, of which there are few.
    else if (source_type || source_id)
      query.whereRaw("m.source_system = any(array(select source_system from inbound_source_systems_allowlist))");
    if (source_type) query.where("m.source_type", source_type);
    else if (source_id) query.whereIn("m.source_type", Object.values(canonicalTypes));
    if (source_id) query.where("m.source_id", source_id);
    if (canonical_id) query.where("m.canonical_id", canonical_id);
    return query;
  };
  const query = linked(LINKS).select(builder.raw(COLUMNS)).orderBy(["m.source_system", "m.source_type", "m.source_id"]);
  const counted = linked(warehouseIds ? LINKS : "cross_system_mappings m");
  return listPage(SourceLink, "source_links", query, filters, sourceLinkList, undefined, counted);
}

/** A link to a record of these warehouses. */
export const sourceLink = (sql: Sql, linkId: number, warehouseIds: number[] | null): Promise<SourceLink | undefined> =>
  sql.row(
    SourceLink,
    `select ${COLUMNS} from ${LINKS} where m.mapping_id = $1 and ($2::int[] is null or ${within("$2")})`,
    [linkId, warehouseIds],
  );
