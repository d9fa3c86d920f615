import { defineConnector, type Source, SourceMisconfigured } from "../connector.js";
import { CsvConfig } from "../csv/config.js";
import { inventory } from "../csv/inventory.js";
import { items } from "../csv/items.js";
import { orders, pageOfOrders } from "../csv/orders.js";
import { pageOfRows } from "../csv/pages.js";
import { type FileKind, openRows } from "../csv/rows.js";

/** CSV files on a web server, for any system that can write them. docs/connectors-csv.md has their columns. */
export default defineConnector({
  name: "csv-drop",
  // Versions are a time and a digest (`contentVersion`).
  versions: "lexicographic",
  config: CsvConfig,
  needs: { items: [items.url], orders: [orders.url], inventory: [inventory.url] },

  syncItems: (source, from) => pageOfRows(source, items, from),
  syncOrders: pageOfOrders,
  syncInventory: (source, from) => pageOfRows(source, inventory, from),

  testConnection: async (source) => {
    const sheets = [items, orders, inventory].filter(({ url }) => source.config[url] !== undefined);
    if (sheets.length === 0) throw new SourceMisconfigured("Set items_url, orders_url or inventory_url");
    const found = [];
    for (const kind of sheets) found.push(await headerOf(source, kind));
    return `Connected: ${found.join(", ")}`;
  },
});

async function headerOf(source: Source<CsvConfig>, kind: FileKind): Promise<string> {
  const { header } = (await openRows(source, kind)).begin;
  return `${kind.url} has ${header.columns.length} columns`;
}
