import { z } from "zod";
import { createBin, deleteBin, updateBin } from "../activities/bins.js";
import { checkWarehouse, scopeOf } from "../src/actor.js";
import { UnknownWarehouse } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { BinNotFound } from "../src/receiving/problems.js";
import {
  BinExists,
  BinHasStock,
  BinIsPreferred,
  BinNamed,
  BinReceives,
  UnknownZone,
} from "../src/warehouses/problems.js";
import { bin, bins } from "../src/warehouses/queries.js";
import {
  Edit,
  Id,
  Message,
  Name,
  Paging,
  paged,
  QueryInt,
  Text,
  Units,
  WholeNumber,
} from "./fields.js";
import { page, route } from "./route.js";

/** Bins: spec 4.6, reference 03 §1. */

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

/** Sent as a number, kept and told as text: the reference's clients do it so. */
const Label = WholeNumber.transform(String)
  .nullish()
  .meta({ examples: [1] });

const fields = {
  zone_id: Id,
  bin_code: Name(64, "A-01-01"),
  bin_barcode: Name(128, "A-01-01"),
  bin_type: BinType,
  aisle: Text(32, "A").nullish(),
  row_num: Label,
  level_num: Label,
  position_num: Label,
};

const params = z.strictObject({ bin_id: QueryInt });

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
  params,
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
    ...fields,
    warehouse_id: Id,
    pick_sequence: WholeNumber.default(0),
    putaway_sequence: WholeNumber.default(0),
  }),
  answers: { 201: Bin },
  errors: [UnknownWarehouse, UnknownZone, BinExists, WarehouseDenied],
  run: ({ body, by }) => createBin(body, by),
});

export const editBin = route("put /api/admin/bins/:bin_id", {
  for: page("bins"),
  summary: "Changes what is sent of a bin",
  params,
  body: Edit({
    ...fields,
    pick_sequence: WholeNumber,
    putaway_sequence: WholeNumber,
    is_active: z.boolean(),
  }),
  answers: { 200: BinOfZone },
  errors: [BinNotFound, UnknownZone, BinExists, WarehouseDenied],
  run: ({ params, body, by }) => updateBin(params.bin_id, body, by),
});

export const removeBin = route("delete /api/admin/bins/:bin_id", {
  for: page("bins"),
  summary: "Deletes a bin that is empty and was never used",
  params,
  answers: { 200: Message },
  errors: [
    BinNotFound,
    BinHasStock,
    BinIsPreferred,
    BinReceives,
    BinNamed,
    WarehouseDenied,
  ],
  run: ({ params, by }) => deleteBin(params.bin_id, by),
});
