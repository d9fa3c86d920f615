/** The types of the failures that activities report to their workflow. Constants only: workflows import them. */

/** An expected refusal; its details are kind, status and body. */
export const REFUSAL = "DomainError";
/** A fault of the program, or a statement that Postgres rejects: trying again would not help. */
export const FAULT = "Fault";
/** A statement waited too long for a lock, or ran too long. */
export const DATABASE_BUSY = "DatabaseBusy";
