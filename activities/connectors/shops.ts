import { z } from "zod";
import { resources } from "../../src/auth/tokens/scope.js";
import { type Connector, shopFieldOf, sourceSystemOf } from "../../src/connectors/connector.js";
import type { NewCredentials } from "../../src/connectors/credential-shapes.js";
import { ShopChanged } from "../../src/connectors/problems.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { hostOf } from "./addresses.js";
import { freeSyncs } from "./sync-state.js";

/** The shop that the links of a connector belong to: ids are those of a shop, not of the connector's name. */

interface Change {
  connector: Connector;
  warehouse_id: number;
  /** The stored addresses by field. */
  before: Record<string, string>;
  credentials: Record<string, string>;
  address_of: NewCredentials["address_of"];
}

const ShopRow = z.strictObject({ shop_no: int, shop: text, is_current: bool });
type ShopRow = z.infer<typeof ShopRow>;

/**
 * Notes the shop that the connector now leads to. Where it led to another shop and links exist, the caller must
 * confirm; then the links of the other shop are put aside until the connector leads there again.
 */
export async function changeShop(tx: Tx, change: Change): Promise<void> {
  const { connector, warehouse_id, before, credentials, address_of } = change;
  const key = [connector.name, warehouse_id];
  const field = shopFieldOf(connector);
  const after = shopAt(credentials[field ?? ""]);
  if (field === undefined || after === null) return;
  const shops = await tx.rows(
    ShopRow,
    "select shop_no, shop, is_current from connector_shops where connector_name = $1 and warehouse_id = $2 for update",
    key,
  );
  const current = shops.find(({ is_current }) => is_current);
  // Connectors of earlier releases have no row.
  const was = current?.shop ?? shopAt(before[field]) ?? after;
  const shop_no = current?.shop_no ?? 1;
  if (!current) await tx.run("insert into connector_shops values ($1, $2, $3, $4, true)", [...key, shop_no, was]);
  if (was === after) return;
  const linked = await countsOf(tx, change);
  const anything = linked.linked_items + linked.linked_orders > 0 || linked.was_read;
  if (anything && address_of === undefined)
    throw ShopChanged(
      { field, before: was, after },
      { shop_before: was, shop_after: after, linked_items: linked.linked_items, linked_orders: linked.linked_orders },
    );
  if (address_of === "same_shop") {
    await tx.run("delete from connector_shops where connector_name = $1 and warehouse_id = $2 and shop = $3", [
      ...key,
      after,
    ]);
    await tx.run(
      "update connector_shops set shop = $4 where connector_name = $1 and warehouse_id = $2 and shop_no = $3",
      [...[...key, shop_no, after]],
    );
    return;
  }
  await putAside(tx, change, { shop_no, shop: was });
  await bringBack(tx, change, after, shops);
}

/** A shop by its host and path, as several may be on one host. */
function shopAt(url: string | undefined): string | null {
  const host = hostOf(url ?? "");
  return host === null ? null : host + new URL(url as string).pathname.replace(/\/+$/, "");
}

const Linked = z.strictObject({
  linked_items: int,
  linked_orders: int,
  /** Whether any sync of the connector has read something. */
  was_read: bool,
});
type Linked = z.infer<typeof Linked>;

async function countsOf(tx: Tx, { connector: { name }, warehouse_id }: Change): Promise<Linked> {
  const counts = await tx.row(
    Linked,
    `select count(*) filter (where source_type = 'item') as linked_items,
            count(*) filter (where source_type = 'sales_order') as linked_orders,
            exists (select from sync_state
                    where connector_name = $2 and warehouse_id = $3 and watermark is not null) as was_read
     from cross_system_mappings where source_system = $1`,
    [sourceSystemOf(name, warehouse_id), name, warehouse_id],
  );
  return counts as Linked;
}

/** Puts aside the links of the former shop and what it sent, ends its syncs, and cancels its pending pushes. */
async function putAside(tx: Tx, change: Change, { shop_no, shop }: Pick<ShopRow, "shop_no" | "shop">): Promise<void> {
  const { connector, warehouse_id } = change;
  const { name } = connector;
  const key = [name, warehouse_id];
  await tx.run(
    "update connector_shops set is_current = false where connector_name = $1 and warehouse_id = $2 and is_current",
    key,
  );
  await move(tx, sourceSystemOf(name, warehouse_id), asideOf(change, shop_no));
  await freeSyncs(tx, { connector: name, warehouse_id, sync_type: null }, { full: true });
  // A refused record of the former shop would be written as one of the new shop.
  await tx.run("delete from connector_refusals where connector_name = $1 and warehouse_id = $2", key);
  await tx.run("delete from connector_passed_over where connector_name = $1 and warehouse_id = $2", key);
  await tx.run(
    `update fulfillment_pushes
     set former_shop = $3, updated_at = now(),
       completed_at = case when status in ('pending', 'failed') then now() else completed_at end,
       last_error = case when status in ('pending', 'failed')
                      then left('The connector leads to another shop than ' || $3, 500) else last_error end,
       status = case when status in ('pending', 'failed') then 'skipped' else status end
     where connector_name = $1 and warehouse_id = $2 and former_shop is null`,
    [...key, shop],
  );
}

async function bringBack(tx: Tx, change: Change, shop: string, shops: ShopRow[]): Promise<void> {
  const { connector, warehouse_id } = change;
  const key = [connector.name, warehouse_id];
  const known = shops.find((one) => one.shop === shop);
  if (!known) {
    const next = Math.max(1, ...shops.map(({ shop_no }) => shop_no)) + 1;
    await tx.run("insert into connector_shops values ($1, $2, $3, $4, true)", [...key, next, shop]);
    return;
  }
  await tx.run(
    "update connector_shops set is_current = true where connector_name = $1 and warehouse_id = $2 and shop = $3",
    [...[...key, shop]],
  );
  await move(tx, asideOf(change, known.shop_no), sourceSystemOf(connector.name, warehouse_id));
  await tx.run(
    `update fulfillment_pushes set former_shop = null
     where connector_name = $1 and warehouse_id = $2 and former_shop = $3`,
    [...key, shop],
  );
}

/** The source system that put-aside links are moved to. */
const asideOf = ({ connector, warehouse_id }: Change, shopNo: number): string =>
  `${sourceSystemOf(connector.name, warehouse_id)}@${shopNo}`;

async function move(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')
     on conflict do nothing`,
    [to],
  );
  for (const table of ["cross_system_mappings", ...resources.map((resource) => `inbound_${resource}`)])
    await tx.run(`update ${table} set source_system = $2 where source_system = $1`, [from, to]);
}
