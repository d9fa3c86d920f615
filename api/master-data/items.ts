import { z } from "zod";
import * as activities from "../../activities/master-data/items.js";
import { item, items } from "../../src/master-data/items/queries.js";
import {
  Item,
  ItemChanges,
  ItemFilters,
  ItemSummary,
  ItemWithBins,
  NewItem,
  UpdatedItem,
} from "../../src/master-data/items/shapes.js";
import {
  ItemAwaitsReview,
  ItemHasStock,
  ItemNamed,
  ItemNotFound,
  ItemPurchased,
  ItemSold,
  SkuExists,
  UnknownBin,
  UpcExists,
} from "../../src/master-data/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";

/** Items: docs/interface.md, Items and stock. */

export const listItems = route("get /api/admin/items", {
  for: page("items"),
  summary: "Items",
  query: ItemFilters,
  answers: { 200: paged("items", ItemSummary, "The items, one entry for each.") },
  run: ({ query, by }) => items(query, visibleWarehouses(by), by.shownWarehouseIds !== undefined),
});

const params = z.strictObject({ item_id: field.ItemIdParam });

export const getItem = route("get /api/admin/items/:item_id", {
  for: page("items"),
  summary: "An item with its stock and its preferred bins",
  params,
  answers: { 200: ItemWithBins },
  errors: [ItemNotFound],
  run: async ({ params, by }) => {
    const found = await item(params.item_id, visibleWarehouses(by));
    if (!found) throw ItemNotFound();
    return found;
  },
});

export const createItem = route("post /api/admin/items", {
  for: page("items"),
  summary: "Creates an item",
  body: NewItem,
  answers: { 201: Item },
  errors: [SkuExists, UpcExists, UnknownBin, WarehouseDenied],
  run: ({ body, by }) => activities.createItem(body, by),
});

export const updateItem = route("put /api/admin/items/:item_id", {
  for: page("items"),
  summary: "Changes what is sent of an item",
  params,
  body: ItemChanges,
  answers: { 200: UpdatedItem },
  errors: [ItemNotFound, SkuExists, UpcExists, UnknownBin, WarehouseDenied],
  run: ({ params, body, by }) => activities.updateItem(params.item_id, body, by),
});

export const toggleItemArchived = route("post /api/admin/items/:item_id/archive", {
  for: page("items"),
  summary: "Archives an item, or makes an archived one active again",
  params,
  answers: { 200: Message.extend({ is_active: field.IsActive }) },
  errors: [ItemNotFound],
  run: ({ params, by }) => activities.archiveItem(params.item_id, by),
});

export const deleteItem = route("delete /api/admin/items/:item_id", {
  for: page("items"),
  summary: "Deletes an item without stock and orders",
  params,
  answers: { 200: Message },
  errors: [ItemNotFound, ItemHasStock, ItemSold, ItemPurchased, ItemAwaitsReview, ItemNamed],
  run: ({ params, by }) => activities.deleteItem(params.item_id, by),
});
