import { z } from "zod";
import {
  createBin,
  createWarehouse,
  createZone,
} from "../activities/warehouses.js";
import { checkWarehouse, scopeOf } from "../src/actor.js";
import { UnknownWarehouse } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { BinNotFound } from "../src/receiving/problems.js";
import {
  BinExists,
  UnknownZone,
  WarehouseExists,
  WarehouseNotFound,
  ZoneExists,
} from "../src/warehouses/problems.js";
import {
  bin,
  bins,
  warehouse,
  warehouses,
  zones,
} from "../src/warehouses/queries.js";
import {
  Id,
  Name,
  Paging,
  paged,
  QueryInt,
  Text,
  Time,
  Units,
  WholeNumber,
} from "./fields.js";
import { page, route } from "./route.js";

/** Warehouses, zones and bins: spec 4.6, reference 03 §1. */

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
  zone_type: z.string(),
  is_active: z.boolean(),
});

const BinType = z.enum(["Pickable", "PickableStaging", "Staging"]);

const Bin = z.strictObject({
  bin_id: Id,
  zone_id: Id,
  warehouse_id: Id,
  bin_code: z.string(),
  bin_barcode: z.string(),
  bin_type: BinType,
  aisle: z.string().nullable(),
  row_num: z.string().nullable(),
  level_num: z.string().nullable(),
  position_num: z.string().nullable(),
  pick_sequence: z.int(),
  putaway_sequence: z.int(),
  is_active: z.boolean(),
});
const BinOfZone = Bin.extend({ zone_name: z.string() });

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
  params: z.strictObject({ warehouse_id: QueryInt }),
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
  body: z.strictObject({
    warehouse_code: Name(32, "MAIN"),
    warehouse_name: Name(256, "Main warehouse"),
    address: Text(512, "1 Dock Road").nullish(),
  }),
  answers: { 201: Warehouse },
  errors: [WarehouseExists],
  run: ({ body, by }) => createWarehouse(body, by),
});

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
  body: z.strictObject({
    warehouse_id: Id,
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
  }),
  answers: { 201: Zone },
  errors: [UnknownWarehouse, ZoneExists, WarehouseDenied],
  run: ({ body, by }) => createZone(body, by),
});

export const listBins = route("get /api/admin/bins", {
  for: page("bins"),
  summary: "Bins",
  query: z.object({
    ...Paging,
    warehouse_id: QueryInt.optional(),
    zone_id: QueryInt.optional(),
    bin_type: BinType.optional(),
    q: Text(128, "A-01").optional(),
  }),
  answers: { 200: paged("bins", BinOfZone) },
  run: ({ query, by }) => bins(query, scopeOf(by)),
});

export const readBin = route("get /api/admin/bins/:bin_id", {
  for: page("bins"),
  summary: "A bin and what lies in it",
  params: z.strictObject({ bin_id: QueryInt }),
  answers: {
    200: z.strictObject({
      bin: BinOfZone,
      inventory: z.array(
        z.strictObject({
          item_id: Id,
          sku: z.string(),
          item_name: z.string(),
          quantity_on_hand: Units,
          quantity_allocated: Units,
        }),
      ),
    }),
  },
  errors: [BinNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const found = await bin(params.bin_id);
    if (!found) throw BinNotFound(params);
    checkWarehouse(by, found.bin.warehouse_id);
    return found;
  },
});

export const addBin = route("post /api/admin/bins", {
  for: page("bins"),
  summary:
    "Creates a bin; the first Staging bin becomes the default receiving bin",
  body: z.strictObject({
    zone_id: Id,
    warehouse_id: Id,
    bin_code: Name(64, "A-01-01"),
    bin_barcode: Name(128, "A-01-01"),
    bin_type: BinType,
    aisle: Text(32, "A").nullish(),
    row_num: WholeNumber.nullish(),
    level_num: WholeNumber.nullish(),
    position_num: WholeNumber.nullish(),
    pick_sequence: WholeNumber.default(0),
    putaway_sequence: WholeNumber.default(0),
  }),
  answers: { 201: Bin },
  errors: [UnknownWarehouse, UnknownZone, BinExists, WarehouseDenied],
  run: ({ body, by }) => createBin(body, by),
});
