import { VendorNamed, VendorNotFound } from "../../src/master-data/problems.js";
import { VENDOR_COLUMNS } from "../../src/master-data/vendors/queries.js";
import { type NewVendor, Vendor, type VendorChanges } from "../../src/master-data/vendors/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { auditEdit, withChanges } from "../edit.js";

/** Creates a vendor (docs/interface.md, Vendors). Names are not unique: two source systems may have the same one. */
export function createVendor(input: NewVendor, by: Actor): Promise<Vendor> {
  return command("vendors.create", by, input, async (tx) => {
    const vendor = (await tx.row(
      Vendor,
      `insert into vendors (vendor_name, contact_name, email, phone, billing_address, remit_to_address, tax_id,
                            payment_terms, is_active)
       values (:vendor_name, :contact_name, :email, :phone, :billing_address, :remit_to_address, :tax_id,
               :payment_terms, :is_active) returning ${VENDOR_COLUMNS}`,
      valuesOf(input),
    )) as Vendor;
    tx.audit({ action: "CREATE", ...entry(vendor) });
    return vendor;
  });
}

/** Changes the sent fields of a vendor. */
export function updateVendor(canonical_id: string, changes: VendorChanges, by: Actor): Promise<Vendor> {
  const input = { canonical_id, ...changes };
  return command("vendors.update", by, input, async (tx) => {
    const before = await lockVendor(tx, canonical_id);
    const after = withChanges<NewVendor>(before, changes);
    const saved = (await tx.row(
      Vendor,
      `update vendors
       set vendor_name = :vendor_name, contact_name = :contact_name, email = :email, phone = :phone,
           billing_address = :billing_address, remit_to_address = :remit_to_address, tax_id = :tax_id,
           payment_terms = :payment_terms, is_active = :is_active, updated_at = now()
       where canonical_id = :canonical_id returning ${VENDOR_COLUMNS}`,
      { canonical_id, ...valuesOf(after) },
    )) as Vendor;
    auditEdit(tx, entry(saved), before, after);
    return saved;
  });
}

/** Deletes a vendor that no purchase order refers to. */
export function deleteVendor(canonical_id: string, by: Actor): Promise<{ message: string }> {
  return command("vendors.delete", by, { canonical_id }, async (tx) => {
    const vendor = await lockVendor(tx, canonical_id);
    const { vendor_name } = vendor;
    const named = await tx.row({}, "select from purchase_orders where vendor_id = $1 limit 1", [canonical_id]);
    if (named) throw VendorNamed({ vendor_name });
    await tx.run("delete from vendors where canonical_id = $1", [canonical_id]);
    tx.audit({ action: "DELETE", ...entry(vendor) });
    return { message: `Vendor ${vendor_name} deleted` };
  });
}

async function lockVendor(tx: Tx, canonicalId: string): Promise<Vendor> {
  const vendor = await tx.row(Vendor, `select ${VENDOR_COLUMNS} from vendors where canonical_id = $1 for update`, [
    canonicalId,
  ]);
  if (!vendor) throw VendorNotFound();
  return vendor;
}

const valuesOf = (vendor: NewVendor) => ({
  vendor_name: vendor.vendor_name,
  contact_name: vendor.contact_name,
  email: vendor.email,
  phone: vendor.phone,
  billing_address: vendor.billing_address,
  remit_to_address: vendor.remit_to_address,
  tax_id: vendor.tax_id,
  payment_terms: vendor.payment_terms,
  is_active: vendor.is_active,
});

/** Audit entries have numeric entity ids. A vendor's id is a UUID, so it is in the details. */
const entry = ({ canonical_id, vendor_name }: Vendor): Omit<AuditEntry, "action"> => ({
  entity: "VENDOR",
  entityId: 0,
  details: { canonical_id, vendor_name },
});
