import { z } from "zod";
import { failsAlone, Unreadable } from "../alone.js";
import { SourceAway } from "../connector.js";
import { askGraphql, type ShopifySource } from "./admin-api.js";
import { Id, read, Text } from "./documents.js";

/** The REST API returns no more variants of a product, on any version ("Using the latest GraphQL product APIs"). */
const MOST_BY_REST = 100;
/** How often a request is tried while the shop's query cost limit is reached. */
const TRIES = 5;

/**
 * The query for variants. It costs at most some 400 points; a shop has 1,000 or more, and gets 100 back each second.
 */
const QUERY = `query variants($id: ID!, $after: String) {
  product(id: $id) {
    variants(first: 100, after: $after) {
      nodes { legacyResourceId title sku barcode updatedAt inventoryItem { measurement { weight { value unit } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const Weight = z.object({ value: z.number(), unit: z.string() }).nullish().catch(null);
const Node = z.object({
  legacyResourceId: Id,
  ...{ title: Text, sku: Text, barcode: Text, updatedAt: z.string() },
  inventoryItem: z
    .object({ measurement: z.object({ weight: Weight }).nullish() })
    .nullish()
    .catch(null),
});
const Variants = z.object({
  nodes: z.array(Node),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});
const Cost = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
const Answer = z.object({
  data: z.object({ product: z.object({ variants: Variants }).nullish() }).nullish(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
    .default([]),
  extensions: z.object({ cost: Cost.optional().catch(undefined) }).optional(),
});

/** The REST API's names for units of weight. */
const units: Record<string, string> = { GRAMS: "g", KILOGRAMS: "kg", OUNCES: "oz", POUNDS: "lb" };

const Beginning = z.object({ id: Id, title: Text, variants: z.array(z.object({ id: Id })) });

/**
 * A product with all of its variants: those that the REST API leaves out are read by GraphQL. Where the shop does not
 * return them, the product is refused by its name.
 */
export async function wholeProduct(source: ShopifySource, document: Record<string, unknown>) {
  const { id, title, variants } = read(Beginning, document, "a product");
  if (variants.length < MOST_BY_REST) return document;
  const known = new Set(variants.map((variant) => variant.id));
  try {
    const more = (await allVariants(source, id)).filter((variant) => !known.has(variant.id));
    return { ...document, variants: [...(document.variants as unknown[]), ...more] };
  } catch (error) {
    if (!failsAlone(error)) throw error;
    throw new Unreadable(
      `"${title}" has more than ${MOST_BY_REST} variants, which Shopify did not tell: ${(error as Error).message}`,
    );
  }
}

async function allVariants(source: ShopifySource, productId: string) {
  const found: ReturnType<typeof asInRest>[] = [];
  for (let after: string | null = null; ; ) {
    const page: z.output<typeof Variants> | undefined = await pageOf(source, productId, after);
    found.push(...(page?.nodes ?? []).map(asInRest));
    const next = page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    if (next === null || next === after) return found;
    after = next;
  }
}

/** A page of variants, once the cost limit allows it; undefined where the product does not exist any more. */
async function pageOf(source: ShopifySource, productId: string, after: string | null) {
  const variables = { id: `gid://shopify/Product/${productId}`, after };
  for (let tried = 1; ; tried++) {
    const { data, errors, extensions } = read(
      Answer,
      await askGraphql(source, { query: QUERY, variables }),
      "an answer of GraphQL",
    );
    const said = errors.map(({ message }) => message).join("; ");
    const isThrottled = errors.some((error) => error.extensions?.code === "THROTTLED");
    const wait_ms = waitOf(extensions?.cost);
    if (isThrottled && tried === TRIES) throw new SourceAway(`Shopify allows no more requests: ${said}`, 429, wait_ms);
    if (!isThrottled && errors.length > 0) throw new Unreadable(said);
    // Waits here for the points that the next page may need, rather than after a refusal.
    if (isThrottled || (data?.product?.variants.pageInfo.hasNextPage && wait_ms > 0)) await source.pause(wait_ms);
    if (!isThrottled) return data?.product?.variants;
  }
}

/** The time until the shop has as many points again, in ms. */
function waitOf(cost: z.output<typeof Cost> | undefined): number {
  if (!cost) return 1_000;
  const { requestedQueryCost, throttleStatus } = cost;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(0, Math.ceil((missing / throttleStatus.restoreRate) * 1_000));
}

/** A variant in the form of the REST API. */
function asInRest({ legacyResourceId, updatedAt, inventoryItem, ...texts }: z.output<typeof Node>) {
  const { value, unit } = inventoryItem?.measurement?.weight ?? { value: 0, unit: "POUNDS" };
  return { id: legacyResourceId, ...texts, updated_at: updatedAt, weight: value, weight_unit: units[unit] ?? null };
}
