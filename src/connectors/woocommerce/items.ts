import type { SourceRecord } from "../connector.js";
import { cutTexts } from "../cut-texts.js";
import { askForAll, type WooSource } from "./api.js";
import type { WooConfig } from "./config.js";
import { type Document, Product, plainText, read, Variation } from "./documents.js";
import { inInches, inPounds } from "./units.js";

/** Types with variations, of which each is an item; the product itself is none. */
const variable = ["variable", "variable-subscription"];
/** A group of other products, and a product that another shop sells: neither is in a bin. */
const notKept = ["grouped", "external"];
/** Sold to everybody, and sold by staff only. */
const sold = ["publish", "private"];

/** The items of a product: itself, or its variations, which the shop is asked for. */
export async function itemRecords(source: WooSource, document: Document): Promise<SourceRecord[]> {
  const product = read(Product, document, "a product");
  if (!variable.includes(product.type)) return productRecords(source.config, document);
  const variations = await askForAll(source, `wc/v3/products/${product.id}/variations`, {
    orderby: "id",
    order: "asc",
  });
  return variations.map((variation) => {
    const { external_version, ...record } = variationRecord(source.config, variation, product);
    // Older than a webhook of the same second, so that the sync, which has the product's name and status, wins.
    return { ...record, external_version: `${external_version}.5` };
  });
}

/** The items of a product that can be told from its document alone: none of one that has variations. */
export function productRecords(config: WooConfig, document: unknown): SourceRecord[] {
  const product = read(Product, document, "a product");
  if (variable.includes(product.type)) return [];
  // Webhooks send a variation as a product of this type. Its name may include the options or not. They do not say
  // whether SKU and GTIN are its own or its product's: these are left to the next sync, and so is a new variation.
  if (product.type === "variation") {
    const record = variationRecord(config, document, { ...product, status: "publish" });
    const { sku, upc, ...values } = record.values;
    return [{ ...record, values, onlyIfKnown: true }];
  }
  return [record(config, document, product, { name: product.name, parents: [] })];
}

function variationRecord(config: WooConfig, document: unknown, parent: Product): SourceRecord {
  const variation = read(Variation, document, "a variation");
  const options = variation.attributes.flatMap(({ option }) => option ?? []).join(", ");
  const suffix = options && ` - ${options}`;
  const name = parent.name?.endsWith(suffix) ? parent.name : `${parent.name ?? ""}${suffix}`;
  // For a variation without a SKU, WooCommerce sends the product's, which all variations then have.
  const own = (field: "sku" | "global_unique_id") => (variation[field] === parent[field] ? null : variation[field]);
  const itself = { ...variation, sku: own("sku"), global_unique_id: own("global_unique_id"), type: "variation" };
  return record(config, document, itself, { name, parents: [parent] });
}

/** A deleted product or variation, of which the shop tells only the id. The time is ours. */
export const deletedItem = (id: string): SourceRecord => ({
  resource: "items",
  external_id: id,
  external_version: new Date().toISOString(),
  values: { is_active: false },
  payload: { id: Number(id) },
  onlyIfKnown: true,
});

type Kept = Omit<Product, "name">;

function record(
  config: WooConfig,
  document: unknown,
  product: Kept,
  { name, parents }: { name: string | null; parents: Product[] },
): SourceRecord {
  const versions = [product, ...parents].map((one) => one.date_modified_gmt);
  const about = {
    resource: "items",
    external_id: product.id,
    external_version: versions.sort().at(-1) as string,
    own_sku: skuOf(product.id),
    payload: document as Record<string, unknown>,
  } as const;
  if (product.virtual || notKept.includes(product.type))
    return { ...about, values: { is_active: false }, onlyIfKnown: true };
  const sku = product.sku ?? skuOf(product.id);
  const values = {
    sku,
    item_name: plainText(name) || sku,
    is_active: [product, ...parents].every(({ status }) => status === null || sold.includes(status)),
    ...measuresOf(config, product, parents),
  };
  return { ...about, values: cutTexts("items", values) };
}

/** The SKU here of an item that has none in the shop. */
const skuOf = (id: string) => `WOO-${id}`;

/**
 * Values that the shop has not entered stay as they are here; a variation has its product's measures unless it has its
 * own.
 */
function measuresOf(config: WooConfig, product: Kept, parents: Product[]): Record<string, string> {
  const own = [product, ...parents];
  const first = (get: (one: Kept) => string | null | undefined) => own.map(get).find(Boolean) ?? null;
  const measures = {
    upc: product.global_unique_id,
    weight_lbs: inPounds(
      first(({ weight }) => weight),
      config,
    ),
    length_in: inInches(
      first(({ dimensions }) => dimensions?.length),
      config,
    ),
    width_in: inInches(
      first(({ dimensions }) => dimensions?.width),
      config,
    ),
    height_in: inInches(
      first(({ dimensions }) => dimensions?.height),
      config,
    ),
  };
  return Object.fromEntries(Object.entries(measures).filter((entry): entry is [string, string] => entry[1] !== null));
}
