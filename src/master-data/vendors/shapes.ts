import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, ExternalId, Id, Name, SearchText, Text } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import * as pushed from "../../platform/pushed-columns.js";

export const VendorId = z.uuid().meta({
  description: "UUID of the record, the same in all systems.",
  examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"],
});

export const Vendor = z
  .strictObject({
    canonical_id: VendorId,
    vendor_name: field.VendorName,
    contact_name: AnyText("Paul Porter").nullable().describe("Whom to ask for at the vendor."),
    email: AnyText("orders@vendor.example.com").nullable().describe("Address for email."),
    phone: field.Phone.nullable(),
    billing_address: AnyText("12 Main Street, Springfield, IL 62701")
      .nullable()
      .describe("Address that invoices go to."),
    remit_to_address: AnyText("PO Box 12, Dayton, OH 45401").nullable().describe("Address that payments go to."),
    tax_id: AnyText("12-3456789").nullable().describe("The vendor's tax number."),
    payment_terms: AnyText("Net 30").nullable().describe("When invoices are due."),
    is_active: field.IsActive,
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
    external_id: ExternalId,
    latest_inbound_id: Id.nullable().describe("Id of the newest version of the record that was received."),
  })
  .meta({ id: "Vendor", description: "A company that sells to the warehouse's company." });
export type Vendor = z.infer<typeof Vendor>;

export const vendorList = list(
  "canonical_id",
  ...["vendor_name", "contact_name", "email", "payment_terms", "is_active", "created_at", "updated_at"],
);

export const VendorFilters = z.object({
  ...vendorList.parameters,
  active: field.ActiveParam.optional(),
  q: SearchText("potter").optional().describe("Words to look for."),
});
export type VendorFilters = z.infer<typeof VendorFilters>;

const fields = {
  vendor_name: Name(256, "Potter & Sons").describe("Name of the vendor that delivers."),
  contact_name: Text(256, "Pat Potter").nullish().describe("Whom to ask for at the vendor."),
  email: Text(255, "orders@potter.example").nullish().describe("Address for email."),
  phone: Text(64, "+1 555 0100").nullish().describe("Telephone number, as people write it."),
  billing_address: Text(1000, "1 Kiln Lane").nullish().describe("Address that invoices go to."),
  remit_to_address: Text(1000, "PO Box 7").nullish().describe("Address that payments go to."),
  tax_id: Text(64, "12-3456789").nullish().describe("The vendor's tax number."),
  payment_terms: Text(64, "NET30").nullish().describe("When invoices are due."),
};

export const NewVendor = z.strictObject({ ...fields, is_active: field.IsActive.default(true) });
export type NewVendor = z.infer<typeof NewVendor>;

export const VendorChanges = Edit({ ...fields, is_active: field.IsActive });
export type VendorChanges = z.infer<typeof VendorChanges>;

/** What another system may say of a vendor. */
export const pushedVendor: pushed.Columns = {
  vendor_name: pushed.required(pushed.text(256)),
  contact_name: pushed.text(256),
  email: pushed.text(255),
  phone: pushed.text(64),
  billing_address: pushed.longText,
  remit_to_address: pushed.longText,
  tax_id: pushed.text(64),
  payment_terms: pushed.text(64),
  is_active: pushed.boolean,
};
