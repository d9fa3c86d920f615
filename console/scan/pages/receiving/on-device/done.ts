import { type CallOptions, Refusal } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";
import { plain } from "../../../look-up.js";

/** What is done with a delivery, and how it is sent: at once, or later where it was kept without the net. */

/** What is said of units besides what their label says. */
export interface Said {
  lot_number?: string;
  expiry_date?: string;
  production_date?: string;
}

/** What was read on a label, by the service or the device. */
export interface OnLabel {
  lot?: string | null;
  expiry?: string | null;
  produced?: string | null;
}

/** Units of an item that somebody has before them, as far as they were scanned. */
export interface ScannedUnits extends OnLabel {
  item_id?: number;
  quantity?: number;
  /** The label of the item as it was scanned. */
  scanned?: string;
  /** Units that the label stands for; scanned again, it is as many more. */
  perScan?: number;
  said?: Said;
  /** Of the units that were scanned so far, where they have some. */
  serials?: string[];
}

/** One that was scanned without the net and that the device does not know has no id: the service says which it is. */
export interface Bin {
  bin_id: number | null;
  bin_code: string;
}

export interface Receipt {
  body: {
    po_id: number;
    items: ({
      item_id: number;
      quantity: number;
      bin_id: number | null;
      scanned_barcode?: string;
      serial_numbers?: string[];
    } & Said)[];
  };
  po: string;
  said: { quantity: number; sku: string; bin: string };
  warehouse_id: number;
  /** The lot in which the units lie then, from the label or as it was said. */
  lot: string | null;
  label: OnLabel;
}

export interface PutAway {
  item_id: number;
  from_bin_id: number;
  to_bin_id: number | null;
  quantity: number;
  lot_number: string | null;
  scanned_barcode?: string;
  said: { sku: string; from: string; to: string; warehouse_id: number };
}

async function binNamed(code: string, warehouse_id: number, options: CallOptions): Promise<number> {
  const input = { path: { barcode: plain(code) }, query: { warehouse_id }, ...options };
  const { bin } = await api.get("/api/lookup/bin/{barcode}", input);
  if (bin.warehouse_id !== warehouse_id) throw new Refusal(400, "bin_elsewhere", bin.bin_code, {});
  return bin.bin_id;
}

export async function receive({ body: { po_id, items }, said, warehouse_id }: Receipt, options: CallOptions) {
  const placed = [];
  for (const item of items)
    placed.push({ ...item, bin_id: item.bin_id ?? (await binNamed(said.bin, warehouse_id, options)) });
  return api.post("/api/receiving/receive", { body: { po_id, items: placed }, ...options });
}

export async function putAway({ said, ...units }: PutAway, options: CallOptions) {
  const to_bin_id = units.to_bin_id ?? (await binNamed(said.to, said.warehouse_id, options));
  return api.post("/api/putaway/confirm", { body: { ...units, to_bin_id }, ...options });
}
