import { z } from "zod";
import { groupBy } from "../../platform/values.js";
import { SourceError } from "../connector.js";
import { askForAll, type WooSource } from "./api.js";
import { Id, type LineItem, Order, Refunds, read, waiting } from "./documents.js";
import type { Left } from "./orders.js";

/**
 * The units of the lines of these orders that are left to ship. An order does not say which of its lines are virtual,
 * nor how many units were refunded; products and refunds do.
 */
export async function unitsLeft(source: WooSource, documents: unknown[]): Promise<Left> {
  const orders = documents
    .map((document) => read(Order, document, "an order"))
    .filter(({ status }) => status === "processing" || waiting.includes(status));
  const virtual = await virtualItems(
    source,
    orders.flatMap((order) => order.line_items),
  );
  const refunded = new Map<string, number>();
  for (const { id } of orders.filter(({ refunds }) => refunds.length > 0)) await addRefunds(source, id, refunded);
  return ({ id, product_id, variation_id, quantity }) =>
    virtual.has(variation_id === "0" ? product_id : variation_id) ? 0 : quantity - (refunded.get(id) ?? 0);
}

/** Adds the refunded units, by the id of the order's line; where only money was refunded there are none. */
async function addRefunds(source: WooSource, orderId: string, refunded: Map<string, number>): Promise<void> {
  const refunds = read(Refunds, await askForAll(source, `wc/v3/orders/${orderId}/refunds`), "a refund");
  for (const { quantity, meta_data } of refunds.flatMap((refund) => refund.line_items)) {
    const line = String(meta_data.find(({ key }) => key === "_refunded_item_id")?.value);
    refunded.set(line, (refunded.get(line) ?? 0) + Math.abs(quantity));
  }
}

const Kinds = z.array(z.object({ id: Id, virtual: z.boolean().catch(false) }));
const MOST_IDS = 100;

/** A product that does not exist in the shop any more counts as one that is shipped. */
async function unlessGone(asking: Promise<unknown[]>): Promise<unknown[]> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof SourceError && error.status === 404) return [];
    throw error;
  }
}

/** Those of the lines' products and variations that are not shipped (virtual ones). */
async function virtualItems(source: WooSource, lines: LineItem[]): Promise<Set<string>> {
  const virtual = new Set<string>();
  const see = async (path: string, ids: string[]) => {
    for (let i = 0; i < ids.length; i += MOST_IDS) {
      const query = { include: ids.slice(i, i + MOST_IDS).join(), _fields: "id,virtual" };
      for (const kind of read(Kinds, await unlessGone(askForAll(source, path, query)), "a product"))
        if (kind.virtual) virtual.add(kind.id);
    }
  };
  const plain = lines.filter(({ variation_id }) => variation_id === "0").map(({ product_id }) => product_id);
  const variations = lines.filter(({ variation_id }) => variation_id !== "0");
  await see("wc/v3/products", [...new Set(plain)]);
  for (const [product, of] of groupBy(variations, ({ product_id }) => product_id))
    await see(`wc/v3/products/${product}/variations`, [...new Set(of.map(({ variation_id }) => variation_id))]);
  return virtual;
}
