import type { Resource } from "../../src/auth/tokens/scope.js";
import { constraintViolation, LockHeld } from "../../src/inbound/problems.js";
import type { Push } from "../../src/inbound/shapes.js";
import { databaseComplaint, databaseUnavailable, db, sqlState } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { storable } from "../../src/platform/values.js";
import type { RecordSender } from "./incoming.js";

/** The status of a refusal in the activity list, by its kind; any other kind is `rejected`. */
const statuses: Record<string, string> = { stale_version: "stale_version", cross_system_lookup_miss: "lookup_miss" };

/**
 * Runs a push and records its refusal, if any, with the payload and the answer, so that a record that never arrived can
 * be found in the activity list. `lock_held` is not recorded: the sender only has to repeat that push.
 */
export async function recordingRefusal<T>(
  resource: Resource,
  push: Push,
  sender: RecordSender,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal instanceof DomainError && refusal.kind !== "lock_held")
      await recordRefusal(resource, push, sender, refusal);
    throw refusal;
  }
}

/** The refusal for an error of the database that the push caused; any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  if (databaseUnavailable(error)) return error;
  const state = sqlState(error) ?? "";
  if (/^(40|55)/.test(state)) return LockHeld();
  if (/^2[123]/.test(state)) return constraintViolation(databaseComplaint(error));
  return error;
}

/**
 * Of a version that is refused repeatedly, only the newest refusal keeps the payload. A connector retries by itself, so
 * there the same refusal again adds no row.
 */
async function recordRefusal(
  resource: Resource,
  { external_id, external_version, source_payload }: Push,
  { source_system, token_id }: RecordSender,
  { kind, body: { error, code: _, ...fields } }: DomainError,
): Promise<void> {
  const answer = { error_kind: kind, ...(error !== undefined && { message: error }), ...fields };
  await db.run(
    `with again as (
       update inbound_refusals set received_at = now(), answer = :answer
       where :token_id::bigint is null and resource = :resource and source_system = :source_system
         and external_id = :external_id and external_version = :external_version and error_kind = :kind
         and source_payload is not null
       returning true
     ), earlier as (
       update inbound_refusals set source_payload = null
       where resource = :resource and source_system = :source_system and external_id = :external_id
         and external_version = :external_version and source_payload is not null
         and not exists (table again)
     )
     insert into inbound_refusals
       (resource, source_system, external_id, external_version, status, error_kind, ingested_via_token_id,
        source_payload, answer)
     select :resource, :source_system, :external_id, :external_version, :status, :kind, :token_id,
       :source_payload::jsonb, :answer::jsonb where not exists (table again)`,
    {
      ...{ resource, source_system, external_id, external_version, kind, token_id },
      status: statuses[kind] ?? "rejected",
      source_payload: JSON.stringify(source_payload, storable),
      answer: JSON.stringify(answer, storable),
    },
  );
}
