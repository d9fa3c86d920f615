import { randomUUID } from "node:crypto";
import type { Importer } from "../../activities/imports/importer.js";
import { importInventoryAdjustments } from "../../activities/imports/inventory-adjustments.js";
import { importItems } from "../../activities/imports/items.js";
import { importSalesOrders } from "../../activities/imports/sales-orders.js";
import { items } from "../../src/master-data/items/queries.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { dashboard } from "../../src/reports/dashboard/summary.js";
import { search } from "../../src/reports/search/queries.js";
import { kinds } from "../../src/reports/search/shapes.js";
import { salesOrders } from "../../src/sales-orders/queries.js";
import { anew, type Case, call, scattered, times } from "../case.js";
import { nameOf, type Size, shelfOf, skuOf, WAREHOUSE } from "../data.js";

const PAGES = 20;
const paging = (i: number) => ({ page: (i % PAGES) + 1, per_page: 50 });

/** One of the first pages of 50. */
export const itemList: Case = {
  name: "items list",
  works: 3_000,
  prepare: async ({ office }, count) =>
    times(count, (i) => {
      const { page, per_page } = paging(i);
      const line = `GET /api/admin/items?page=${page}&per_page=${per_page}` as const;
      return call(office, line, undefined, async () => (await items({ page, per_page }, null)).answer());
    }),
};

/** The same list, narrowed to a few items by what their names have in common. */
export const itemListSearch: Case = {
  name: "items list search",
  works: 1_500,
  prepare: async ({ office, size }, count) =>
    times(count, (i) => {
      const q = nameOf(scattered(i, size.items));
      const line = `GET /api/admin/items?q=${encodeURIComponent(q)}` as const;
      return call(office, line, undefined, async () => (await items({ q, page: 1, per_page: 50 }, null)).answer());
    }),
};

/** Sales orders as a user of one warehouse sees them. */
export const salesOrderList: Case = {
  name: "sales-orders list",
  works: 3_000,
  prepare: async ({ somebody }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const { page, per_page } = paging(i);
      const line = `GET /api/admin/sales-orders?page=${page}&per_page=${per_page}` as const;
      return call(who, line, undefined, async () =>
        (await salesOrders({ ...noFilters, page, per_page }, visibleWarehouses(who.by))).answer(),
      );
    });
  },
};
const noFilters = {
  exclude_post_fulfillment: false,
  hide_printed: false,
  held: false,
  include_primary_bin: false,
  include_line_count: false,
  local_pickup: false,
};

/** One item's number, looked for in everything. */
export const searching: Case = {
  name: "search",
  works: 1_500,
  prepare: async ({ office, size }, count) =>
    times(count, (i) => {
      const q = skuOf(scattered(i, size.items));
      return call(office, `GET /api/admin/search?q=${q}`, undefined, () => search(q, [...kinds], null));
    }),
};

export const dashboards: Case = {
  name: "dashboard",
  works: 1_500,
  prepare: async ({ office }, count) =>
    times(count, () => call(office, "GET /api/admin/dashboard", undefined, () => dashboard(null))),
};

const RECORDS = 5_000;

/** An import of 5,000 records at a time, all of them sound; its figures per second are records. */
const importing = (
  name: string,
  entityType: string,
  importer: Importer,
  recordsOf: (size: Size, work: number) => Record<string, unknown>[],
): Case => ({
  name,
  works: 1,
  connections: 1,
  counts: RECORDS,
  prepare: async ({ office, size }, count) =>
    times(count, (work) => {
      const records = recordsOf(size, work);
      const line = `POST /api/admin/import/${entityType}` as const;
      const { served, directly } = call(office, line, { records }, () =>
        importer.run(
          records.map((record, i) => ({ row: i + 1, record })),
          { warehouseId: WAREHOUSE },
          anew(office.by),
        ),
      );
      return {
        directly,
        served: async (to) => {
          const { imported, errors } = JSON.parse(`${await served(to)}`);
          if (imported !== RECORDS) throw new Error(JSON.stringify(errors[0]));
        },
      };
    }),
});

export const itemImport = importing("import items", "items", importItems, ({ items }) => {
  const batch = randomUUID().slice(0, 8);
  return times(RECORDS, (i) => ({
    sku: `NEW-${batch}-${i}`,
    item_name: `New article ${i}`,
    upc: `9${batch}${i}`,
    category: "New",
    weight_lbs: "1.5",
    default_bin: `A-${shelfOf(scattered(i, items))}`,
  }));
});

export const adjustmentImport = importing(
  "import adjustments",
  "inventory-adjustments",
  importInventoryAdjustments,
  (size, work) =>
    times(RECORDS, (i) => {
      const item = scattered(work * RECORDS + i, size.items);
      return { sku: skuOf(item), warehouse: "BENCH", bin: `A-${shelfOf(item)}`, qty: 1, memo: "found" };
    }),
);

/** Orders of two lines. */
export const salesOrderImport = importing("import sales-orders", "sales-orders", importSalesOrders, (size, work) => {
  const batch = randomUUID().slice(0, 8);
  return times(RECORDS, (i) => ({
    so_number: `NEW-${batch}-${i >> 1}`,
    sku: skuOf(scattered(work * RECORDS + i, size.items)),
    quantity: 2,
    warehouse_id: WAREHOUSE,
    customer: "New customer",
  }));
});
