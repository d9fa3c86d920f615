import { signPartnerSession } from "../../src/auth/jwt.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import { newLinkToken } from "../../src/partners/link.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";

interface Service {
  config: { tokenPepper: string; jwtSecret: string };
  anyone: Caller;
}

interface Fields {
  connector_id: string;
  link_name?: string;
  warehouse_ids?: number[];
  event_types?: string[];
  expires_at?: string;
  revoked_at?: string | null;
}

/** A partner's link, and a caller with a session of it. */
export async function partnerCaller({ config, anyone }: Service, fields: Fields) {
  const token = newLinkToken();
  const made = (await db.row<{ partner_link_id: number; made_at: string }>(
    `insert into partner_links (connector_id, link_name, token_hash, warehouse_ids, event_types, made_by, expires_at,
                                revoked_at)
     values ($1, $2, $3, $4, $5, 'admin', $6, $7) returning partner_link_id, made_at`,
    [
      ...[fields.connector_id, fields.link_name ?? "a link", tokenHash(token, config.tokenPepper)],
      ...[fields.warehouse_ids ?? [], fields.event_types ?? []],
      ...[fields.expires_at ?? "9999-01-01T00:00:00Z", fields.revoked_at ?? null],
    ],
  )) as { partner_link_id: number; made_at: string };
  const { partner_link_id: linkId, made_at: madeAt } = made;
  const session = signPartnerSession({ linkId, madeAt }, config.jwtSecret, 3_600);
  return { token, session, partner_link_id: linkId, caller: anyone.with({ "x-partner-session": session }) };
}
