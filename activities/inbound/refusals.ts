import type { Token } from "../../src/auth/tokens/token.js";
import { databaseComplaint, databaseUnavailable, db, sqlState } from "../../src/db/db.js";
import type { Resource } from "../../src/inbound/columns.js";
import { broken, LockHeld } from "../../src/inbound/problems.js";
import type { Triple } from "../../src/inbound/queries.js";
import { DomainError } from "../../src/problem.js";

/** How the activity list calls a refusal; any other kind is `rejected`. */
const statuses: Record<string, string> = {
  stale_version: "stale_version",
  cross_system_lookup_miss: "lookup_miss",
};

/**
 * Runs a push, and notes it when it is refused, for those who look for a record that never arrived. What the database
 * does not take is a refusal that says why. To wait for another request is no refusal.
 */
export async function refusing<T>(resource: Resource, triple: Triple, token: Token, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal instanceof DomainError && refusal.kind !== "lock_held")
      await note(resource, triple, token, refusal.kind);
    throw refusal;
  }
}

/** What the sender is told of an error of the database; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  if (databaseUnavailable(error)) return error;
  const state = sqlState(error) ?? "";
  if (/^(40|55)/.test(state)) return LockHeld();
  if (/^2[123]/.test(state)) return broken(databaseComplaint(error));
  return error;
}

async function note(
  resource: Resource,
  { source_system, external_id, external_version }: Triple,
  { token_id }: Token,
  kind: string,
): Promise<void> {
  await db.run(
    `insert into inbound_refusals
       (resource, source_system, external_id, external_version, status, error_kind, ingested_via_token_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [resource, source_system, external_id, external_version, statuses[kind] ?? "rejected", kind, token_id],
  );
}
