import { z } from "zod";
import type { SourceFulfilment } from "../../src/connectors/connector.js";
import { itemsBySku, lookupName, resolveLookups } from "../../src/inbound/queries.js";
import { arrayOf, int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";
import { add, type Units } from "./order-parts.js";

const Told = z.strictObject({ external_id: text.nullable(), status: text, tracking_numbers: arrayOf(text) });
type Told = z.infer<typeof Told>;

/**
 * The units of those fulfilments of a source that are shipments of this service, which were pushed to it. The others
 * were fulfilled in the source, or elsewhere.
 */
export async function unitsToldOf(
  tx: Tx,
  { pushKey: { source_system, external_id } }: Incoming,
  fulfilments: SourceFulfilment[],
): Promise<Units> {
  const units: Units = new Map();
  if (fulfilments.length === 0) return units;
  const told = await tx.rows(
    Told,
    `select external_id, status, tracking_numbers from fulfillment_pushes
     where kind = 'ship' and source_order_id = $1 and connector_name || '-' || warehouse_id = $2`,
    [external_id, source_system],
  );
  const lines = fulfilments.filter((one) => told.some((push) => isOf(push, one))).flatMap((one) => one.lines);
  const lookups = lines.map(
    ({ item, sku = null, sku_alone }) =>
      ({
        source_system,
        source_type: "item",
        source_id: item,
        sku,
        sku_alone,
        column: "item_id",
        required: false,
      }) as const,
  );
  const linked = new Map((await resolveLookups(tx, lookups)).map((one) => [lookupName(one), one.canonical_id]));
  const bySku = await itemsBySku(
    tx,
    lookups.filter((lookup) => !linked.has(lookupName(lookup))),
  );
  const ids = await itemIds(tx, [...linked.values(), ...bySku.values()]);
  lookups.forEach((lookup, i) => {
    const name = lookupName(lookup);
    const id = ids.get(linked.get(name) ?? bySku.get(name) ?? "");
    if (id !== undefined) add(units, id, lines[i]?.quantity ?? 0);
  });
  return units;
}

/** A push without an answer may have arrived all the same: then the tracking number identifies it. */
function isOf({ external_id, status, tracking_numbers }: Told, fulfilment: SourceFulfilment): boolean {
  if (external_id?.split(",").includes(fulfilment.id)) return true;
  if (external_id !== null || status === "skipped") return false;
  return tracking_numbers.length === 0
    ? fulfilment.tracking_numbers.length === 0
    : fulfilment.tracking_numbers.some((number) => tracking_numbers.includes(number));
}

async function itemIds(tx: Tx, externalIds: string[]): Promise<Map<string, number>> {
  const items = await tx.rows(
    { external_id: text, item_id: int },
    "select external_id, item_id from items where external_id = any($1)",
    [externalIds],
  );
  return new Map(items.map(({ external_id, item_id }) => [external_id, item_id]));
}
