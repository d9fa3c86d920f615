import { createHash } from "node:crypto";
import type { Actor } from "../src/actor.js";
import { recorded } from "../src/commands.js";
import {
  databaseUnavailable,
  type Sql,
  sqlState,
  type TxSql,
  transaction,
} from "../src/db.js";
import { type DomainEvent, outboxRow } from "../src/events/outbox.js";
import { KeyReuse } from "../src/problem.js";

/** One line of the audit trail (reference 08 §5). */
export interface AuditEntry {
  action: string;
  /** The actor's name, when nobody else is said. */
  user?: string;
  entity: string;
  entityId: number;
  warehouseId?: number | null;
  details?: Record<string, unknown>;
  /** Where the answer names the row: taken with `nextAuditId`. */
  logId?: number;
}

/** A command's transaction: SQL, and what the command leaves behind. */
export interface Tx extends TxSql {
  /** When the command happens, RFC 3339 in UTC: the time of all its events. */
  readonly now: string;
  audit(entry: AuditEntry): void;
  emit(event: DomainEvent): void;
}

/** The number of an audit row that is still to be written with the command, for an answer that names it. */
export async function nextAuditId(tx: Sql): Promise<number> {
  const next = await tx.row<{ id: number }>(
    "select nextval('audit_log_log_id_seq') as id",
  );
  return next?.id as number;
}

/** Others changed what a command decides on before it had its locks: it begins anew, and sees what they did. */
export class Outrun extends Error {}

/**
 * Runs one business operation as one transaction (design rule 3): its writes, its audit rows, its events and its command id
 * with the answer are there together or not at all. The same command id again gets the first answer and changes nothing;
 * for another request it is refused. A refusal is not kept, so it may be tried again. `work` may run more than once (a
 * deadlock, a serialization failure, `Outrun`), never commit twice.
 */
export async function command<T>(
  operation: string,
  by: Actor,
  input: unknown,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const requestHash = by.keyed?.requestHash ?? hashOf(input);
  for (let attempt = 1; ; attempt++) {
    try {
      const now = new Date().toISOString();
      const audits: AuditEntry[] = [];
      const events: DomainEvent[] = [];
      return await transaction(
        (sql) =>
          work({
            ...sql,
            now,
            audit: (entry) => void audits.push(entry),
            emit: (event) => void events.push(event),
          }),
        (sql, answer) => {
          const values: unknown[] = [
            by.commandId,
            operation,
            by.userId,
            requestHash,
            by.keyed?.attemptId,
            JSON.stringify(answer ?? null),
          ];
          if (audits.length + events.length === 0)
            return sql.run(RECORD.command, values);
          const lines = audits.map((a) => ({ details: {}, ...a }));
          values.push(by.username, JSON.stringify(lines));
          if (events.length === 0) return sql.run(RECORD.audited, values);
          const rows = events.map(outboxRow);
          values.push(now, by.requestId, JSON.stringify(rows));
          return sql.run(RECORD.whole, values);
        },
      );
    } catch (error) {
      if (attempt < 4 && isTransient(error)) continue;
      // A repeat may fail of anything that its first run changed.
      const first = databaseUnavailable(error) ? undefined : await recorded(by);
      if (!first) throw error;
      if (first.operation !== operation || first.request_hash !== requestHash)
        throw KeyReuse();
      return first.answer as T;
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof Outrun || ["40001", "40P01"].includes(sqlState(error) ?? "");

const hashOf = (input: unknown) =>
  createHash("sha256").update(JSON.stringify(input)).digest("hex");

const LOGGED = `
  with logged as (
    insert into command_log (command_id, operation, user_id, request_hash, attempt_id, answer)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (command_id) do update
      set operation = excluded.operation, request_hash = excluded.request_hash, attempt_id = excluded.attempt_id,
          answer = excluded.answer, created_at = excluded.created_at
      where command_log.created_at <= now() - interval '24 hours' and command_log.attempt_id <> excluded.attempt_id
    returning command_id
  )`;
const AUDITED = `${LOGGED}, audited as (
    insert into audit_log (log_id, action_type, entity_type, entity_id, user_id, warehouse_id, details)
    select coalesce(a."logId", nextval('audit_log_log_id_seq')),
           a.action, a.entity, a."entityId", coalesce(a."user", $7), a."warehouseId", a.details
    from jsonb_to_recordset($8::jsonb)
      as a("logId" bigint, action text, entity text, "entityId" bigint, "user" text, "warehouseId" int, details jsonb)
  )`;
const EMITTED = `${AUDITED}, emitted as (
    insert into integration_events
      (event_type, event_version, event_timestamp, aggregate_type, aggregate_external_id,
       entity_type, entity_id, warehouse_id, source_txn_id, command_id, payload)
    select e.type, e.version, $9, e.aggregate, e."aggregateId", e.entity, e."entityId", e."warehouseId", $10, $1, e.data
    from json_to_recordset($11::json)
      as e(type text, version smallint, aggregate text, "aggregateId" uuid, entity text, "entityId" bigint,
           "warehouseId" int, data json)
  )`;
const UNLESS_REPEATED =
  "select refuse_repeat() where not exists (select from logged)";

/**
 * Everything a command leaves behind besides its own rows, in one statement, which fails when the command id is taken: then
 * what was done is undone. Without events or audit rows it is a shorter one.
 */
const RECORD = {
  command: `${LOGGED} ${UNLESS_REPEATED}`,
  audited: `${AUDITED} ${UNLESS_REPEATED}`,
  whole: `${EMITTED} ${UNLESS_REPEATED}`,
};
