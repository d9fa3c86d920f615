import { randomUUID } from "node:crypto";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";

/** What a token is made for: a service, or a service that runs elsewhere. */
interface Service {
  config: { tokenPepper: string };
  anyone: Caller;
}

/** A caller with an integration token. */
export interface TokenCaller {
  token_id: number;
  plaintext: string;
  caller: Caller;
}

/** Makes a token, and its source system where it has one, and calls with it. */
export async function tokenCaller({ config, anyone }: Service, fields: Partial<Token> = {}): Promise<TokenCaller> {
  const { source_system = null, expires_at = null } = fields;
  if (source_system) await putSourceSystems([{ source_system, kind: "connector" }]);
  const plaintext = randomUUID();
  const made = await db.row<{ token_id: number }>(
    `insert into wms_tokens (token_name, token_hash, source_system, inbound_resources, event_types, endpoints,
      warehouse_ids,
                             mapping_override, mapping_overrides, connector_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, now() + interval '1 year')) returning token_id`,
    [
      fields.token_name ?? "a token",
      tokenHash(plaintext, config.tokenPepper),
      source_system,
      fields.inbound_resources ?? [],
      fields.event_types ?? [],
      fields.endpoints ?? [],
      fields.warehouse_ids ?? [],
      fields.mapping_override ?? false,
      JSON.stringify(fields.mapping_overrides ?? {}),
      fields.connector_id ?? null,
      expires_at,
    ],
  );
  return { token_id: made?.token_id as number, plaintext, caller: anyone.with({ "x-wms-token": plaintext }) };
}
