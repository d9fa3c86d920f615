import { sqlState } from "../src/db.js";
import type { DomainError } from "../src/problem.js";
import type { AuditEntry, Tx } from "./command.js";

/** One field of an edit, as the audit log and the event tell of it. */
export interface Change {
  field: string;
  old_value: string | null;
  new_value: string | null;
}

/** What an edit sends of a record: a field that is not sent stays as it is. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The record as the edit leaves it. */
export function edited<T extends object>(
  record: T,
  changes: Changes<NoInfer<T>>,
): T {
  const sent = Object.entries(changes).filter(
    ([, value]) => value !== undefined,
  );
  return { ...record, ...Object.fromEntries(sent) };
}

/** Tells the audit trail, field by field, what an edit changed; where it changed nothing, nothing. */
export function auditEdit<T extends object>(
  tx: Tx,
  entry: Omit<AuditEntry, "action"> & { action?: string },
  before: T,
  after: T,
): void {
  const fields = (Object.keys(after) as (keyof T)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) return;
  const changed = fields.map((field) => [
    field,
    { old: before[field], new: after[field] },
  ]);
  tx.audit({
    action: "UPDATE",
    ...entry,
    details: { ...entry.details, changed: Object.fromEntries(changed) },
  });
}

/** The statement's result; when a unique key is taken by another row, this refusal. */
export const unlessTaken = <T>(statement: Promise<T>, refusal: DomainError) =>
  unless("23505", statement, refusal);

/** The statement's result; when other rows still name what it deletes, this refusal. */
export const unlessNamed = <T>(statement: Promise<T>, refusal: DomainError) =>
  unless("23503", statement, refusal);

async function unless<T>(
  state: string,
  statement: Promise<T>,
  refusal: DomainError,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw sqlState(error) === state ? refusal : error;
  }
}
