import { z } from "zod";
import * as activities from "../../activities/master-data/layouts.js";
import { keptLayout } from "../../src/master-data/layouts/queries.js";
import { KeptLayout, Layout } from "../../src/master-data/layouts/shapes.js";
import { LayoutAislesUnknown, LayoutNotFound, WarehouseNotFound } from "../../src/master-data/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { Message } from "../../src/platform/fields.js";
import { admin, route } from "../http/route.js";

/** Layouts of warehouses: docs/layout.md. */

const params = z.strictObject({ warehouse_id: field.WarehouseIdParam });

export const getWarehouseLayout = route("get /api/admin/warehouses/:warehouse_id/layout", {
  for: admin,
  summary: "The layout of a warehouse, by which its pickers walk",
  params,
  answers: { 200: KeptLayout },
  errors: [LayoutNotFound],
  run: async ({ params }) => {
    const found = await keptLayout(params.warehouse_id);
    if (!found) throw LayoutNotFound();
    return found;
  },
});

export const putWarehouseLayout = route("put /api/admin/warehouses/:warehouse_id/layout", {
  for: admin,
  summary: "Sets the layout of a warehouse, whole",
  params,
  body: Layout,
  answers: { 200: KeptLayout },
  errors: [WarehouseNotFound, LayoutAislesUnknown],
  run: ({ params, body, by }) => activities.putLayout(params.warehouse_id, body, by),
});

export const deleteWarehouseLayout = route("delete /api/admin/warehouses/:warehouse_id/layout", {
  for: admin,
  summary: "Removes the layout of a warehouse",
  params,
  answers: { 200: Message },
  errors: [WarehouseNotFound, LayoutNotFound],
  run: ({ params, by }) => activities.deleteLayout(params.warehouse_id, by),
});
