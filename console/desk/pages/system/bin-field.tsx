import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/system.js";
import { useWarehouse } from "../../components/warehouse.js";

interface BinFieldProps {
  label: string;
  description: string;
  /** The id of a bin, or empty. */
  value: string;
  set: (value: string) => void;
}

/** A bin, looked for by its code. */
export function BinField({ value, ...props }: BinFieldProps) {
  return value ? <WithBin {...props} value={value} /> : <Choose {...props} value="" chosen="" />;
}

function WithBin(props: BinFieldProps) {
  const { data } = useRead("/api/admin/bins/{bin_id}", { path: { bin_id: Number(props.value) } });
  return <Choose {...props} chosen={data?.bin.bin_code ?? props.value} />;
}

function Choose({ label, description, value, set, chosen }: BinFieldProps & { chosen: string }) {
  const { warehouses } = useWarehouse();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 300);
  const { data } = useRead("/api/admin/bins", { query: { per_page: 20, ...(q && q !== chosen && { q }) } });
  const codeOf = (id: number) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? "";
  const found = (data?.bins ?? []).map(({ bin_id, bin_code, warehouse_id }) => ({
    value: String(bin_id),
    label: `${bin_code} · ${codeOf(warehouse_id)}`,
  }));
  const isFound = found.some((bin) => bin.value === value);
  return (
    <Select
      {...{ label, description }}
      maw={500}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("clear") }}
      nothingFoundMessage={t("noBin")}
      value={value || null}
      data={value && !isFound ? [{ value, label: chosen }, ...found] : found}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      onChange={(bin) => set(bin ?? "")}
    />
  );
}
