import { canonicalTypes } from "../../src/inbound/columns.js";
import { LockHeld } from "../../src/inbound/problems.js";
import type { Written } from "../../src/inbound/shapes.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";

/**
 * Stores the payload, as it was sent and as it was mapped, as the record's current version, and links the id of its
 * source to the record. The previous version becomes `superseded`.
 */
export async function stage(
  tx: Tx,
  { resource, push, sender, pushKey, stored, canonicalId }: Incoming,
  canonicalPayload: Record<string, unknown>,
  written: Written,
): Promise<void> {
  const superseded =
    stored.current_id !== null &&
    tx.run(`update inbound_${resource} set status = 'superseded', superseded_at = $2 where inbound_id = $1`, [
      stored.current_id,
      written.received_at,
    ]);
  const { source_system, external_id, external_version } = pushKey;
  const staged = tx.run(
    `with stored as (
       insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       values (:source_system, :type, :external_id, :type, :canonicalId)
       on conflict (source_system, source_type, source_id) do update set last_updated_at = now()
         where cross_system_mappings.canonical_id = excluded.canonical_id
       returning 1
     )
     insert into inbound_${resource}
       (inbound_id, source_system, external_id, external_version, canonical_id, canonical_payload, source_payload,
        answer, ingested_via_token_id, received_at)
     select :inbound_id, :source_system, :external_id, :external_version, :canonicalId, :canonicalPayload,
       :source_payload, :answer, :token_id, :received_at from stored`,
    {
      inbound_id: written.inbound_id,
      source_system,
      type: canonicalTypes[resource],
      external_id,
      external_version,
      canonicalId,
      canonicalPayload: JSON.stringify(canonicalPayload),
      source_payload: JSON.stringify(push.source_payload),
      answer: JSON.stringify(written),
      token_id: sender.token_id,
      received_at: written.received_at,
    },
  );
  const [, rows] = await Promise.all([superseded, staged]);
  // The id was linked to another record meanwhile; the sender's next try finds that.
  if (rows === 0) throw LockHeld();
}
