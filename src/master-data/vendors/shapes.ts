import { z } from "zod";
import { Edit, ExternalId, Id, Name, QueryBool, SearchText, Text, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const VendorId = z.uuid().meta({ examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"] });

export const Vendor = z
  .strictObject({
    canonical_id: VendorId,
    vendor_name: z.string(),
    contact_name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    billing_address: z.string().nullable(),
    remit_to_address: z.string().nullable(),
    tax_id: z.string().nullable(),
    payment_terms: z.string().nullable(),
    is_active: z.boolean(),
    created_at: Time,
    updated_at: Time,
    external_id: ExternalId,
    latest_inbound_id: Id.nullable(),
  })
  .meta({ id: "Vendor", description: "A company that sells to the warehouse's company." });
export type Vendor = z.infer<typeof Vendor>;

export const vendorList = list(
  "canonical_id",
  ...["vendor_name", "contact_name", "email", "payment_terms", "is_active", "created_at", "updated_at"],
);

export const VendorFilters = z.object({
  ...vendorList.parameters,
  active: QueryBool.optional(),
  q: SearchText("potter").optional(),
});
export type VendorFilters = z.infer<typeof VendorFilters>;

const fields = {
  vendor_name: Name(256, "Potter & Sons"),
  contact_name: Text(256, "Pat Potter").nullish(),
  email: Text(255, "orders@potter.example").nullish(),
  phone: Text(64, "+1 555 0100").nullish(),
  billing_address: Text(1000, "1 Kiln Lane").nullish(),
  remit_to_address: Text(1000, "PO Box 7").nullish(),
  tax_id: Text(64, "12-3456789").nullish(),
  payment_terms: Text(64, "NET30").nullish(),
};

export const NewVendor = z.strictObject({ ...fields, is_active: z.boolean().default(true) });
export type NewVendor = z.infer<typeof NewVendor>;

export const VendorChanges = Edit({ ...fields, is_active: z.boolean() });
export type VendorChanges = z.infer<typeof VendorChanges>;
