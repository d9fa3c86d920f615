import { z } from "zod";
import * as activities from "../../activities/master-data/vendors.js";
import { VendorNamed, VendorNotFound } from "../../src/master-data/problems.js";
import { vendor, vendors } from "../../src/master-data/vendors/queries.js";
import { NewVendor, Vendor, VendorChanges, VendorFilters, VendorId } from "../../src/master-data/vendors/shapes.js";
import { Message, paged } from "../../src/platform/fields.js";
import { page, route } from "../http/route.js";

/** Vendors: docs/interface.md, Vendors. They belong to no warehouse. */

const params = z.strictObject({ canonical_id: VendorId });

export const listVendors = route("get /api/admin/vendors", {
  for: page("vendors"),
  summary: "Vendors by name",
  query: VendorFilters,
  answers: { 200: paged("vendors", Vendor, "The vendors, one entry for each.") },
  run: ({ query }) => vendors(query),
});

export const getVendor = route("get /api/admin/vendors/:canonical_id", {
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

export const createVendor = route("post /api/admin/vendors", {
  for: page("vendors"),
  summary: "Creates a vendor",
  body: NewVendor,
  answers: { 201: Vendor },
  run: ({ body, by }) => activities.createVendor(body, by),
});

export const updateVendor = route("put /api/admin/vendors/:canonical_id", {
  for: page("vendors"),
  summary: "Changes what is sent of a vendor",
  params,
  body: VendorChanges,
  answers: { 200: Vendor },
  errors: [VendorNotFound],
  run: ({ params, body, by }) => activities.updateVendor(params.canonical_id, body, by),
});

export const deleteVendor = route("delete /api/admin/vendors/:canonical_id", {
  for: page("vendors"),
  summary: "Deletes a vendor without purchase orders",
  params,
  answers: { 200: Message },
  errors: [VendorNotFound, VendorNamed],
  run: ({ params, by }) => activities.deleteVendor(params.canonical_id, by),
});
