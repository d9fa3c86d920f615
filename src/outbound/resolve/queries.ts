import { db } from "../../platform/db/db.js";
import { asUuid } from "../../platform/values.js";
import { AmbiguousId, UnknownRecord } from "../problems.js";
import { type RecordType, ResolvedRecord, type ResolveQuery } from "./shapes.js";

const ResolveRow = ResolvedRecord.omit({ type: true });

/**
 * The record with this external id, else the one which the source system, or any of them, calls so, within the
 * warehouses; of users, those who work in one of them. Throws when there is none, or several of different systems.
 */
export async function resolve(
  { type, id, source_system }: ResolveQuery,
  warehouses: number[],
): Promise<ResolvedRecord> {
  const uuid = source_system ? null : (asUuid(id)?.toLowerCase() ?? null);
  const found = await db.rows(
    ResolveRow,
    `select r.*,
            (select coalesce(json_agg(json_build_object('source_system', source_system, 'external_id', source_id)
                      order by mapping_id), '[]')
             from cross_system_mappings where canonical_id = r.external_id) as source_ids
     from (${records[type]}) r order by external_id`,
    { warehouses, uuid, type, id, source_system },
  );
  const record = found.find(({ external_id }) => external_id === uuid) ?? found[0];
  if (!record) throw UnknownRecord();
  if (found.length > 1 && record.external_id !== uuid) {
    const asked = found.flatMap(({ source_ids }) => source_ids.filter(({ external_id }) => external_id === id));
    throw AmbiguousId({}, { source_systems: asked.map((source) => source.source_system).sort() });
  }
  return { type, ...record };
}

/** The external ids that may be meant. Source systems are read because the index on their ids begins with them. */
const ASKED = `(
  select :uuid::uuid
  union all select canonical_id
  from inbound_source_systems_allowlist join cross_system_mappings using (source_system)
  where source_type = :type and source_id = :id and source_system = coalesce(:source_system, source_system))`;

const WITHIN = `external_id = any(array${ASKED}) and warehouse_id = any(:warehouses::int[])`;

const numbered = (table: string, number: string) => `
  select external_id, ${number}::text as code, null as name, warehouse_id from ${table} where ${WITHIN}`;

const records: Record<RecordType, string> = {
  item: `
    select external_id, sku as code, item_name as name, null::int as warehouse_id from items
    where external_id = any(array${ASKED}) and cardinality(:warehouses::int[]) > 0`,
  bin: `
    select external_id, bin_code as code, zone_name as name, warehouse_id
    from bins join zones using (zone_id, warehouse_id) where ${WITHIN}`,
  user: `
    select external_id, username as code, full_name as name, null::int as warehouse_id from users
    where external_id = any(array${ASKED}) and (role = 'ADMIN' or warehouse_ids && :warehouses::int[])`,
  sales_order: numbered("sales_orders", "so_number"),
  purchase_order: numbered("purchase_orders", "po_number"),
  receipt: numbered("item_receipts", "receipt_id"),
  adjustment: numbered("inventory_adjustments", "adjustment_id"),
  cycle_count: numbered("cycle_counts", "count_id"),
  // Its event is of the warehouse where it ends.
  transfer: `
    select t.external_id, transfer_id::text as code, null as name, b.warehouse_id
    from bin_transfers t join bins b on bin_id = to_bin_id
    where t.external_id = any(array${ASKED}) and b.warehouse_id = any(:warehouses::int[])`,
};
