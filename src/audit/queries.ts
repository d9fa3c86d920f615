import type { Knex } from "knex";
import { db } from "../db.js";
import { builder, listPage, type Page } from "../list.js";

export interface AuditFilters extends Page {
  action_type?: string | undefined;
  user_id?: string | undefined;
  /** The first moment, RFC 3339. */
  from?: string | undefined;
  /** The moment after the last. */
  before?: string | undefined;
  item_id?: number | undefined;
  sort_by: "created_at" | "action_type" | "user_id" | "entity_type";
  sort_direction: "asc" | "desc";
}

export interface AuditLine {
  log_id: number;
  action_type: string;
  entity_type: string;
  entity_id: number;
  entity_name: string | null;
  username: string | null;
  device_id: string | null;
  warehouse_id: number | null;
  warehouse_code: string | null;
  details: Record<string, unknown> | null;
  created_at: string;
}

/** The audit log, with codes for the ids it holds. What belongs to no warehouse is seen by all who may see the log. */
export async function auditLog(filters: AuditFilters, scope: number[] | null) {
  const page = await listPage<Omit<AuditLine, "entity_name">, "entries">(
    "entries",
    entries(filters, scope),
    filters,
  );
  const names = await namesOf(page.entries.flatMap(referencesOf));
  return {
    ...page,
    entries: page.entries.map((entry) => ({
      ...entry,
      entity_name: names.get(keyOf(entry.entity_type, entry.entity_id)) ?? null,
      details: entry.details && withCodes(entry.details, names),
    })),
  };
}

/** Rows of an item, and rows whose details name it: collected by their indexes first, however long the log is. */
const OF_ITEM = `log_id = any(array(
  select log_id from audit_log where entity_type = 'ITEM' and entity_id = :item_id
  union select log_id from audit_log where details->>'item_id' = (:item_id::bigint)::text))`;

function entries(
  filters: AuditFilters,
  scope: number[] | null,
): Knex.QueryBuilder {
  const {
    action_type,
    user_id,
    from,
    before,
    item_id,
    sort_by,
    sort_direction,
  } = filters;
  const query = builder("audit_log as a")
    .leftJoin("warehouses as w", "w.warehouse_id", "a.warehouse_id")
    .select(
      "log_id",
      "action_type",
      "entity_type",
      "entity_id",
      "user_id as username",
      "device_id",
      "a.warehouse_id",
      "warehouse_code",
      "details",
      "a.created_at",
    )
    .orderBy(`a.${sort_by}`, sort_direction)
    .orderBy("a.created_at", sort_direction)
    .orderBy("log_id", sort_direction);
  if (scope)
    query.where((either) =>
      either.whereNull("a.warehouse_id").orWhereIn("a.warehouse_id", scope),
    );
  if (action_type) query.where({ action_type });
  if (user_id) query.where({ user_id });
  if (from) query.where("a.created_at", ">=", from);
  if (before) query.where("a.created_at", "<", before);
  if (item_id) query.whereRaw(OF_ITEM, { item_id });
  return query;
}

interface Reference {
  kind: string;
  id: number;
}

const keyOf = (kind: string, id: number) => `${kind} ${id}`;

/** Such as `item_id`, `from_bin_id`, `parent_so_id`: a reference to an item, a bin or an order. */
const REFERENCE = /^(.*_)?(bin|item|so|po)_id$/;

function kindOf(key: string, value: unknown): string | undefined {
  return Number.isInteger(value)
    ? REFERENCE.exec(key)?.[2]?.toUpperCase()
    : undefined;
}

function referencesOf({
  entity_type,
  entity_id,
  details,
}: Omit<AuditLine, "entity_name">): Reference[] {
  const inside = Object.entries(details ?? {}).flatMap(([key, value]) => {
    const kind = kindOf(key, value);
    return kind ? [{ kind, id: value as number }] : [];
  });
  return [{ kind: entity_type, id: entity_id }, ...inside];
}

/** `{ bin_id: 7 }` as `{ bin: "A-01" }`; the id of something that is gone stays. */
function withCodes(
  details: Record<string, unknown>,
  names: Map<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      const kind = kindOf(key, value);
      const name = kind && names.get(keyOf(kind, value as number));
      return name === undefined
        ? [key, value]
        : [key.replace(/_id$/, ""), name];
    }),
  );
}

/** What people call the things of these kinds and ids, in one round trip. */
async function namesOf(references: Reference[]): Promise<Map<string, string>> {
  const named = await db.rows<Reference & { name: string }>(
    `with wanted as (select distinct kind, ref from unnest($1::text[], $2::bigint[]) as r(kind, ref))
     select kind, ref as id, sku as name from wanted join items on kind = 'ITEM' and item_id = ref
     union all select kind, ref, bin_code from wanted join bins on kind = 'BIN' and bin_id = ref
     union all select kind, ref, so_number from wanted join sales_orders on kind = 'SO' and so_id = ref
     union all select kind, ref, po_number from wanted join purchase_orders on kind = 'PO' and po_id = ref
     union all select kind, ref, warehouse_code from wanted join warehouses on kind = 'WAREHOUSE' and warehouse_id = ref
     union all select kind, ref, zone_code from wanted join zones on kind = 'ZONE' and zone_id = ref
     union all select w.kind, ref, batch_number from wanted w join pick_batches on w.kind = 'PICK_BATCH' and batch_id = ref
     union all select kind, ref, username from wanted join users on kind = 'USER' and user_id = ref
     union all select kind, ref, key from wanted join app_settings on kind = 'SETTING' and id = ref`,
    [references.map((r) => r.kind), references.map((r) => r.id)],
  );
  return new Map(named.map(({ kind, id, name }) => [keyOf(kind, id), name]));
}
