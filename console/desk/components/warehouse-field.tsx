import { NativeSelect } from "@mantine/core";
import { t } from "../../texts/desk.js";
import { WAREHOUSE } from "./table.js";
import { useWarehouse } from "./warehouse.js";

/** What a warehouse is called, by its id. */
export function useWarehouseCode(): (id: number) => string {
  const { warehouses } = useWarehouse();
  return (id) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? String(id);
}

/** Which warehouse a row is of. */
export const warehouseColumn = () => ({ field: WAREHOUSE, title: t("warehouse") }) as const;

/**
 * The warehouse that a form begins with: the one that the desk looks at, else the only one that orders are picked from.
 * A form of orders begins with none that is only in the books, so that nothing is sent there by accident.
 */
export function useFirstWarehouse(isForPlaces = false): number | undefined {
  const { warehouses, warehouseId } = useWarehouse();
  const usual = isForPlaces && warehouses.length > 1 ? [] : warehouses.filter((one) => isForPlaces || one.is_sellable);
  const looked = (isForPlaces ? warehouses : usual).find(({ id }) => id === warehouseId);
  return (looked ?? (usual.length === 1 ? usual[0] : undefined))?.id;
}

interface WarehouseFieldProps {
  name?: string;
  label?: string;
  /** It is about bins and zones, which are made where there are none yet. */
  isForPlaces?: boolean;
  /** One that is not offered. */
  except?: number | undefined;
  value?: number | undefined;
  onChange?: (id: number | undefined) => void;
}

/** A field for one of the user's warehouses. */
export function WarehouseField(props: WarehouseFieldProps) {
  const { name = "warehouse_id", label = t("warehouse"), isForPlaces = false, except, value, onChange } = props;
  const { warehouses } = useWarehouse();
  const first = useFirstWarehouse(isForPlaces);
  const choices = warehouses
    .filter(({ id }) => id !== except)
    .map(({ id, code, name }) => ({ value: String(id), label: code === name ? code : `${code} · ${name}` }));
  return (
    <NativeSelect
      name={name}
      label={label}
      data={[{ value: "", label: t("chooseWarehouse") }, ...choices]}
      {...(onChange ? { value: value ?? "" } : { defaultValue: first })}
      onChange={({ currentTarget }) => onChange?.(Number(currentTarget.value) || undefined)}
      required
    />
  );
}
