import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { FoundItem } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { day } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import { useWarehouse } from "./warehouse.js";

interface Option {
  value: string;
  label: string;
}

interface FieldProps {
  /** The field of the form that gets the id. */
  name: string;
  label: string;
  /** What is chosen at first. */
  initial?: Option | undefined;
  /** Nothing may be chosen. */
  isOptional?: boolean;
  /** The first field of a dialog. */
  isFirst?: boolean;
}

interface ChooseProps extends FieldProps {
  /** Undefined until what is typed was looked for: Enter must not take what was found for less of it. */
  options: Option[] | undefined;
  search: (text: string) => void;
  onChoose?: (value: string | undefined) => void;
}

/** A choice among what the service finds for the text that is typed. */
function Choose({ name, label, initial, isOptional = false, isFirst = false, ...of }: ChooseProps) {
  const { options, search, onChoose } = of;
  const [chosen, setChosen] = useState<Option | null>(initial ?? null);
  const others = (options ?? []).filter(({ value }) => value !== chosen?.value);
  return (
    <Select
      {...{ name, label }}
      searchable
      required={!isOptional}
      clearable={isOptional}
      clearButtonProps={{ "aria-label": t("clear") }}
      data={chosen ? [chosen, ...others] : others}
      filter={({ options }) => options}
      value={chosen?.value ?? null}
      onChange={(_, option) => {
        setChosen(option);
        onChoose?.(option?.value);
      }}
      // What was chosen stands in the field as well, and is nothing to look for.
      onSearchChange={(text) => search(text === chosen?.label ? "" : text)}
      nothingFoundMessage={options && t("nothingFound")}
      placeholder={t("typeToSearch")}
      comboboxProps={{ withinPortal: true }}
      openOnFocus={false}
      selectFirstOptionOnChange
      data-autofocus={isFirst || undefined}
    />
  );
}

function useSearch() {
  const [text, search] = useState("");
  const [q] = useDebouncedValue(text, 200);
  return { q, search, isTyping: text !== q };
}

interface ItemFieldProps extends FieldProps {
  onChoose?: (item: FoundItem | undefined) => void;
}

/** An item by SKU, name or barcode. */
export function ItemField({ onChoose, ...props }: ItemFieldProps) {
  const { q, search, isTyping } = useSearch();
  const { data = [], isPlaceholderData } = useRead("/api/lookup/item/search", { query: { q } });
  const found = data.map(({ item_id, sku, item_name }) => ({ value: String(item_id), label: `${sku} · ${item_name}` }));
  const chosen = (value: string | undefined) => onChoose?.(data.find(({ item_id }) => String(item_id) === value));
  const options = isTyping || isPlaceholderData ? undefined : found;
  return <Choose {...props} {...{ options, search }} onChoose={chosen} />;
}

/** A bin by its code or barcode, of a warehouse or of all. */
export function BinField({ warehouse_id, ...props }: FieldProps & { warehouse_id?: number | undefined }) {
  const { q, search, isTyping } = useSearch();
  const of = warehouse_id && { warehouse_id };
  const { data, isPlaceholderData } = useRead("/api/admin/bins", { query: { q, ...of, per_page: 50 } });
  const { warehouses } = useWarehouse();
  const isOfMany = !warehouse_id && warehouses.length > 1;
  const found = (data?.bins ?? []).map(({ bin_id, bin_code, zone_name, warehouse_code }) => ({
    value: String(bin_id),
    label: [bin_code, zone_name, ...(isOfMany ? [warehouse_code] : [])].join(" · "),
  }));
  return <Choose {...props} options={isTyping || isPlaceholderData ? undefined : found} search={search} />;
}

/** Another lot of the same item, by its number. */
export function LotField({ item_id, except, ...props }: FieldProps & { item_id: number; except: number }) {
  const { q, search, isTyping } = useSearch();
  const { data, isPlaceholderData } = useRead("/api/admin/lots", { query: { q, item_id, per_page: 50 } });
  const found = (data?.lots ?? [])
    .filter(({ lot_id }) => lot_id !== except)
    .map(({ lot_id, lot_number, expiry_date }) => ({
      value: String(lot_id),
      label: [lot_number, expiry_date && day(expiry_date)].filter(Boolean).join(" · "),
    }));
  return <Choose {...props} options={isTyping || isPlaceholderData ? undefined : found} search={search} />;
}
