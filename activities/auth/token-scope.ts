import { type Actor, checkWarehouse } from "../../src/actor.js";
import { type Coverable, uncovered } from "../../src/auth/tokens/coverage.js";
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
import { keeperOf } from "../../src/auth/tokens/queries.js";
import { endpointSlugs } from "../../src/auth/tokens/scope.js";
import { type Column, columns, resources } from "../../src/inbound/columns.js";
import { fitInto } from "../../src/inbound/fit.js";
import { events } from "../../src/outbound/events/catalog.js";
import type { Tx } from "../command.js";

/** The requested scope of a token. */
export interface Reach {
  warehouse_ids: number[];
  event_types: string[];
  endpoints: string[];
}

/** Refuses what does not exist (reference 04 §1.3), and a USER's token for warehouses that are not the user's. */
export async function refuseUnknownReach(
  tx: Tx,
  { warehouse_ids, event_types, endpoints }: Reach,
  by: Actor,
): Promise<void> {
  const known = await tx.rows<{ warehouse_id: number }>(
    "select warehouse_id from warehouses where warehouse_id = any($1)",
    [warehouse_ids],
  );
  const there = known.map(({ warehouse_id }) => warehouse_id);
  const missing = without(warehouse_ids, there);
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

export interface Inbound {
  connector_id: string | null;
  source_system: string | null;
  inbound_resources: string[];
  mapping_overrides: Record<string, unknown>;
}

/**
 * Refuses an owner or a source that nobody listed, and overrides of what the token's resources do not have (spec 5.4).
 */
export async function refuseUnknownInbound(tx: Tx, asked: Inbound): Promise<void> {
  const { connector_id, source_system, inbound_resources } = asked;
  const listed = await tx.row<{ connector: boolean; source: boolean }>(
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
    throw UnknownOverrideKeys(
      {},
      {
        unknown_keys,
        detail: "Not columns of the token's inbound_resources",
      },
    );
}

/** Refuses an override of the warehouse with one that is not there, not the issuer's or not the token's. */
export async function refuseOverrideElsewhere(
  tx: Tx,
  token: Pick<Reach, "warehouse_ids"> & Pick<Inbound, "mapping_overrides">,
  by: Actor,
): Promise<void> {
  const { warehouse_ids, mapping_overrides } = token;
  if (!Object.hasOwn(mapping_overrides, "warehouse_id")) return;
  const asked = mapping_overrides.warehouse_id;
  const { warehouse_id: column } = columns.sales_orders;
  const { values, faults } = fitInto({ warehouse_id: column as Column }, { warehouse_id: asked });
  if (faults.length > 0) throw UnknownWarehouseIds({}, { missing: [asked] });
  const warehouse_id = values.warehouse_id as number;
  const reach = {
    warehouse_ids: [warehouse_id],
    event_types: [],
    endpoints: [],
  };
  await refuseUnknownReach(tx, reach, by);
  if (!warehouse_ids.includes(warehouse_id))
    throw OverrideElsewhere(
      {},
      {
        warehouse_id,
        warehouse_ids,
        detail: "The token may not write to the warehouse that it overrides with",
      },
    );
}

/** Refuses a USER a token that reaches beyond the user's own warehouses and pages. */
export async function refuseBeyondIssuer(tx: Tx, token: Coverable, by: Actor): Promise<void> {
  const keeper = await keeperOf(tx, by);
  const missing = keeper ? uncovered(token, keeper) : [];
  if (missing.length > 0)
    throw TokenExceedsIssuer(
      {},
      {
        missing,
        detail: "You can issue a token only for what your own warehouses and pages cover; an ADMIN can issue any",
      },
    );
}

const without = <T>(asked: readonly T[], there: readonly T[]) => asked.filter((value) => !there.includes(value));
