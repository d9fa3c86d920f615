import { createContext, type ReactNode, use } from "react";
import { type CallOptions, type FoundBin, Refusal, type Scanned } from "../../../client/src/index.js";
import { readScan } from "../../../src/platform/barcodes/scan.js";
import { api } from "../../shared/api.js";
import { t } from "../../texts/scan.js";
import { inNetOr } from "../kept/net.js";
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
/** A device that a page goes on with where there is no net. */
export interface Device {
  isAway: boolean;
  goAway: () => void;
  known: Known;
}

const Context = createContext<Device | undefined>(undefined);

interface WithoutServiceProps {
  /** Undefined where the device has too little to go on with. */
  device: Device | undefined;
  children: ReactNode;
}

/** Without the net its fields ask the device, also when the net goes while the service is asked. */
export const WithoutService = ({ device, children }: WithoutServiceProps) => (
  <Context value={device}>{children}</Context>
);

interface LookUps {
  /** An item and what the label says besides; `chosen` is the one that is meant of several with this code. */
  item: (text: string, chosen?: number) => Promise<{ item: Omit<KnownItem, "codes">; scan: Scanned }>;
  /** A bin; undefined for one that the device does not know. */
  bin: (text: string) => Promise<KnownBin | undefined>;
}

export function useLookUps(): LookUps {
  const device = use(Context);
  const { warehouse } = useWarehouse();
  const ask = <A,>(read: (options: CallOptions) => Promise<A>, kept: (known: Known) => A) =>
    device ? inNetOr(device, read, () => kept(device.known)) : read({});
  return {
    item: (text, chosen) => {
      const query = chosen === undefined ? {} : { item_id: chosen };
      return ask<Awaited<ReturnType<LookUps["item"]>>>(
        (options) => api.get("/api/lookup/item/{barcode}", { path: { barcode: text }, query, ...options }),
        (known) => itemOf(known, text, chosen),
      );
    },
    bin: (text) => {
      const input = { path: { barcode: plain(text) }, query: { warehouse_id: warehouse.id } };
      return ask<KnownBin | undefined>(
        async (options) => (await api.get("/api/lookup/bin/{barcode}", { ...input, ...options })).bin,
        (known) => binOf(known, text),
      );
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
