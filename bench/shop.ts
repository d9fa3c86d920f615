import { randomUUID } from "node:crypto";
import { Token, tokenHash } from "../src/auth/tokens/token.js";
import { loadDocuments, useDocuments } from "../src/inbound/documents.js";
import { db } from "../src/platform/db/db.js";
import { eventTypes } from "../src/platform/events/catalog.js";
import { type Size, WAREHOUSE } from "./data.js";

/** The shop of the demo, whose documents map what it pushes. */
export const SHOP = "acme-shop";
export const MAPPINGS = "demo/mappings";

/** What a program calls with: the shop, a shipping station, or a till. */
export interface Program {
  token: Token;
  plaintext: string;
}

const RESOURCES = ["items", "sales_orders"];
/** How the shop calls the nth item. */
export const productOf = (item: number) => `P-${item}`;

/**
 * Lets the shop push and poll, and knows all items and five times as many other records by the shop's names: 1,000,000
 * in the large service.
 */
export async function seedShop({ items }: Size, pepper: string): Promise<Program> {
  useDocuments(await loadDocuments(MAPPINGS));
  await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'manual_import')", [
    SHOP,
  ]);
  await db.run(
    `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
     select $1, 'item', 'P-' || item_id, 'item', external_id from items
     union all
     select $1, 'customer', 'C-' || n, 'customer', gen_random_uuid() from generate_series(1, $2::int) n`,
    [SHOP, items * 4],
  );
  await db.run("vacuum analyze cross_system_mappings");
  return program(pepper, {
    ...{ source: SHOP, resources: RESOURCES, types: eventTypes, endpoints: ["events.poll", "snapshot.inventory"] },
  });
}

/** A shipping station. */
export const seedStation = (pepper: string): Promise<Program> =>
  program(pepper, { source: null, resources: [], types: [], endpoints: ["station.dispatch"] });

/** A till. */
export const seedTill = (pepper: string): Promise<Program> =>
  program(pepper, { source: null, resources: [], types: [], endpoints: ["pos.dispatch"] });

interface Scope {
  source: string | null;
  resources: string[];
  types: string[];
  endpoints: string[];
}

async function program(pepper: string, { source, resources, types, endpoints }: Scope): Promise<Program> {
  const plaintext = randomUUID();
  const token = await db.row(
    Token,
    `insert into wms_tokens (token_name, token_hash, source_system, inbound_resources, warehouse_ids, event_types,
      endpoints)
     values ('bench', $1, $2, $3, $4, $5, $6)
     returning token_id, token_name, source_system, inbound_resources, event_types, endpoints, warehouse_ids,
       connector_id, mapping_override, mapping_overrides, expires_at`,
    [tokenHash(plaintext, pepper), source, resources, [WAREHOUSE], types, endpoints],
  );
  return { token: token as Token, plaintext };
}
