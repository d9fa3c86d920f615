import { NativeSelect } from "@mantine/core";
import { useMe } from "../../shared/session.js";
import { t } from "../../texts/desk.js";
import { useWarehouse } from "../warehouse.js";

/** The warehouses that the user may work in. */
export function useOwnWarehouses() {
  const { role, warehouse_ids } = useMe();
  return useWarehouse().warehouses.filter(({ id }) => role === "ADMIN" || warehouse_ids.includes(id));
}

/** What a warehouse is called, by its id. */
export function useWarehouseCode(): (id: number) => string {
  const { warehouses } = useWarehouse();
  return (id) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? String(id);
}

interface WarehouseFieldProps {
  name?: string;
  label?: string;
  /** Any warehouse, also those in which the user does not work. */
  isAny?: boolean;
  value?: number | undefined;
  onChange?: (id: number) => void;
}

/** A field for a warehouse; at first it is the one that the desk looks at. */
export function WarehouseField({ name = "warehouse_id", label, isAny = false, value, onChange }: WarehouseFieldProps) {
  const { warehouses, warehouseId } = useWarehouse();
  const own = useOwnWarehouses();
  const choices = (isAny ? warehouses : own).map(({ id, code, name }) => ({
    value: String(id),
    label: code === name ? code : `${code} · ${name}`,
  }));
  return (
    <NativeSelect
      name={name}
      label={label ?? t("warehouse")}
      data={choices}
      {...(onChange ? { value: value ?? "" } : { defaultValue: value ?? warehouseId })}
      onChange={({ currentTarget }) => onChange?.(Number(currentTarget.value))}
      required
    />
  );
}
