/**
 * SQL that finds the items of a scanned code: an exact match, of whatever kind, before an equal GTIN. Each part is the
 * array of ids, or null, so that `coalesce` stops at the first part that finds something. Several ids are several items
 * with the same GTIN, for whoever asks to refuse.
 */

/** The id of the item that a condition holds for; of several (upstream systems send duplicates) the first. */
export const firstWith = (condition: string): string =>
  // Without "offset 0" Postgres might look for the lowest id by reading all items in the order of their ids.
  `(select min(item_id) from (select item_id from items where ${condition} offset 0) same)`;

/** The same as an array, or null. */
export const exactly = (condition: string): string => `nullif(array[${firstWith(condition)}], '{null}')`;

/**
 * The items with a UPC, else an alias, among the forms of a GTIN; archived ones only where no active one has it. The
 * forms, SQL of a text[], are behind a `select` because Postgres would otherwise plan each execution for their number.
 */
export const byUpc = (forms: string, and = "true"): string =>
  sharing(`upc = any((select ${forms})::text[]) and ${and}`);
export const byAlias = (forms: string, and = "true"): string =>
  sharing(`barcode_aliases ?| (select ${forms})::text[] and ${and}`);
const sharing = (condition: string) =>
  `(select coalesce(array_agg(item_id) filter (where is_active), array_agg(item_id)) from items where ${condition})`;

/** The ids of the items whose UPC, SKU or alias a scan is: `text` and `forms` are SQL, of a text and a text[]. */
export const itemsScanned = (text: string, forms: string): string =>
  `coalesce(${[
    exactly(`upc = ${text}`),
    exactly(`sku = ${text}`),
    exactly(`barcode_aliases ? ${text}`),
    byUpc(forms),
    byAlias(forms),
  ].join(", ")})`;
