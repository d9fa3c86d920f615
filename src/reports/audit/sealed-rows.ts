/** SQL: the sealed rows of the audit log with their seals, as the files of the retention folder have them. */
export const SEALED_ROWS = `(
  select a.log_id, action_type, entity_type, entity_id, user_id, device_id, warehouse_id, details, created_at,
    s.seal_no, s.prev_hash, s.row_hash
  from audit_seals s join audit_log a using (log_id)
)`;
