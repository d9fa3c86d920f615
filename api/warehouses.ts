import { z } from "zod";
import {
  createWarehouse,
  deleteWarehouse,
  updateWarehouse,
} from "../activities/warehouses.js";
import { createZone, deleteZone, updateZone } from "../activities/zones.js";
import { checkWarehouse, scopeOf } from "../src/actor.js";
import { UnknownWarehouse } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  WarehouseExists,
  WarehouseHasBins,
  WarehouseHasStock,
  WarehouseHasZones,
  WarehouseNamed,
  WarehouseNotFound,
  ZoneExists,
  ZoneHasBins,
  ZoneNotFound,
} from "../src/warehouses/problems.js";
import { warehouse, warehouses, zones } from "../src/warehouses/queries.js";
import {
  Edit,
  Id,
  Message,
  Name,
  Paging,
  paged,
  QueryInt,
  Text,
  Time,
} from "./fields.js";
import { page, route } from "./route.js";

/** Warehouses and their zones: spec 4.6, reference 03 §1. */

const Warehouse = z.strictObject({
  warehouse_id: Id,
  warehouse_code: z.string(),
  warehouse_name: z.string(),
  address: z.string().nullable(),
  is_active: z.boolean(),
  created_at: Time,
});

const Zone = z.strictObject({
  zone_id: Id,
  warehouse_id: Id,
  zone_code: z.string(),
  zone_name: z.string(),
  // PICKING, too, in data that was taken over (reference 09 #6).
  zone_type: z.string(),
  is_active: z.boolean(),
});

const fields = {
  warehouse_code: Name(32, "MAIN"),
  warehouse_name: Name(256, "Main warehouse"),
  address: Text(512, "1 Dock Road").nullish(),
};

const params = z.strictObject({ warehouse_id: QueryInt });

export const listWarehouses = route("get /api/admin/warehouses", {
  for: page("warehouses"),
  summary: "Warehouses",
  query: z.object(Paging),
  answers: { 200: paged("warehouses", Warehouse) },
  run: ({ query, by }) => warehouses(query, scopeOf(by)),
});

export const readWarehouse = route("get /api/admin/warehouses/:warehouse_id", {
  for: page("warehouses"),
  summary: "A warehouse with its zones",
  params,
  answers: {
    200: z.strictObject({ warehouse: Warehouse, zones: z.array(Zone) }),
  },
  errors: [WarehouseNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    checkWarehouse(by, params.warehouse_id);
    const found = await warehouse(params.warehouse_id);
    if (!found) throw WarehouseNotFound();
    return found;
  },
});

export const addWarehouse = route("post /api/admin/warehouses", {
  for: page("warehouses"),
  summary: "Creates a warehouse",
  body: z.strictObject(fields),
  answers: { 201: Warehouse },
  errors: [WarehouseExists],
  run: ({ body, by }) => createWarehouse(body, by),
});

export const editWarehouse = route("put /api/admin/warehouses/:warehouse_id", {
  for: page("warehouses"),
  summary: "Changes what is sent of a warehouse",
  params,
  body: Edit({ ...fields, is_active: z.boolean() }),
  answers: { 200: Warehouse },
  errors: [WarehouseNotFound, WarehouseExists, WarehouseDenied],
  run: ({ params, body, by }) => updateWarehouse(params.warehouse_id, body, by),
});

export const removeWarehouse = route(
  "delete /api/admin/warehouses/:warehouse_id",
  {
    for: page("warehouses"),
    summary: "Deletes a warehouse without stock, bins and zones",
    params,
    answers: { 200: Message },
    errors: [
      WarehouseNotFound,
      WarehouseHasStock,
      WarehouseHasBins,
      WarehouseHasZones,
      WarehouseNamed,
      WarehouseDenied,
    ],
    run: ({ params, by }) => deleteWarehouse(params.warehouse_id, by),
  },
);

const zoneFields = {
  zone_code: Name(32, "A"),
  zone_name: Name(128, "Aisle A"),
  zone_type: z.enum([
    "STORAGE",
    "RECEIVING",
    "STAGING",
    "SHIPPING",
    "QUALITY",
    "DAMAGE",
  ]),
};

export const listZones = route("get /api/admin/zones", {
  for: page("zones"),
  summary: "Zones",
  query: z.object({ ...Paging, warehouse_id: QueryInt.optional() }),
  answers: { 200: paged("zones", Zone) },
  run: ({ query, by }) => zones(query, scopeOf(by)),
});

export const addZone = route("post /api/admin/zones", {
  for: page("zones"),
  summary: "Creates a zone",
  body: z.strictObject({ warehouse_id: Id, ...zoneFields }),
  answers: { 201: Zone },
  errors: [UnknownWarehouse, ZoneExists, WarehouseDenied],
  run: ({ body, by }) => createZone(body, by),
});

export const editZone = route("put /api/admin/zones/:zone_id", {
  for: page("zones"),
  summary: "Changes what is sent of a zone",
  params: z.strictObject({ zone_id: QueryInt }),
  body: Edit({ ...zoneFields, is_active: z.boolean() }),
  answers: { 200: Zone },
  errors: [ZoneNotFound, ZoneExists, WarehouseDenied],
  run: ({ params, body, by }) => updateZone(params.zone_id, body, by),
});

export const removeZone = route("delete /api/admin/zones/:zone_id", {
  for: page("zones"),
  summary: "Deletes a zone that no bin stands in",
  params: z.strictObject({ zone_id: QueryInt }),
  answers: { 200: Message },
  errors: [ZoneNotFound, ZoneHasBins, WarehouseDenied],
  run: ({ params, by }) => deleteZone(params.zone_id, by),
});
