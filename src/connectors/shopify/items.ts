import { Decimal } from "decimal.js";
import type { SourceRecord } from "../connector.js";
import { cutTexts } from "../cut-texts.js";
import { Product, read, type Variant } from "./documents.js";
import { later } from "./versions.js";

/** Statuses of products that can be sold; `unlisted` ones are found only by their address. */
const sold = ["active", "unlisted"];

/** What Shopify calls the one variant of a product without options. */
const ONLY_VARIANT = "Default Title";

/** Pounds are 453.59237 g by definition. */
const pounds: Record<string, (weight: Decimal) => Decimal> = {
  g: (weight) => weight.div("453.59237"),
  kg: (weight) => weight.div("0.45359237"),
  oz: (weight) => weight.div(16),
  lb: (weight) => weight,
};

/** A SKU for a variant that has none in the shop, or that of another variant. */
const ownSku = (variantId: string) => `SHOPIFY-${variantId}`;

/** The SKU of an item. */
export const skuOf = (variantId: string | null | undefined, sku: string | null): string | null =>
  sku ?? (variantId ? ownSku(variantId) : null);

/**
 * A product's variants, each of which is an item. Values that the shop leaves empty stay as they are here: a weight of
 * 0 and no barcode mean that nobody entered one.
 */
export function itemRecords(document: Record<string, unknown>): SourceRecord[] {
  const product = read(Product, document, "a product");
  const { variants, body_html, images, image, options, ...about } = document;
  return product.variants.map((variant, i) => ({
    resource: "items",
    external_id: variant.id,
    external_version: later(product.updated_at, variant.updated_at),
    own_sku: ownSku(variant.id),
    values: cutTexts("items", valuesOf(product, variant)),
    payload: { product: about, variant: (variants as unknown[])[i] },
  }));
}

function valuesOf(product: Product, variant: Variant): Record<string, unknown> {
  const sku = skuOf(variant.id, variant.sku);
  const title = variant.title === ONLY_VARIANT ? null : variant.title;
  const weight_lbs = weightOf(variant);
  return {
    sku,
    item_name: [product.title, title].filter(Boolean).join(" - ") || sku,
    is_active: product.status === null || sold.includes(product.status),
    ...(variant.barcode && { upc: variant.barcode }),
    ...(weight_lbs && { weight_lbs }),
  };
}

function weightOf({ weight, weight_unit }: Variant): string | null {
  const inPounds = pounds[weight_unit ?? ""];
  return weight && inPounds ? inPounds(new Decimal(weight)).toFixed(4) : null;
}
