import { db } from "./db.js";

export interface AuditRow {
  action_type: string;
  entity_type: string;
  entity_id: number;
  user_id: string;
  warehouse_id: number | null;
  details: Record<string, unknown>;
}

/** The newest number of the audit log: what is written after it, a test caused. */
export async function auditMark(): Promise<number> {
  return (await db.value<number>("select coalesce(max(log_id), 0) as mark from audit_log")) as number;
}

/** Audit rows since a mark, in order. */
export function auditSince(mark: number): Promise<AuditRow[]> {
  return db.rows<AuditRow>(
    `select action_type, entity_type, entity_id, user_id, warehouse_id, details
     from audit_log where log_id > $1 order by log_id`,
    [mark],
  );
}
