import type { Shop } from "./shopify-shop.js";

export interface GraphqlRequest {
  query: string;
  variables: { id: string; after: string | null };
}

/** What a page of a hundred variants costs at most, with the objects within each. */
const COST = 402;
const PAGE = 100;
const units: Record<string, string> = { g: "GRAMS", kg: "KILOGRAMS", oz: "OUNCES", lb: "POUNDS" };

/** The GraphQL Admin API of a shop, as far as it tells the variants of a product: page by page, for points. */
export class ShopifyGraphql {
  /** Points that the shop gives, and gives back each second; Shopify's own figures begin at 1,000 and 100. */
  points = { most: 1_000, available: 1_000, perSecond: 100_000 };
  /** An error that it answers with. */
  refuses: { message: string; code: string } | undefined;
  #restored = performance.now();

  answer(shop: Shop, { query, variables: { id, after } }: GraphqlRequest): unknown {
    if (!/variants\(first: 100, after: \$after\)/.test(query)) throw new Error(`not understood: ${query}`);
    const { points } = this;
    const now = performance.now();
    points.available = Math.min(points.most, points.available + ((now - this.#restored) / 1_000) * points.perSecond);
    this.#restored = now;
    const isThrottled = points.available < COST;
    const cost = () => ({
      ...{ requestedQueryCost: COST, actualQueryCost: isThrottled ? null : COST },
      throttleStatus: {
        ...{ maximumAvailable: points.most, restoreRate: points.perSecond },
        currentlyAvailable: Math.floor(points.available),
      },
    });
    const refusal = isThrottled ? { message: "Throttled", code: "THROTTLED" } : this.refuses;
    if (refusal) {
      const { message, code } = refusal;
      return { errors: [{ message, extensions: { code } }], extensions: { cost: cost() } };
    }
    points.available -= COST;
    const all = shop.allVariants(Number(id.replace("gid://shopify/Product/", "")));
    const from = Number(after ?? 0);
    const nodes = all.slice(from, from + PAGE).map(({ id, title, sku, barcode, updated_at, weight, weight_unit }) => ({
      ...{ legacyResourceId: `${id}`, title, sku, barcode, updatedAt: updated_at },
      inventoryItem: { measurement: { weight: { value: weight, unit: units[String(weight_unit)] } } },
    }));
    const pageInfo = { hasNextPage: from + PAGE < all.length, endCursor: `${from + nodes.length}` };
    return { data: { product: { variants: { nodes, pageInfo } } }, extensions: { cost: cost() } };
  }
}
