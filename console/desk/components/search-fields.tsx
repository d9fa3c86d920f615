import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/desk.js";

interface Option {
  value: string;
  label: string;
}

interface FieldProps {
  /** The field of the form that gets the id. */
  name: string;
  label: string;
}

interface ChooseProps extends FieldProps {
  options: Option[];
  search: (text: string) => void;
}

/** A choice among what the service finds for the text that is typed. */
function Choose({ name, label, options, search }: ChooseProps) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const all = chosen && !options.some(({ value }) => value === chosen.value) ? [chosen, ...options] : options;
  return (
    <Select
      {...{ name, label }}
      searchable
      required
      data={all}
      filter={({ options }) => options}
      value={chosen?.value ?? null}
      onChange={(_, option) => setChosen(option)}
      onSearchChange={search}
      nothingFoundMessage={t("nothingFound")}
      placeholder={t("typeToSearch")}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

function useSearch() {
  const [text, search] = useState("");
  const [q] = useDebouncedValue(text, 200);
  return { q, search };
}

/** An item by SKU, name or barcode. */
export function ItemField(props: FieldProps) {
  const { q, search } = useSearch();
  const { data = [] } = useRead("/api/lookup/item/search", { query: { q } });
  const options = data.map(({ item_id, sku, item_name }) => ({
    value: String(item_id),
    label: `${sku} · ${item_name}`,
  }));
  return <Choose {...props} {...{ options, search }} />;
}

/** A bin of a warehouse by its code. */
export function BinField({ warehouse_id, ...props }: FieldProps & { warehouse_id: number }) {
  const { q, search } = useSearch();
  const { data } = useRead("/api/admin/bins", { query: { q, warehouse_id, per_page: 50 } });
  const options = (data?.bins ?? []).map(({ bin_id, bin_code }) => ({ value: String(bin_id), label: bin_code }));
  return <Choose {...props} {...{ options, search }} />;
}
