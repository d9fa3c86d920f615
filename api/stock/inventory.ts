import { shownWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { inventory } from "../../src/stock/queries.js";
import { inventoryList, StockFilters, StockLevel } from "../../src/stock/shapes.js";
import { page, route } from "../http/route.js";

/** The inventory view: docs/interface.md, Items and stock. */

export const listInventory = route("get /api/admin/inventory", {
  for: page("inventory"),
  summary: "Stock by item, bin and lot, with how much of it is allocated",
  query: StockFilters,
  answers: { 200: paged("inventory", StockLevel, "Stock, a row for each item, bin and lot.", inventoryList.totals) },
  run: ({ query, by }) => inventory(query, shownWarehouses(by, query.warehouse_id)),
});
