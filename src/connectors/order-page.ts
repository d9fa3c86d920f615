import { z } from "zod";
import type { EncryptionKeys } from "../auth/sealed.js";
import { text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { ownerOf } from "./registry.js";
import { ConfigFault, checkedConfig, storedConfig } from "./stored-config.js";

const Link = z.strictObject({ source_system: text, source_id: text });

/**
 * The page of an order at the shop that it came from, or null: where it came from elsewhere, its connector knows none,
 * or the connector leads to another shop by now.
 */
export async function orderPage(soId: number, keys: EncryptionKeys): Promise<string | null> {
  const links = await db.rows(
    Link,
    `select m.source_system, m.source_id
     from sales_orders so
     join cross_system_mappings m on m.canonical_id = so.external_id and m.source_type = 'sales_order'
     where so.so_id = $1 order by m.mapping_id`,
    [soId],
  );
  for (const { source_system, source_id } of links) {
    const { connector, warehouseId, isFormer } = ownerOf(source_system) ?? {};
    if (!connector?.orderPage || warehouseId === undefined || isFormer) continue;
    try {
      const config = checkedConfig(connector, await storedConfig(connector.name, warehouseId, keys));
      return connector.orderPage(config as never, source_id);
    } catch (error) {
      if (error instanceof ConfigFault) return null;
      throw error;
    }
  }
  return null;
}
