import {
  IncompleteInboundScope,
  TokenNotFound,
  TokenRevoked,
  TokenWithoutScope,
} from "../../src/auth/tokens/problems.js";
import { mayManage, TOKEN, tokenManagerOf } from "../../src/auth/tokens/queries.js";
import { type NewToken, type TokenEdit, TokenRecord } from "../../src/auth/tokens/shapes.js";
import type { Token } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import { object } from "../../src/platform/db/columns.js";
import { ConstraintViolation } from "../../src/platform/problem.js";
import { unique } from "../../src/platform/values.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { auditEdit, refusingReferenced, withChanges } from "../edit.js";
import { noteTime } from "../note-time.js";
import { checkInboundScope, checkIssuerCovers, checkOverrideWarehouse, checkScope } from "./token-scope.js";

/** A token's secret: its hash, for the lookup, and encrypted, for the stored answer that a repeated request gets. */
export interface Secret {
  hash: string;
  sealed: string;
}

/** Issues a token (docs/interface.md, Tokens). */
export function issueToken(input: NewToken, secret: Secret, by: Actor) {
  return command("tokens.issue", by, { ...input, ...secret }, async (tx) => {
    const { mapping_overrides, source_system, inbound_resources } = input;
    if ((source_system === null) !== (inbound_resources.length === 0)) throw IncompleteInboundScope();
    await checkScope(tx, input, by);
    await checkInboundScope(tx, input);
    await checkOverrideWarehouse(tx, input, by);
    await checkIssuerCovers(tx, input, by);
    const token = (await tx.row(
      TokenRecord,
      `insert into wms_tokens (token_hash, token_name, warehouse_ids, event_types, endpoints, connector_id, expires_at,
                               source_system, inbound_resources, mapping_override, mapping_overrides)
       values (:token_hash, :token_name, :warehouse_ids, :event_types, :endpoints, :connector_id,
               coalesce(:expires_at, now() + interval '1 year'), :source_system, :inbound_resources,
               :mapping_override, :mapping_overrides)
       returning ${TOKEN}`,
      {
        token_hash: secret.hash,
        token_name: input.token_name,
        warehouse_ids: unique(input.warehouse_ids),
        event_types: unique(input.event_types),
        endpoints: unique(input.endpoints),
        connector_id: input.connector_id,
        expires_at: input.expires_at,
        source_system,
        inbound_resources: unique(inbound_resources),
        mapping_override: input.mapping_override,
        mapping_overrides: JSON.stringify(mapping_overrides),
      },
    )) as TokenRecord;
    tx.audit({ action: "TOKEN_ISSUE", ...entry(token) });
    const { token_id, token_name, status, created_at } = token;
    const { rotated_at, expires_at } = token;
    return { token_id, token_name, sealed: secret.sealed, status, created_at, rotated_at, expires_at };
  });
}

/** Changes the sent fields of a token: its name, its expiry and its scope. */
export function updateToken(token_id: number, changes: TokenEdit, by: Actor): Promise<TokenRecord> {
  const input = { token_id, ...changes };
  return command("tokens.update", by, input, async (tx) => {
    const before = await lockToken(tx, token_id, by);
    const after = withChanges(before, changes);
    const { warehouse_ids = [], event_types = [], endpoints = [] } = changes;
    await checkScope(tx, { warehouse_ids, event_types, endpoints }, by);
    if (after.endpoints.length === 0 && after.source_system === null) throw TokenWithoutScope();
    if (changes.warehouse_ids) await checkStoredOverrides(tx, after, by);
    await checkIssuerCovers(tx, after, by);
    const saved = (await tx.row(
      TokenRecord,
      `update wms_tokens
       set token_name = :token_name, warehouse_ids = :warehouse_ids, event_types = :event_types,
           endpoints = :endpoints, expires_at = :expires_at
       where token_id = :token_id returning ${TOKEN}`,
      {
        ...after,
        warehouse_ids: unique(after.warehouse_ids),
        event_types: unique(after.event_types),
        endpoints: unique(after.endpoints),
      },
    )) as TokenRecord;
    auditEdit(tx, { ...entry(saved), action: "TOKEN_UPDATE" }, before, saved);
    return saved;
  });
}

/** Gives a token a new secret; the old one is no longer valid. The expiry stays. */
export function rotateToken(token_id: number, secret: Secret, by: Actor) {
  const input = { token_id, ...secret };
  return command("tokens.rotate", by, input, async (tx) => {
    const { status } = await lockToken(tx, token_id, by);
    if (status === "revoked") throw TokenRevoked();
    const token = (await tx.row(
      TokenRecord,
      `update wms_tokens set token_hash = $2, rotated_at = now() where token_id = $1 returning ${TOKEN}`,
      [token_id, secret.hash],
    )) as TokenRecord;
    tx.audit({ action: "TOKEN_ROTATE", ...entry(token) });
    const { token_name, rotated_at, expires_at } = token;
    return { token_id, token_name, sealed: secret.sealed, status, rotated_at, expires_at };
  });
}

/** Revokes a token permanently; one that is already revoked keeps its time of revocation. */
export function revokeToken(token_id: number, by: Actor) {
  return command("tokens.revoke", by, { token_id }, async (tx) => {
    let token = await lockToken(tx, token_id, by);
    if (token.status === "active") {
      token = (await tx.row(
        TokenRecord,
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
    await refusingReferenced(tx.run("delete from wms_tokens where token_id = $1", [token_id]), ConstraintViolation());
    tx.audit({ action: "TOKEN_DELETE", ...entry(token) });
  });
}

async function lockToken(tx: Tx, tokenId: number, by: Actor): Promise<TokenRecord> {
  const [token, manager] = await tx.inOrder([
    tx.row(TokenRecord, `select ${TOKEN} from wms_tokens where token_id = $1 for update`, [tokenId]),
    tokenManagerOf(tx, by),
  ]);
  if (!token || !mayManage(manager, token)) throw TokenNotFound();
  return token;
}

/** Reads the values of the token's overrides, which a `TokenRecord` does not hold, and checks their warehouse. */
async function checkStoredOverrides(tx: Tx, { token_id, warehouse_ids }: TokenRecord, by: Actor): Promise<void> {
  const { mapping_overrides } = (await tx.row(
    { mapping_overrides: object },
    "select mapping_overrides from wms_tokens where token_id = $1",
    [token_id],
  )) as Pick<Token, "mapping_overrides">;
  await checkOverrideWarehouse(tx, { warehouse_ids, mapping_overrides }, by);
}

/**
 * The audit entry of a token, with the keys of its overrides only: their values may be secrets (docs/interface.md,
 * Tokens).
 */
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

/** Sets `last_used_at`, at most once a minute. */
export const noteTokenUse = (tokenId: number): Promise<void> =>
  noteTime({ table: "wms_tokens", key: "token_id", column: "last_used_at", every: "1 minute" }, tokenId);
