import type { Knex } from "knex";
import { actorName } from "../../auth/queries.js";
import { fromDay, toDay, zoneOf } from "../../platform/db/days.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { inNoSandbox } from "../../platform/db/sandboxes.js";
import { withNames } from "./names.js";
import { AuditLogEntry, type AuditLogFilters, auditList } from "./shapes.js";

const AuditListRow = AuditLogEntry.omit({ entity_name: true });

/**
 * The audit log, with codes for the ids it holds. With `warehouseIds`, only rows of these warehouses: rows that belong
 * to no warehouse are left out.
 * @param areThereSandboxes Their rows are left out, unless the warehouse is named.
 */
export function auditLog(filters: AuditLogFilters, warehouseIds: number[] | null, areThereSandboxes: boolean) {
  const { warehouse_id } = filters;
  const query = entries(filters, warehouse_id === undefined ? warehouseIds : [warehouse_id]);
  if (areThereSandboxes && warehouse_id === undefined) query.whereRaw(inNoSandbox("a.warehouse_id"));
  return listPage(AuditListRow, "entries", query, filters, auditList, withNames);
}

/** Rows of an item and rows whose details name it. They are collected by index first, however long the log is. */
const OF_ITEM = `log_id = any(array(
  select log_id from audit_log where entity_type = 'ITEM' and entity_id = :item_id
  union select log_id from audit_log where details->>'item_id' = (:item_id::bigint)::text))`;

const isDay = (text: string) => text.length === 10;

function entries(filters: AuditLogFilters, warehouseIds: number[] | null): Knex.QueryBuilder {
  const { action_type, user_id, start_date, end_date, item_id, sort_by, sort_direction } = filters;
  // None of these columns is null, but this order is that of the index audit_log_warehouse, which Postgres then uses.
  const one = warehouseIds?.length === 1 ? warehouseIds[0] : undefined;
  const nulls = one === undefined ? undefined : sort_direction === "desc" ? "last" : "first";
  const query = builder("audit_log as a")
    .select(
      "log_id",
      "action_type",
      "entity_type",
      "entity_id",
      "user_id as username",
      builder.raw(`${actorName("a.user_id")} as actor_name`),
      "device_id",
      "a.warehouse_id",
      builder.raw(codeOf("a.warehouse_id")),
      "details",
      "a.created_at",
    )
    .orderBy(`a.${sort_by}`, sort_direction, nulls)
    .orderBy("a.created_at", sort_direction, nulls)
    .orderBy("log_id", sort_direction, nulls);
  if (one !== undefined) query.where("a.warehouse_id", one);
  else if (warehouseIds) query.whereIn("a.warehouse_id", warehouseIds);
  if (action_type) query.where({ action_type });
  if (user_id) query.where({ user_id });
  const zone = zoneOf("a.warehouse_id");
  if (start_date)
    query.whereRaw(isDay(start_date) ? fromDay("a.created_at", ":at", zone) : "a.created_at >= :at", {
      at: start_date,
    });
  if (end_date)
    query.whereRaw(isDay(end_date) ? toDay("a.created_at", ":at", zone) : "a.created_at <= :at", { at: end_date });
  if (item_id) query.whereRaw(OF_ITEM, { item_id });
  return query;
}
