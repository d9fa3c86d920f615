import { uncovered } from "../../src/auth/tokens/coverage.js";
import {
  OverrideElsewhere,
  TokenExceedsIssuer,
  UnknownConnectorId,
  UnknownEndpointSlugs,
  UnknownEventTypes,
  UnknownOverrideKeys,
  UnknownSourceSystem,
  UnknownWarehouseIds,
} from "../../src/auth/tokens/problems.js";
import { tokenManagerOf } from "../../src/auth/tokens/queries.js";
import { endpointSlugs, resources } from "../../src/auth/tokens/scope.js";
import type { NewToken, TokenScope } from "../../src/auth/tokens/shapes.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { columns } from "../../src/inbound/columns.js";
import { fitInto } from "../../src/inbound/fit.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { events } from "../../src/platform/events/catalog.js";
import type { Column } from "../../src/platform/pushed-columns.js";
import type { Tx } from "../command.js";

/**
 * Refuses unknown warehouses, event types and endpoints (docs/interface.md, Tokens), and warehouses that a USER may not
 * use.
 */
export async function checkScope(
  tx: Tx,
  { warehouse_ids, event_types, endpoints }: Omit<TokenScope, "inbound_resources">,
  by: Actor,
): Promise<void> {
  const known = await tx.rows(
    { warehouse_id: int },
    "select warehouse_id from warehouses where warehouse_id = any($1)",
    [warehouse_ids],
  );
  const missing = without(
    warehouse_ids,
    known.map(({ warehouse_id }) => warehouse_id),
  );
  if (missing.length > 0) throw UnknownWarehouseIds({}, { missing });
  for (const id of warehouse_ids) checkWarehouse(by, id);
  for (const [asked, valid, refusal] of [
    [event_types, Object.keys(events), UnknownEventTypes],
    [endpoints, endpointSlugs, UnknownEndpointSlugs],
  ] as const) {
    const unknown = without(asked, valid);
    if (unknown.length > 0) throw refusal({}, { unknown, valid });
  }
}

/**
 * Refuses an unknown connector or source system, and overrides that are no columns of the token's resources
 * (docs/interface.md, Tokens).
 */
export async function checkInboundScope(
  tx: Tx,
  asked: Pick<NewToken, "connector_id" | "source_system" | "inbound_resources" | "mapping_overrides">,
): Promise<void> {
  const { connector_id, source_system } = asked;
  const inbound_resources: string[] = asked.inbound_resources;
  const listed = await tx.row(
    { connector: bool, source: bool },
    `select $1::text is null or exists (select from connectors where connector_id = $1) as connector,
            $2::text is null or exists (
              select from inbound_source_systems_allowlist where source_system = $2) as source`,
    [connector_id, source_system],
  );
  if (!listed?.connector) throw UnknownConnectorId({}, { connector_id });
  if (!listed.source) throw UnknownSourceSystem({}, { source_system });
  const mappable = resources
    .filter((resource) => inbound_resources.includes(resource))
    .flatMap((resource) => Object.keys(columns[resource]));
  const unknown_keys = without(Object.keys(asked.mapping_overrides), mappable).sort();
  if (unknown_keys.length > 0)
    throw UnknownOverrideKeys({}, { unknown_keys, detail: "Not columns of the token's inbound_resources" });
}

/**
 * Refuses an override of `warehouse_id` when the warehouse does not exist, or when the issuer or the token has no
 * access to it.
 */
export async function checkOverrideWarehouse(
  tx: Tx,
  token: Pick<Token, "warehouse_ids" | "mapping_overrides">,
  by: Actor,
): Promise<void> {
  const { warehouse_ids, mapping_overrides } = token;
  if (!Object.hasOwn(mapping_overrides, "warehouse_id")) return;
  const asked = mapping_overrides.warehouse_id;
  const { warehouse_id: column } = columns.sales_orders;
  const { values, faults } = fitInto({ warehouse_id: column as Column }, { warehouse_id: asked });
  if (faults.length > 0) throw UnknownWarehouseIds({}, { missing: [asked] });
  const warehouse_id = values.warehouse_id as number;
  await checkScope(tx, { warehouse_ids: [warehouse_id], event_types: [], endpoints: [] }, by);
  if (!warehouse_ids.includes(warehouse_id))
    throw OverrideElsewhere(
      {},
      { warehouse_id, warehouse_ids, detail: "The token may not write to the warehouse that it overrides with" },
    );
}

/** Refuses a USER a token that gives access to more than the user's own warehouses and pages. */
export async function checkIssuerCovers(tx: Tx, token: TokenScope, by: Actor): Promise<void> {
  const manager = await tokenManagerOf(tx, by);
  const missing = manager ? uncovered(token, manager) : [];
  if (missing.length > 0)
    throw TokenExceedsIssuer(
      {},
      {
        missing,
        detail: "You can issue a token only for what your own warehouses and pages cover; an ADMIN can issue any",
      },
    );
}

const without = <T>(values: readonly T[], known: readonly T[]) => values.filter((value) => !known.includes(value));
