import { actorName } from "../../auth/queries.js";
import { db } from "../../platform/db/db.js";
import { withNames } from "./names.js";
import { AuditLogEntry, AuditSeal, SealedAuditLogEntry } from "./shapes.js";

const Seal = SealedAuditLogEntry.pick({ seal_no: true, row_hash: true });

const AuditEntryRow = { ...AuditLogEntry.omit({ entity_name: true }).shape, ...Seal.shape };

/** A row of the audit log, of these warehouses; with null, of any or of none. */
export async function auditEntry(
  logId: number,
  warehouseIds: number[] | null,
): Promise<SealedAuditLogEntry | undefined> {
  const row = await db.row(
    AuditEntryRow,
    `select a.log_id, action_type, entity_type, entity_id, user_id as username,
       ${actorName("a.user_id")} as actor_name, device_id, a.warehouse_id, warehouse_code, details,
       a.created_at, s.seal_no, encode(s.row_hash, 'hex') as row_hash
     from audit_log a left join warehouses w using (warehouse_id) left join audit_seals s using (log_id)
     where a.log_id = $1 and ($2::int[] is null or a.warehouse_id = any($2))`,
    [logId, warehouseIds],
  );
  if (!row) return undefined;
  const { seal_no, row_hash, ...kept } = row;
  const [entry] = await withNames([kept]);
  return entry && { entry, seal_no, row_hash };
}

/** How far the audit log is sealed. */
export async function auditSeal(): Promise<AuditSeal> {
  const seal = await db.row(
    AuditSeal,
    `select last_no as seal_no, encode(head, 'hex') as head,
       (select count(*) from audit_unsealed) as unsealed
     from sequencer_state where name = 'audit_seals'`,
  );
  return seal as AuditSeal;
}
