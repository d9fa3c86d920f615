import { receive } from "../../activities/receiving/receive.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { bin, item, purchaseOrder, warehouse } from "./fixtures.js";
import type { Operation } from "./mixed-operations.js";
import { actor } from "./walk.js";

/** A warehouse in which units of two lots of an item come, lie in three bins and are moved: for `mix`. */
export interface LotSite {
  warehouse_id: number;
  bins: number[];
  item_id: number;
  sku: string;
  po_id: number;
  picker: Caller;
}

/** A warehouse with three bins, an item that is expected, and a user who picks. */
export async function openLotSite(picker: Caller): Promise<LotSite> {
  const warehouse_id = await warehouse();
  const bins = [await bin(warehouse_id), await bin(warehouse_id), await bin(warehouse_id, { type: "Staging" })];
  const { item_id, sku } = await item();
  const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 1_000 }]);
  return { warehouse_id, bins, item_id, sku, po_id, picker };
}

const LOTS = ["A", "B"];

/** The bin, and the number of the lot, that a number of an operation chooses. */
export const place = ({ bins }: Pick<LotSite, "bins">, n: number) => bins[n % bins.length] as number;
export const lotNumber = (n: number) => LOTS[n % LOTS.length] as string;
export const lotId = ({ item_id }: LotSite, n: number) =>
  db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, lotNumber(n)]);

/** Units come in with a receipt. */
export const receiveLot = ({ po_id, item_id, ...site }: LotSite, units: LotUnits, by: Caller) => {
  const { a, b, quantity, expiry_date } = units;
  const entry = { item_id, quantity, bin_id: place(site, b), lot_number: lotNumber(a), expiry_date };
  return receive({ po_id, items: [entry] } as never, actor(by));
};
interface LotUnits {
  a: number;
  b: number;
  quantity: number;
  expiry_date?: string | null;
}

/** Units of a lot go to the next bin. */
export const moveLot: Operation<LotSite> = (site, a, b, quantity, by) =>
  moveBetweenBins(
    {
      ...{ item_id: site.item_id, quantity, lot_number: lotNumber(a) },
      ...{ from_bin_id: place(site, b), to_bin_id: place(site, b + 1) },
    } as never,
    actor(by),
  );
