import type { Knex } from "knex";
import { dayBegins } from "../days.js";
import { builder, listPage, type Page } from "../list.js";
import { named } from "./names.js";

export interface AuditFilters extends Page {
  action_type?: string | undefined;
  user_id?: string | undefined;
  /** The first day (of the company) or moment; RFC 3339. */
  start_date?: string | undefined;
  /** The last one, which counts whole. */
  end_date?: string | undefined;
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
  return { ...page, entries: await named(page.entries) };
}

/** Rows of an item, and rows whose details name it: collected by their indexes first, however long the log is. */
const OF_ITEM = `log_id = any(array(
  select log_id from audit_log where entity_type = 'ITEM' and entity_id = :item_id
  union select log_id from audit_log where details->>'item_id' = (:item_id::bigint)::text))`;

const isDay = (text: string) => text.length === 10;

function entries(
  filters: AuditFilters,
  scope: number[] | null,
): Knex.QueryBuilder {
  const {
    action_type,
    user_id,
    start_date,
    end_date,
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
  if (start_date)
    query.whereRaw(
      `a.created_at >= ${isDay(start_date) ? dayBegins("?") : "?"}`,
      start_date,
    );
  if (end_date)
    query.whereRaw(
      isDay(end_date)
        ? `a.created_at < ${dayBegins("?::date + 1")}`
        : "a.created_at <= ?",
      end_date,
    );
  if (item_id) query.whereRaw(OF_ITEM, { item_id });
  return query;
}
