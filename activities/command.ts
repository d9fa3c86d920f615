import { hash } from "node:crypto";
import type { Actor } from "../src/platform/actor.js";
import { int } from "../src/platform/db/columns.js";
import { recorded } from "../src/platform/db/command-log.js";
import { databaseUnavailable, type Sql, sqlState, type TxSql, transaction } from "../src/platform/db/db.js";
import { type DomainEvent, outboxRow } from "../src/platform/events/outbox.js";
import { KeyReuse } from "../src/platform/problem.js";
import { inSpan } from "../src/platform/tracing/tracing.js";
import { jsonWithoutCredentials } from "../src/platform/url-credentials.js";

/** One row of the audit log (docs/interface.md, Audit). */
export interface AuditEntry {
  action: string;
  /** By default the actor. */
  user?: string;
  entity: string;
  entityId: number;
  warehouseId?: number | null;
  details?: Record<string, unknown>;
  /** From `nextAuditId`, where the answer names the row. */
  logId?: number;
}

/** A command's transaction: SQL, audit rows and events. */
export interface Tx extends TxSql {
  /** The time of the command and of all its events, RFC 3339 in UTC. */
  readonly now: string;
  audit(entry: AuditEntry): void;
  emit(event: DomainEvent): void;
  /** Runs when the work is done, before the commit. */
  atEnd(work: () => Promise<void>): void;
}

/** The id of an audit row that will be written at the end of the command, for an answer that names it. */
export async function nextAuditId(tx: Sql): Promise<number> {
  const next = await tx.row({ id: int }, "select nextval('audit_log_log_id_seq') as id");
  return next?.id as number;
}

/**
 * Rows that a command depends on were changed before it had locked them: it runs again, and then sees the change.
 * `settled` waits for the transaction that holds them, if there is one.
 */
export class ConcurrentChange extends Error {
  constructor(
    message: string,
    readonly settled: () => Promise<void> = async () => {},
  ) {
    super(message);
  }
}

/**
 * Runs one business operation as one transaction (docs/house.md): its writes, its audit rows, its events and its
 * command id with the answer are committed together or not at all. The same command id again gets the first answer and
 * changes nothing; for another request it is refused. A refusal is not recorded, so the command may be retried. `work`
 * may run more than once (a deadlock, a serialization failure, `ConcurrentChange`), but commits only once.
 */
export function command<T>(operation: string, by: Actor, input: unknown, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSpan(`command ${operation}`, {}, () => runOnce(operation, by, input, work));
}

async function runOnce<T>(operation: string, by: Actor, input: unknown, work: (tx: Tx) => Promise<T>): Promise<T> {
  const requestHash = by.keyed?.requestHash ?? hashOf(input);
  for (let attempt = 1; ; attempt++) {
    try {
      const now = new Date().toISOString();
      const audits: AuditEntry[] = [];
      const events: DomainEvent[] = [];
      const last: (() => Promise<void>)[] = [];
      return await transaction(
        async (sql) => {
          // The spread stands last: V8 takes half a microsecond for each property behind one.
          const answer = await work({
            now,
            audit: (entry) => void audits.push(entry),
            emit: (event) => void events.push(event),
            atEnd: (work) => void last.push(work),
            ...sql,
          });
          for (const work of last) await work();
          return answer;
        },
        (sql, answer) => {
          const { commandId, userId, username, requestId, keyed } = by;
          const logged = {
            ...{ commandId, operation, userId, requestHash },
            attemptId: keyed?.attemptId,
            validUntil: keyed?.validUntil,
            answer: JSON.stringify(answer ?? null),
          };
          if (audits.length + events.length === 0) return sql.run(RECORD.command, logged);
          const through = { ...(by.key && { by_key: by.key }), ...by.through };
          const lines = audits.map((a) => ({ ...a, details: { ...a.details, ...through } }));
          const audited = { ...logged, username, lines: jsonWithoutCredentials(lines) };
          if (events.length === 0) return sql.run(RECORD.audited, audited);
          const rows = JSON.stringify(events.map(outboxRow));
          return sql.run(RECORD.whole, { ...audited, now, requestId, rows });
        },
      );
    } catch (error) {
      if (await mayRunAgain(error, attempt)) continue;
      // A repeated command may fail because of what its first run changed.
      const first = databaseUnavailable(error) ? undefined : await recorded(by);
      if (!first) throw error;
      if (first.operation !== operation || first.request_hash !== requestHash) throw KeyReuse();
      if (by.keyed && first.by_another) by.keyed.repeated = true;
      return first.answer as T;
    }
  }
}

/** How often a command runs at most, for each reason to run it again. */
const DEADLOCKS = 4;
const CHANGES = 20;

/** Whether the command is run again after this error; waits first until the rows are free. */
export async function mayRunAgain(error: unknown, attempt: number): Promise<boolean> {
  if (isDeadlock(error)) return attempt < DEADLOCKS;
  if (!(error instanceof ConcurrentChange) || attempt >= CHANGES) return false;
  await error.settled();
  return true;
}

const isDeadlock = (error: unknown) => ["40001", "40P01"].includes(sqlState(error) ?? "");

const hashOf = (input: unknown) => hash("sha256", JSON.stringify(input));

const LOGGED = `
  with logged as (
    insert into command_log (command_id, operation, user_id, request_hash, attempt_id, valid_until, answer)
    values (:commandId, :operation, :userId, :requestHash, :attemptId,
            coalesce(:validUntil, now() + interval '24 hours'), :answer)
    on conflict (command_id) do update
      set operation = excluded.operation, request_hash = excluded.request_hash, attempt_id = excluded.attempt_id,
          valid_until = excluded.valid_until, answer = excluded.answer, created_at = excluded.created_at
      where command_log.valid_until <= now() and command_log.attempt_id <> excluded.attempt_id
    returning command_id
  )`;
const AUDITED = `${LOGGED}, audited as (
    insert into audit_log (log_id, action_type, entity_type, entity_id, user_id, warehouse_id, details)
    select coalesce(a."logId", nextval('audit_log_log_id_seq')),
           a.action, a.entity, a."entityId", coalesce(a."user", :username), a."warehouseId", a.details
    from jsonb_to_recordset(:lines::jsonb)
      as a("logId" bigint, action text, entity text, "entityId" bigint, "user" text, "warehouseId" int, details jsonb)
  )`;
const EMITTED = `${AUDITED}, emitted as (
    insert into integration_events
      (event_type, event_version, event_timestamp, aggregate_type, aggregate_external_id,
       entity_type, entity_id, warehouse_id, source_txn_id, command_id, payload)
    select e.type, e.version, :now, e.aggregate, e."aggregateId", e.entity, e."entityId", e."warehouseId", :requestId,
           :commandId, e.data
    from json_to_recordset(:rows::json)
      as e(type text, version smallint, aggregate text, "aggregateId" uuid, entity text, "entityId" bigint,
           "warehouseId" int, data json)
  )`;
const UNLESS_REPEATED = "select refuse_repeat() where not exists (select from logged)";

/**
 * Writes command id, audit rows and events in one statement, which fails when the command id is taken; the transaction
 * is then rolled back. Shorter ones serve commands without events or audit rows.
 */
const RECORD = {
  command: `${LOGGED} ${UNLESS_REPEATED}`,
  audited: `${AUDITED} ${UNLESS_REPEATED}`,
  whole: `${EMITTED} ${UNLESS_REPEATED}`,
};
