import { createContext, type ReactNode, use } from "react";
import { type FoundBin, Refusal, type Scanned } from "../../../client/src/index.js";
import { readScan } from "../../../src/platform/barcodes/scan.js";
import { api } from "../../shared/api.js";
import { t } from "../../texts/scan.js";
import { isSame, plain } from "../look-up.js";
import { useWarehouse } from "./warehouse.js";

/** Who says what a scan names: the service, or the device as long as it knows all that a page needs without the net. */

export type KnownBin = Pick<FoundBin, "bin_id" | "bin_code" | "bin_barcode" | "warehouse_id">;
export interface KnownItem {
  item_id: number;
  sku: string;
  item_name: string;
  /** All its codes, GTINs in all their lengths. */
  codes: string[];
}
/** What a device knows. */
export interface Known {
  items: KnownItem[];
  bins: KnownBin[];
}

const Context = createContext<Known | undefined>(undefined);

interface WithoutServiceProps {
  /** Undefined where the service can be asked. */
  known: Known | undefined;
  children: ReactNode;
}

/** Its fields ask the device. */
export const WithoutService = ({ known, children }: WithoutServiceProps) => <Context value={known}>{children}</Context>;

interface LookUps {
  /** An item and what the label says besides; `chosen` is the one that is meant of several with this code. */
  item: (text: string, chosen?: number) => Promise<{ item: Omit<KnownItem, "codes">; scan: Scanned }>;
  /** A bin; undefined for one that the device does not know. */
  bin: (text: string) => Promise<KnownBin | undefined>;
}

export function useLookUps(): LookUps {
  const known = use(Context);
  const { warehouse } = useWarehouse();
  if (known) return { item: async (...asked) => itemOf(known, ...asked), bin: async (text) => binOf(known, text) };
  return {
    item: (text, chosen) => {
      const query = chosen === undefined ? {} : { item_id: chosen };
      return api.get("/api/lookup/item/{barcode}", { path: { barcode: text }, query });
    },
    bin: async (text) => {
      const input = { path: { barcode: plain(text) }, query: { warehouse_id: warehouse.id } };
      return (await api.get("/api/lookup/bin/{barcode}", input)).bin;
    },
  };
}

/** As the service finds items: by the code as it is, then by its GTIN, then ignoring case. */
function itemsOf({ items }: Known, text: string): KnownItem[] {
  const { forms } = readScan(text);
  const by = (fits: (code: string) => boolean) => items.filter(({ codes }) => codes.some(fits));
  const ways = [
    by((code) => code === text || code === plain(text)),
    by((code) => forms.includes(code)),
    by((code) => isSame(code, plain(text))),
  ];
  const found = ways.find((way) => way.length > 0) ?? [];
  return [...new Map(found.map((item) => [item.item_id, item])).values()];
}

function itemOf(known: Known, text: string, chosen?: number) {
  const found = itemsOf(known, text);
  const item = found.length > 1 ? found.find(({ item_id }) => item_id === chosen) : found[0];
  if (found.length > 1 && !item) throw new Refusal(400, "ambiguous_barcode", text, { candidates: found });
  if (!item) throw new Error(t("itemNotOnDevice"));
  return { item, scan: readScan(text).holds };
}

/** Of shorter numbers, those of bins may by chance look like a GTIN. */
const SHORTEST_GTIN = 12;

function binOf(known: Known, text: string): KnownBin | undefined {
  const code = plain(text);
  const bin = known.bins.find(({ bin_code, bin_barcode }) => isSame(bin_code, code) || isSame(bin_barcode, code));
  const [item] = bin ? [] : itemsOf(known, text);
  if (item) throw new Error(t("itemNoBin", { sku: item.sku }));
  if (!bin && code.length >= SHORTEST_GTIN && readScan(text).forms.length > 0) throw new Error(t("gtinNoBin"));
  return bin;
}
