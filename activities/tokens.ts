import { type Actor, scopeOf } from "../src/actor.js";
import { ConstraintViolation } from "../src/problem.js";
import {
  TokenNotFound,
  TokenReachesNothing,
  TokenRevoked,
} from "../src/tokens/problems.js";
import { TOKEN, type TokenRecord, WITHIN } from "../src/tokens/queries.js";
import { type AuditEntry, command, type Tx } from "./command.js";
import { auditEdit, type Changes, edited, unlessNamed } from "./edit.js";
import {
  type Inbound,
  type Reach,
  refuseUnknownInbound,
  refuseUnknownReach,
} from "./token-scope.js";

export interface NewToken extends Reach, Inbound {
  token_name: string;
  expires_at: string | null;
  mapping_override: boolean;
}

/** A token's plaintext as it may be stored: its hash, to look it up by, and sealed, for the answer of a repeat. */
export interface Secret {
  hash: string;
  sealed: string;
}

/** Issues a token (reference 04 §1.3). */
export function issueToken(input: NewToken, secret: Secret, by: Actor) {
  return command("tokens.issue", by, { ...input, ...secret }, async (tx) => {
    const { mapping_overrides } = input;
    await refuseUnknownReach(tx, input, by);
    await refuseUnknownInbound(tx, input);
    const token = (await tx.row<TokenRecord>(
      `insert into wms_tokens (token_hash, token_name, warehouse_ids, event_types, endpoints, connector_id, expires_at,
                               source_system, inbound_resources, mapping_override, mapping_overrides)
       values ($1, $2, $3, $4, $5, $6, coalesce($7, now() + interval '1 year'), $8, $9, $10, $11) returning ${TOKEN}`,
      [
        secret.hash,
        input.token_name,
        once(input.warehouse_ids),
        once(input.event_types),
        once(input.endpoints),
        input.connector_id,
        input.expires_at,
        input.source_system,
        once(input.inbound_resources),
        input.mapping_override,
        JSON.stringify(mapping_overrides),
      ],
    )) as TokenRecord;
    tx.audit({ action: "TOKEN_ISSUE", ...entry(token) });
    const { token_id, token_name, status, created_at } = token;
    const { rotated_at, expires_at } = token;
    return {
      ...{ token_id, token_name, sealed: secret.sealed, status },
      ...{ created_at, rotated_at, expires_at },
    };
  });
}

export type TokenChanges = Changes<
  Reach & { token_name: string; expires_at: string }
>;

/** Changes what is sent of a token: its name, its time, and what it reaches. */
export function updateToken(
  token_id: number,
  changes: TokenChanges,
  by: Actor,
): Promise<TokenRecord> {
  const input = { token_id, ...changes };
  return command("tokens.update", by, input, async (tx) => {
    const before = await lockToken(tx, token_id, by);
    const after = edited(before, changes);
    const { warehouse_ids = [], event_types = [], endpoints = [] } = changes;
    await refuseUnknownReach(tx, { warehouse_ids, event_types, endpoints }, by);
    if (after.endpoints.length === 0 && after.source_system === null)
      throw TokenReachesNothing();
    const saved = (await tx.row<TokenRecord>(
      `update wms_tokens
       set token_name = $2, warehouse_ids = $3, event_types = $4, endpoints = $5, expires_at = $6
       where token_id = $1 returning ${TOKEN}`,
      [
        token_id,
        after.token_name,
        once(after.warehouse_ids),
        once(after.event_types),
        once(after.endpoints),
        after.expires_at,
      ],
    )) as TokenRecord;
    auditEdit(tx, { ...entry(saved), action: "TOKEN_UPDATE" }, before, saved);
    return saved;
  });
}

/** Gives a token a new plaintext; the old one is dead. It lives no longer for that. */
export function rotateToken(token_id: number, secret: Secret, by: Actor) {
  const input = { token_id, ...secret };
  return command("tokens.rotate", by, input, async (tx) => {
    const { status } = await lockToken(tx, token_id, by);
    if (status === "revoked") throw TokenRevoked();
    const token = (await tx.row<TokenRecord>(
      `update wms_tokens set token_hash = $2, rotated_at = now() where token_id = $1 returning ${TOKEN}`,
      [token_id, secret.hash],
    )) as TokenRecord;
    tx.audit({ action: "TOKEN_ROTATE", ...entry(token) });
    const { token_name, rotated_at, expires_at } = token;
    return {
      ...{ token_id, token_name, sealed: secret.sealed, status },
      ...{ rotated_at, expires_at },
    };
  });
}

/** Revokes a token for good; one that is revoked stays revoked since then. */
export function revokeToken(token_id: number, by: Actor) {
  return command("tokens.revoke", by, { token_id }, async (tx) => {
    let token = await lockToken(tx, token_id, by);
    if (token.status === "active") {
      token = (await tx.row<TokenRecord>(
        `update wms_tokens set revoked_at = now() where token_id = $1 returning ${TOKEN}`,
        [token_id],
      )) as TokenRecord;
      tx.audit({ action: "TOKEN_REVOKE", ...entry(token) });
    }
    const status = "revoked" as const;
    return { token_id, status, revoked_at: token.revoked_at as string };
  });
}

/** Deletes a token that has pushed nothing. */
export function deleteToken(token_id: number, by: Actor): Promise<void> {
  return command("tokens.delete", by, { token_id }, async (tx) => {
    const token = await lockToken(tx, token_id, by);
    await unlessNamed(
      tx.run("delete from wms_tokens where token_id = $1", [token_id]),
      ConstraintViolation(),
    );
    tx.audit({ action: "TOKEN_DELETE", ...entry(token) });
  });
}

async function lockToken(
  tx: Tx,
  tokenId: number,
  by: Actor,
): Promise<TokenRecord> {
  const token = await tx.row<TokenRecord>(
    `select ${TOKEN} from wms_tokens where ${WITHIN} and token_id = $2 for update`,
    [scopeOf(by), tokenId],
  );
  if (!token) throw TokenNotFound();
  return token;
}

const once = <T>(values: T[]) => [...new Set(values)];

/** Of overrides the keys alone: their values may be somebody's secrets (spec 5.4). */
const entry = (token: TokenRecord): Omit<AuditEntry, "action"> => ({
  entity: "WMS_TOKEN",
  entityId: token.token_id,
  details: {
    token_name: token.token_name,
    warehouse_ids: token.warehouse_ids,
    event_types: token.event_types,
    endpoints: token.endpoints,
    connector_id: token.connector_id,
    source_system: token.source_system,
    inbound_resources: token.inbound_resources,
    mapping_overrides_keys: token.mapping_overrides_keys,
  },
});
