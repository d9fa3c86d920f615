import { builder, type Page } from "../../platform/db/list.js";
import { allAsJson, listPage } from "../../platform/db/listing.js";
import { type Finding, find } from "../../stock/search.js";
import { PreferredBin, type PreferredBinFilters, preferredBinList } from "./shapes.js";

const SEARCHED = { items: ["sku", "item_name"], bins: ["bin_code"] };

/** A page of the preferred bins, by SKU and priority. */
export async function preferredBins(filters: PreferredBinFilters & Page, warehouseIds: number[] | null) {
  const finding = await found(filters);
  const query = bySku(filters, warehouseIds, finding);
  const counted = counting(filters, warehouseIds, finding);
  return listPage(PreferredBin, "preferred_bins", query, filters, preferredBinList, undefined, counted);
}

/** All of them as one page. */
export async function allPreferredBins(filters: PreferredBinFilters, warehouseIds: number[] | null): Promise<string> {
  const query = bySku(filters, warehouseIds, await found(filters));
  return allAsJson("preferred_bins", query, filters, preferredBinList);
}

/** `q` looks in SKU, name and bin code, or is the external id of item or bin. */
const found = ({ q }: PreferredBinFilters): Promise<Finding> | undefined =>
  q ? find("p", { q, ...SEARCHED }) : undefined;

/** Each has an item and a bin: they are counted without them. */
function counting({ item_id, bin_id }: PreferredBinFilters, warehouseIds: number[] | null, finding?: Finding) {
  const counted = builder("preferred_bins as p");
  if (warehouseIds)
    counted.whereRaw("exists (select from bins b where b.bin_id = p.bin_id and b.warehouse_id = any(?))", [
      warehouseIds,
    ] as never);
  if (item_id) counted.where("p.item_id", item_id);
  if (bin_id) counted.where("p.bin_id", bin_id);
  if (finding) counted.where(finding.counted);
  return counted;
}

function bySku(filters: PreferredBinFilters, warehouseIds: number[] | null, finding?: Finding) {
  const query = counting(filters, null)
    .join("items as i", "i.item_id", "p.item_id")
    .join("bins as b", "b.bin_id", "p.bin_id")
    .join("zones as z", "z.zone_id", "b.zone_id")
    .join("warehouses as w", "w.warehouse_id", "b.warehouse_id")
    .select(
      "preferred_bin_id",
      "p.item_id",
      "p.bin_id",
      "priority",
      "p.min_units",
      "p.max_units",
      "p.case_units",
      "p.notes",
      "p.updated_at",
      "i.external_id as item_external_id",
      "sku",
      "item_name",
      "b.external_id as bin_external_id",
      "bin_code",
      "zone_name",
      "b.warehouse_id",
      "warehouse_code",
    )
    .orderBy(["sku", "priority", "preferred_bin_id"]);
  if (warehouseIds) query.whereIn("b.warehouse_id", warehouseIds);
  if (finding) query.where(finding.listed);
  return query;
}
