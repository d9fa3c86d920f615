import { type Actor, checkWarehouse } from "../src/actor.js";
import { events } from "../src/events/catalog.js";
import { columns, resources } from "../src/inbound/columns.js";
import {
  UnknownConnectorId,
  UnknownEndpointSlugs,
  UnknownEventTypes,
  UnknownOverrideKeys,
  UnknownSourceSystem,
  UnknownWarehouseIds,
} from "../src/tokens/problems.js";
import { endpointSlugs } from "../src/tokens/scope.js";
import type { Tx } from "./command.js";

/** What a token may reach, as it is asked for. */
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

/** Refuses an owner or a source that nobody listed, and overrides of what the token's resources do not have (spec 5.4). */
export async function refuseUnknownInbound(
  tx: Tx,
  asked: Inbound,
): Promise<void> {
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
  const unknown_keys = without(
    Object.keys(asked.mapping_overrides),
    mappable,
  ).sort();
  if (unknown_keys.length > 0)
    throw UnknownOverrideKeys(
      {},
      {
        unknown_keys,
        detail: "Not columns of the token's inbound_resources",
      },
    );
}

const without = <T>(asked: readonly T[], there: readonly T[]) =>
  asked.filter((value) => !there.includes(value));
