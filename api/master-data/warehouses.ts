import { z } from "zod";
import * as activities from "../../activities/master-data/warehouses.js";
import * as zoneActivities from "../../activities/master-data/zones.js";
import {
  UnknownTimeZone,
  UnknownWarehouse,
  WarehouseExists,
  WarehouseHasBins,
  WarehouseHasStock,
  WarehouseHasZones,
  WarehouseNamed,
  WarehouseNotFound,
  ZoneExists,
  ZoneHasBins,
  ZoneNotFound,
} from "../../src/master-data/problems.js";
import { warehouse, warehouses } from "../../src/master-data/warehouses/queries.js";
import { NewWarehouse, Warehouse, WarehouseChanges, warehouseList } from "../../src/master-data/warehouses/shapes.js";
import { zones } from "../../src/master-data/zones/queries.js";
import { ListedZone, NewZone, Zone, ZoneChanges, ZoneFilters } from "../../src/master-data/zones/shapes.js";
import { checkWarehouse, shownWarehouses, visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { sessions } from "../auth/caches.js";
import { page, route } from "../http/route.js";

/** Warehouses and their zones: docs/interface.md, Places. */

const params = z.strictObject({ warehouse_id: field.WarehouseIdParam });

export const listWarehouses = route("get /api/admin/warehouses", {
  for: page("warehouses"),
  summary: "Warehouses",
  query: z.object(warehouseList.parameters),
  answers: { 200: paged("warehouses", Warehouse, "The warehouses, by their codes.") },
  run: ({ query, by }) => warehouses(query, visibleWarehouses(by)),
});

export const getWarehouse = route("get /api/admin/warehouses/:warehouse_id", {
  for: page("warehouses"),
  summary: "A warehouse with its zones",
  params,
  answers: {
    // The fields of the warehouse also stand beside it, where some clients read them.
    200: Warehouse.extend({ warehouse: Warehouse, zones: z.array(Zone).describe("The zones, one entry for each.") }),
  },
  errors: [WarehouseNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    checkWarehouse(by, params.warehouse_id);
    const found = await warehouse(params.warehouse_id);
    if (!found) throw WarehouseNotFound();
    return { ...found.warehouse, ...found };
  },
});

export const createWarehouse = route("post /api/admin/warehouses", {
  for: page("warehouses"),
  summary: "Creates a warehouse",
  body: NewWarehouse,
  answers: { 201: Warehouse },
  errors: [WarehouseExists, UnknownTimeZone],
  run: ({ body, by }) => activities.createWarehouse(body, by),
});

export const updateWarehouse = route("put /api/admin/warehouses/:warehouse_id", {
  for: page("warehouses"),
  summary: "Changes what is sent of a warehouse",
  params,
  body: WarehouseChanges,
  answers: { 200: Warehouse },
  errors: [WarehouseNotFound, WarehouseExists, UnknownTimeZone, WarehouseDenied],
  run: ({ params, body, by }) => activities.updateWarehouse(params.warehouse_id, body, by),
});

export const deleteWarehouse = route("delete /api/admin/warehouses/:warehouse_id", {
  for: page("warehouses"),
  summary: "Deletes a warehouse without stock, bins and zones",
  params,
  answers: { 200: Message },
  errors: [WarehouseNotFound, WarehouseHasStock, WarehouseHasBins, WarehouseHasZones, WarehouseNamed, WarehouseDenied],
  run: ({ params, by }) => sessions.invalidateAfter(activities.deleteWarehouse(params.warehouse_id, by)),
});

export const listZones = route("get /api/admin/zones", {
  for: page("zones"),
  summary: "Zones",
  query: ZoneFilters,
  answers: { 200: paged("zones", ListedZone, "The zones, one entry for each.") },
  run: ({ query, by }) => zones(query, shownWarehouses(by, query.warehouse_id)),
});

export const createZone = route("post /api/admin/zones", {
  for: page("zones"),
  summary: "Creates a zone",
  body: NewZone,
  answers: { 201: Zone },
  errors: [UnknownWarehouse, ZoneExists, WarehouseDenied],
  run: ({ body, by }) => zoneActivities.createZone(body, by),
});

export const updateZone = route("put /api/admin/zones/:zone_id", {
  for: page("zones"),
  summary: "Changes what is sent of a zone",
  params: z.strictObject({ zone_id: field.ZoneIdParam }),
  body: ZoneChanges,
  answers: { 200: Zone },
  errors: [ZoneNotFound, ZoneExists, WarehouseDenied],
  run: ({ params, body, by }) => zoneActivities.updateZone(params.zone_id, body, by),
});

export const deleteZone = route("delete /api/admin/zones/:zone_id", {
  for: page("zones"),
  summary: "Deletes a zone without bins",
  params: z.strictObject({ zone_id: field.ZoneIdParam }),
  answers: { 200: Message },
  errors: [ZoneNotFound, ZoneHasBins, WarehouseDenied],
  run: ({ params, by }) => zoneActivities.deleteZone(params.zone_id, by),
});
