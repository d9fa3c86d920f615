import { z } from "zod";
import type { Shipment, ShippedLine } from "../connector.js";
import type { Fulfillment, FulfillmentOrder } from "./documents.js";
import { skuOf } from "./items.js";

/** The units of a fulfilment order that are fulfilled. */
export interface FulfilledPart extends Pick<FulfillmentOrder, "id" | "assigned_location_id"> {
  line_items: { id: string; quantity: number }[];
}

/** Units of a line of the order, of which no more can be taken than there are. */
interface Units {
  id: string;
  line_item_id: string;
  variant_id?: string | null | undefined;
  units: number;
}

/**
 * The units of fulfilment orders that a shipment fulfils: the shipped units, less those that its own fulfilments have
 * already, and no more than are open. Lines are found by their variant; by their SKU where the variant is unknown or
 * not enough, as where variants with the same SKU are one item here.
 */
export function unitsOf(
  { lines, order }: Pick<Shipment, "lines" | "order">,
  told: Fulfillment[],
  orders: FulfillmentOrder[],
): FulfilledPart[] {
  const skus = skusOf(order);
  const fulfilled = told.flatMap(({ line_items }) =>
    line_items.map(({ quantity, ...line }) => ({ ...line, line_item_id: line.id, units: quantity })),
  );
  const left = lines.map((line) => ({ ...line }));
  take(left, fulfilled, skus);
  return orders
    .map(({ line_items, id, assigned_location_id }) => {
      const open = line_items.map(({ fulfillable_quantity, ...line }) => ({ ...line, units: fulfillable_quantity }));
      return { id, assigned_location_id, line_items: take(left, open, skus) };
    })
    .filter(({ line_items }) => line_items.length > 0);
}

/** Takes units of shipped lines out of lines of the shop, and lowers both; returns how many of which. */
function take(left: ShippedLine[], lines: Units[], skus: Map<string, string | null>) {
  const taken = new Map<string, number>();
  for (const isOf of [
    ({ item }: ShippedLine, { variant_id }: Units) => item !== null && item === variant_id,
    ({ sku }: ShippedLine, { line_item_id }: Units) => sku === skus.get(line_item_id),
  ])
    for (const shipped of left)
      for (const line of lines.filter((line) => isOf(shipped, line))) {
        const quantity = Math.min(shipped.quantity, line.units);
        if (quantity <= 0) continue;
        shipped.quantity -= quantity;
        line.units -= quantity;
        taken.set(line.id, (taken.get(line.id) ?? 0) + quantity);
      }
  return [...taken].map(([id, quantity]) => ({ id, quantity }));
}

const OrderLines = z.object({
  line_items: z.array(
    z.object({
      id: z.unknown().transform(String),
      variant_id: z.unknown().transform((id) => (id ? String(id) : null)),
      sku: z.string().nullable().catch(null),
    }),
  ),
});

/** The SKUs of an order's lines, as its items have them here; none if the order's document was deleted. */
function skusOf(order: Shipment["order"]): Map<string, string | null> {
  const lines = OrderLines.safeParse(order).data?.line_items ?? [];
  return new Map(lines.map(({ id, variant_id, sku }) => [id, skuOf(variant_id, sku?.trim() || null)]));
}
