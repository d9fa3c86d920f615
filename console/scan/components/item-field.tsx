import { api } from "../../shared/api.js";
import type { Scanned } from "../../shared/gs1.js";
import { t } from "../../texts/scan.js";
import { useLookUp } from "../look-up.js";
import { Refused } from "./parts.js";
import { ScanField } from "./scan-field.js";

export interface Item {
  item_id: number;
  sku: string;
  item_name: string;
}

interface ItemFieldProps {
  label: string;
  /** What is on the screen. */
  known: (Item & { upc: string | null })[];
  /** Whether other items will do. */
  others?: boolean;
  found: (item: Item, scanned: Scanned) => void;
}

/** Takes the scan of an item: its UPC, SKU or another barcode of it. */
export function ItemField({ label, known, others = false, found }: ItemFieldProps) {
  const look = useLookUp(async ({ code }: Scanned): Promise<Item> => {
    const shown = known.find(({ sku, upc }) => sku === code || upc === code);
    if (shown) return shown;
    const { item } = await api.get("/api/lookup/item/{barcode}", { path: { barcode: code } });
    if (!others && !known.some(({ item_id }) => item_id === item.item_id))
      throw new Error(t("itemNotHere", { sku: item.sku }));
    return item;
  }, found);
  return (
    <>
      <Refused error={look.error} />
      <ScanField label={label} onScan={(scanned) => look.mutate(scanned)} isBusy={look.isPending} />
    </>
  );
}
