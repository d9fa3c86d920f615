import { z } from "zod";
import {
  createVendor,
  deleteVendor,
  updateVendor,
} from "../activities/vendors.js";
import { VendorNamed, VendorNotFound } from "../src/vendors/problems.js";
import { vendor, vendors } from "../src/vendors/queries.js";
import {
  Edit,
  Id,
  Message,
  Name,
  Paging,
  paged,
  Text,
  Time,
} from "./fields.js";
import { page, route } from "./route.js";

/** Vendors: reference 03 §9. They belong to no warehouse. */

const VendorId = z
  .uuid()
  .meta({ examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"] });

const Vendor = z.strictObject({
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
  external_id: VendorId,
  latest_inbound_id: Id.nullable(),
});

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

const params = z.strictObject({ canonical_id: VendorId });

export const listVendors = route("get /api/admin/vendors", {
  for: page("vendors"),
  summary: "Vendors by name",
  query: z.object({ ...Paging, q: Text(256, "potter").optional() }),
  answers: { 200: paged("vendors", Vendor) },
  run: ({ query }) => vendors(query),
});

export const readVendor = route("get /api/admin/vendors/:canonical_id", {
  for: page("vendors"),
  summary: "A vendor",
  params,
  answers: { 200: Vendor },
  errors: [VendorNotFound],
  run: async ({ params }) => {
    const found = await vendor(params.canonical_id);
    if (!found) throw VendorNotFound();
    return found;
  },
});

export const addVendor = route("post /api/admin/vendors", {
  for: page("vendors"),
  summary: "Makes a vendor",
  body: z.strictObject({ ...fields, is_active: z.boolean().default(true) }),
  answers: { 201: Vendor },
  run: ({ body, by }) => createVendor(body, by),
});

export const editVendor = route("put /api/admin/vendors/:canonical_id", {
  for: page("vendors"),
  summary: "Changes what is sent of a vendor",
  params,
  body: Edit({ ...fields, is_active: z.boolean() }),
  answers: { 200: Vendor },
  errors: [VendorNotFound],
  run: ({ params, body, by }) => updateVendor(params.canonical_id, body, by),
});

export const removeVendor = route("delete /api/admin/vendors/:canonical_id", {
  for: page("vendors"),
  summary: "Deletes a vendor that no purchase order names",
  params,
  answers: { 200: Message },
  errors: [VendorNotFound, VendorNamed],
  run: ({ params, by }) => deleteVendor(params.canonical_id, by),
});
