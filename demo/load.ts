import { createUser } from "../activities/auth/users.js";
import { command } from "../activities/command.js";
import { noteDemoAtStart } from "../activities/maintenance/demo/load.js";
import { createBin } from "../activities/master-data/bins.js";
import { createItem } from "../activities/master-data/items.js";
import { createWarehouse } from "../activities/master-data/warehouses.js";
import { createZone } from "../activities/master-data/zones.js";
import { createPurchaseOrder } from "../activities/purchasing/purchase-orders.js";
import { receive } from "../activities/receiving/receive.js";
import { createSalesOrder } from "../activities/sales-orders/create.js";
import { adjustDirectly } from "../activities/stock/adjustments.js";
import { floorFunctions } from "../src/auth/rights.js";
import { NewItem } from "../src/master-data/items/shapes.js";
import type { Warehouse } from "../src/master-data/warehouses/shapes.js";
import type { Actor } from "../src/platform/actor.js";
import { internalEan } from "../src/platform/barcodes/gtin.js";
import * as orders from "./orders.js";
import * as stock from "./stock.js";

/** The password of the demo users, which is in the documentation. */
export const DEMO_PASSWORD = "Warehouse-1";

/** What the records of a demo are called. */
interface Names {
  /** The beginning of the ids of its commands. */
  command: string;
  main: string;
  virtual: string;
  /** Before SKUs and numbers of orders. */
  prefix: string;
}

/** What `npm start` loads into its own database, with users to sign in as. */
const AT_START: Names = { command: "demo:", main: "MAIN", virtual: "VIRTUAL", prefix: "" };

/**
 * Makes demo warehouses with items, stock and orders, through the same activities as any other data. Each has its own
 * command id: after a crash, the next call continues where the previous one stopped.
 */
export async function loadDemo(by: Actor, names: Names = AT_START) {
  const as = (name: string): Actor => ({ ...by, commandId: names.command + name });
  const main = await createWarehouse(
    { warehouse_code: names.main, warehouse_name: "Main warehouse", address: "1 Dock Road" },
    as("MAIN"),
  );
  const bins = await layOut(main, stock.zones, stock.bins, as);
  const virtual = await createWarehouse(
    { warehouse_code: names.virtual, warehouse_name: "Drop shipping (virtual)" },
    as("VIRTUAL"),
  );
  await layOut(virtual, [["VENDOR", "At the vendors", "STORAGE"]], [["VENDOR-01", "VENDOR", "Pickable"]], as);
  if (names === AT_START) await addUsers(main, as);
  const items = await stockUp(main, bins, names, as);
  await order(main, bins, idsOf(items), names, as);
  const loaded = { warehouse_ids: [main.warehouse_id, virtual.warehouse_id], item_ids: [...items.values()] };
  // Marks the demo data as complete; until then the next start continues loading.
  if (names === AT_START) await noteDemoAtStart(loaded, as("loaded"));
  else await command("demo.loaded", as("loaded"), {}, async () => null);
  return loaded;
}

/** The actor of the command with this name. */
export type As = (name: string) => Actor;
/** The id of a code. */
export type IdOf = (code: string) => number;

function idsOf(ids: Map<string, number>): IdOf {
  return (code) => {
    const id = ids.get(code);
    if (!id) throw new Error(`The demo data names ${code}, but does not make it`);
    return id;
  };
}

/** Makes zones, and bins in the order of picking; returns the ids of the bins. */
export async function layOut(
  { warehouse_id }: Pick<Warehouse, "warehouse_id">,
  zones: typeof stock.zones,
  bins: typeof stock.bins,
  as: As,
): Promise<IdOf> {
  const zoneIds = new Map<string, number>();
  for (const [zone_code, zone_name, zone_type] of zones) {
    const zone = await createZone({ warehouse_id, zone_code, zone_name, zone_type }, as(`zone ${zone_code}`));
    zoneIds.set(zone_code, zone.zone_id);
  }
  const binIds = new Map<string, number>();
  for (const [i, [bin_code, zone, bin_type]] of bins.entries()) {
    const sequence = (i + 1) * 100;
    const bin = await createBin(
      {
        zone_id: idsOf(zoneIds)(zone),
        warehouse_id,
        bin_code,
        bin_barcode: bin_code,
        bin_type,
        aisle: bin_code.split("-")[0],
        row_num: String(Number(bin_code.split("-")[1])),
        pick_sequence: sequence,
        putaway_sequence: sequence,
        is_reserve: false,
      },
      as(`bin ${bin_code}`),
    );
    binIds.set(bin_code, bin.bin_id);
  }
  return idsOf(binIds);
}

/** A user with all floor functions, and one who only packs and ships. */
async function addUsers({ warehouse_id }: Warehouse, as: As): Promise<void> {
  const common = { password: DEMO_PASSWORD, role: "USER" as const, warehouse_ids: [warehouse_id], page_keys: [] };
  const everything = [...floorFunctions];
  await createUser(
    { ...common, username: "picker", full_name: "Pat Picker", allowed_functions: everything },
    as("user picker"),
  );
  await createUser(
    { ...common, username: "packer", full_name: "Kim Packer", allowed_functions: ["pack", "ship"] },
    as("user packer"),
  );
}

/** Creates the items and their stock; returns the ids by SKU, without what the names begin with. */
async function stockUp(
  { warehouse_id }: Warehouse,
  bins: IdOf,
  { prefix }: Names,
  as: As,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const put = (sku: string, bin: string, quantity: number) =>
    adjustDirectly(
      {
        item_id: idsOf(ids)(sku),
        bin_id: bins(bin),
        warehouse_id,
        adjustment_type: "ADD",
        quantity,
        reason: "Opening stock",
      },
      as(`stock ${sku} in ${bin}`),
    );
  for (const [category, items] of Object.entries(stock.items)) {
    for (const { sku, name, weight, bin, units, alias, noUpc } of items) {
      const item = await createItem(
        NewItem.parse({
          sku: prefix + sku,
          item_name: name,
          category,
          weight_lbs: weight,
          upc: noUpc ? null : internalEan("04", ids.size + 1),
          barcode_aliases: alias ? [prefix + alias] : [],
          default_bin_id: bins(bin),
        }),
        as(`item ${sku}`),
      );
      ids.set(sku, item.item_id);
      if (units > 0) await put(sku, bin, units);
    }
  }
  for (const [sku, bin, units] of stock.furtherStock) await put(sku, bin, units);
  return ids;
}

/** A received purchase order, open ones, and sales orders. */
async function order(
  { warehouse_id, created_at }: Warehouse,
  bins: IdOf,
  items: IdOf,
  { prefix }: Names,
  as: As,
): Promise<void> {
  // Counted from the day the warehouse was created, so that a repeated call sends the same commands.
  const inDays = (days: number) => new Date(Date.parse(created_at) + days * 86_400_000).toISOString().slice(0, 10);
  const lines = (wanted: [sku: string, units: number][]) =>
    wanted.map(([sku, quantity_ordered]) => ({ item_id: items(sku), quantity_ordered }));

  const { purchase_order } = await createPurchaseOrder(
    {
      po_number: `${prefix}PO-1000`,
      warehouse_id,
      vendor_name: "Fern & Oak",
      lines: lines(orders.receipts.map(({ sku, units }) => [sku, units])),
    },
    as("PO-1000"),
  );
  const received = orders.receipts.map(({ sku, units, bin, lot, expiresIn }) => ({
    item_id: items(sku),
    quantity: units,
    bin_id: bins(bin),
    lot_number: lot,
    expiry_date: expiresIn === undefined ? null : inDays(expiresIn),
  }));
  await receive({ po_id: purchase_order.po_id, items: received }, as("receive PO-1000"));

  for (const { number, vendor, dueIn, lines: wanted } of orders.purchaseOrders) {
    await createPurchaseOrder(
      {
        po_number: prefix + number,
        warehouse_id,
        vendor_name: vendor,
        expected_date: inDays(dueIn),
        lines: lines(wanted).map((line, i) => ({ ...line, unit_cost: `${i + 1}.25` })),
      },
      as(number),
    );
  }
  for (const [i, { customer, lines: wanted, ship_method = "UPS Ground", memo }] of orders.salesOrders.entries()) {
    const so_number = `SO-${1001 + i}`;
    await createSalesOrder(
      {
        so_number: prefix + so_number,
        warehouse_id,
        customer_name: customer,
        customer_address: `${i + 1} Main Street`,
        ship_address: `${i + 1} Main Street`,
        ship_method,
        ship_by_date: inDays(1 + (i % 4)),
        order_origin: i % 3 ? "web" : "phone",
        memo,
        lines: lines(wanted),
      },
      as(so_number),
    );
  }
}
