import { sqlState } from "../src/platform/db/db.js";
import type { DomainError } from "../src/platform/problem.js";
import type { AuditEntry, Tx } from "./command.js";

/** The fields that an edit sends: others stay as they are. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The record with the changes of an edit. */
export function withChanges<T extends object>(record: T, changes: Changes<NoInfer<T>>): T {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(sent) };
}

/** Writes to the audit log, field by field, what an edit changed; nothing where it changed nothing. */
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
  const changed = fields.map((field) => [field, { old: before[field], new: after[field] }]);
  tx.audit({ action: "UPDATE", ...entry, details: { ...entry.details, changed: Object.fromEntries(changed) } });
}

/** The statement's result; throws the refusal when a unique key is taken by another row. */
export const refusingDuplicate = <T>(statement: Promise<T>, refusal: DomainError) =>
  refusing("23505", statement, refusal);

/** The statement's result; throws the refusal when other rows still reference what it deletes. */
export const refusingReferenced = <T>(statement: Promise<T>, refusal: DomainError) =>
  refusing("23503", statement, refusal);

async function refusing<T>(state: string, statement: Promise<T>, refusal: DomainError): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw sqlState(error) === state ? refusal : error;
  }
}
