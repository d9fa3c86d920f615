import { Textarea } from "@mantine/core";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/desk.js";

interface SomeItem {
  item_id?: number;
  sku: string;
}

/** What an item asks of its units; nothing until it is known. */
export const useItem = ({ item_id, sku }: SomeItem) =>
  useRead("/api/lookup/item/{barcode}", { path: { barcode: sku }, query: { ...(item_id && { item_id }) } }).data?.item;

/** Asks which units it is about, where the item has serial numbers; `serialsIn` reads what was typed or scanned. */
export function SerialsField({ of }: { of: SomeItem }) {
  const item = useItem(of);
  if (!item || item.serial_policy === "none") return null;
  return <Textarea name="serial_numbers" label={t("serials")} description={t("serialsHint")} autosize minRows={2} />;
}

export function serialsIn({ serial_numbers = "" }: Record<string, string>): string[] | null {
  const serials = serial_numbers.split("\n").map((line) => line.trim());
  return serials.some(Boolean) ? serials.filter(Boolean) : null;
}
