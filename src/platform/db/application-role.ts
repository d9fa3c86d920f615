import type { Knex } from "knex";
import pg from "pg";

/** The columns of an audit row that commands insert. */
const WRITTEN = "log_id, action_type, entity_type, entity_id, user_id, device_id, warehouse_id, details";
/** Those that 0.3.0 seals a row with: its statement is let, and changes nothing. They go with the next release. */
const SEAL_OF_030 = "seal_no, prev_hash, row_hash";
const DELETES_RETIRED = "function delete_retired_audit(bigint, integer)";
const ROWS = "select, insert, update, delete";

/**
 * Grants the role of API and workers access to the rows of all tables, those of later migrations too, but no ownership.
 * To the audit log and its seals it may add rows; it can neither change nor delete nor truncate them, nor drop the
 * triggers that protect them. Only where the log has a retention may it delete rows that are in a file, and older than
 * 90 days. Run by the owner, any number of times.
 */
export async function grantTo(db: Knex, name: string, retiresAudit = false): Promise<void> {
  const { rows } = await db.raw(
    `select rolsuper or pg_has_role(r.oid, c.relowner, 'member') as owns
     from pg_roles r, pg_class c where rolname = ? and c.oid = 'audit_log'::regclass`,
    [name],
  );
  if (rows.length === 0)
    throw new Error(
      `SERVICE_DATABASE_APP_ROLE: there is no database role ${name}; ` +
        `make it with: create role ${name} login password '…'`,
    );
  if (rows[0].owns)
    throw new Error(
      `SERVICE_DATABASE_APP_ROLE: ${name} owns the tables, so nothing can be kept from it; ` +
        "name another role than that of DATABASE_URL",
    );
  const role = pg.escapeIdentifier(name);
  await db.raw(`
    grant usage on schema public to ${role};
    grant ${ROWS} on all tables in schema public to ${role};
    grant usage, select on all sequences in schema public to ${role};
    alter default privileges in schema public grant ${ROWS} on tables to ${role};
    alter default privileges in schema public grant usage, select on sequences to ${role};
    revoke all on audit_log, audit_seals, knex_migrations, knex_migrations_lock from ${role};
    grant select, insert (${WRITTEN}), update (${SEAL_OF_030}) on audit_log to ${role};
    grant select, insert on audit_seals to ${role};
    ${retiresAudit ? "grant" : "revoke"} execute on ${DELETES_RETIRED} ${retiresAudit ? "to" : "from"} ${role}`);
}
