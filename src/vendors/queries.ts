import { db } from "../db.js";
import { builder, containing, listPage, type Page } from "../list.js";

/** A vendor, all of it (reference 03 §9). */
export interface Vendor {
  canonical_id: string;
  vendor_name: string;
  contact_name: string | null;
  email: string | null;
  phone: string | null;
  billing_address: string | null;
  remit_to_address: string | null;
  tax_id: string | null;
  payment_terms: string | null;
  is_active: boolean;
  created_at: string;
  updated_at: string;
  external_id: string;
  latest_inbound_id: number | null;
}

export const VENDOR = `canonical_id, vendor_name, contact_name, email, phone, billing_address, remit_to_address, tax_id,
                       payment_terms, is_active, created_at, updated_at, external_id, latest_inbound_id`;

/** Vendors by name; `q` looks in name, contact and email. */
export function vendors(filters: Page & { q?: string | undefined }) {
  const { q } = filters;
  const query = builder("vendors")
    .select(builder.raw(VENDOR))
    .orderBy(["vendor_name", "canonical_id"]);
  if (q) {
    query.where((either) => {
      for (const column of ["vendor_name", "contact_name", "email"])
        either.orWhereILike(column, containing(q));
    });
  }
  return listPage<Vendor, "vendors">("vendors", query, filters);
}

export function vendor(canonicalId: string): Promise<Vendor | undefined> {
  return db.row<Vendor>(
    `select ${VENDOR} from vendors where canonical_id = $1`,
    [canonicalId],
  );
}
