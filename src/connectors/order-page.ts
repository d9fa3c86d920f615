import { z } from "zod";
import type { EncryptionKeys } from "../auth/sealed.js";
import { int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { connectors } from "./registry.js";
import { ConfigFault, checkedConfig, storedConfig } from "./stored-config.js";

const Link = z.strictObject({ name: text, warehouse_id: int, source_id: text });

/**
 * The page of an order at the shop that it came from, or null: where it came from elsewhere, its connector knows none,
 * or the connector leads to another shop by now.
 */
export async function orderPage(soId: number, keys: EncryptionKeys): Promise<string | null> {
  const withPages = connectors().filter((connector) => connector.orderPage);
  const [link] = await db.rows(
    Link,
    `select c.name, m.source_id, substring(m.source_system from length(c.name) + 2)::int as warehouse_id
     from sales_orders so
     join cross_system_mappings m on m.canonical_id = so.external_id and m.source_type = 'sales_order'
     join unnest($2::text[]) c(name) on m.source_system ~ ('^' || c.name || '-[0-9]{1,9}$')
     where so.so_id = $1 order by m.mapping_id limit 1`,
    [soId, withPages.map(({ name }) => name)],
  );
  const connector = withPages.find(({ name }) => name === link?.name);
  if (!link || !connector?.orderPage) return null;
  try {
    const config = checkedConfig(connector, await storedConfig(link.name, link.warehouse_id, keys));
    return connector.orderPage(config as never, link.source_id);
  } catch (error) {
    if (error instanceof ConfigFault) return null;
    throw error;
  }
}
