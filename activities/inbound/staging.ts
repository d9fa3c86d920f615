import { canonicalTypes } from "../../src/inbound/columns.js";
import type { Written } from "../../src/inbound/queries.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";

/**
 * Keeps what came and what it became as the version that counts now, and by which id the source knows the record. The
 * version before is superseded.
 */
export async function stage(
  tx: Tx,
  { resource, push, token, triple, known, canonicalId }: Incoming,
  canonicalPayload: Record<string, unknown>,
  written: Written,
): Promise<void> {
  const superseded =
    known.current_id !== null &&
    tx.run(`update inbound_${resource} set status = 'superseded', superseded_at = $2 where inbound_id = $1`, [
      known.current_id,
      written.received_at,
    ]);
  const { source_system, external_id, external_version } = triple;
  const staged = tx.run(
    `with known as (
       insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       values ($2, $3, $4, $3, $6)
       on conflict (source_system, source_type, source_id) do update set last_updated_at = now()
     )
     insert into inbound_${resource}
       (inbound_id, source_system, external_id, external_version, canonical_id, canonical_payload, source_payload, answer,
        ingested_via_token_id, received_at)
     values ($1, $2, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      written.inbound_id,
      source_system,
      canonicalTypes[resource],
      external_id,
      external_version,
      canonicalId,
      JSON.stringify(canonicalPayload),
      JSON.stringify(push.source_payload),
      JSON.stringify(written),
      token.token_id,
      written.received_at,
    ],
  );
  await Promise.all([superseded, staged]);
}
