import { db } from "../../platform/db/db.js";
import { anyOf, builder } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { Vendor, type VendorFilters, vendorList } from "./shapes.js";

export const VENDOR_COLUMNS = `
  canonical_id, vendor_name, contact_name, email, phone, billing_address, remit_to_address, tax_id,
  payment_terms, is_active, created_at, updated_at, external_id, latest_inbound_id`;

/** Vendors by name; `q` looks in name, contact and email, or is an external id. */
export function vendors(filters: VendorFilters) {
  const { q, active } = filters;
  const query = builder("vendors").select(builder.raw(VENDOR_COLUMNS)).orderBy(["vendor_name", "canonical_id"]);
  if (active !== undefined) query.where("is_active", active);
  if (q) query.where(anyOf(q, ["vendor_name", "contact_name", "email"], "external_id"));
  return listPage(Vendor, "vendors", query, filters, vendorList);
}

export function vendor(canonicalId: string): Promise<Vendor | undefined> {
  return db.row(Vendor, `select ${VENDOR_COLUMNS} from vendors where canonical_id = $1`, [canonicalId]);
}
