import { ScheduleRow } from "../../src/connectors/sync-queries.js";
import type { NewSyncSchedule } from "../../src/connectors/sync-shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { command } from "../command.js";
import { lockWarehouse } from "./lock-warehouse.js";

/**
 * Sets how often a type of records is synced on schedule (docs/interface.md, Connectors); a null interval means never.
 */
export function putSchedule(connector: string, input: NewSyncSchedule, by: Actor): Promise<ScheduleRow> {
  return command("connectors.putSchedule", by, { connector, ...input }, async (tx) => {
    const { warehouse_id, sync_type, interval_minutes, enabled = null } = input;
    await lockWarehouse(tx, warehouse_id, by);
    const row = await tx.row(
      ScheduleRow,
      `insert into connector_schedules as s (connector_name, warehouse_id, sync_type, interval_minutes, enabled)
       values (:connector, :warehouse_id, :sync_type, :interval_minutes, coalesce(:enabled, true))
       on conflict (connector_name, warehouse_id, sync_type) do update
       set interval_minutes = excluded.interval_minutes, enabled = coalesce(:enabled, s.enabled),
         updated_at = clock_timestamp()
       returning connector_name as connector, warehouse_id, sync_type, interval_minutes, enabled, updated_at`,
      { connector, warehouse_id, sync_type, interval_minutes, enabled },
    );
    tx.audit({
      ...{ action: "UPDATE", entity: "CONNECTOR_SCHEDULE", entityId: warehouse_id, warehouseId: warehouse_id },
      details: { connector, sync_type, interval_minutes, enabled: row?.enabled },
    });
    return row as ScheduleRow;
  });
}
