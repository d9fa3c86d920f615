import { useState } from "react";
import { t } from "../../../texts/transfers.js";
import { useOwnWarehouses, WarehouseField } from "../../components/warehouse-field.js";
import { useWarehouse } from "../../warehouse.js";

/** Where goods come from, one of the user's warehouses, and another one where they go. */
export function SideFields() {
  const { warehouses, warehouseId } = useWarehouse();
  const [first] = useOwnWarehouses();
  const [source, setSource] = useState(warehouseId ?? first?.id);
  const [chosen, setDestination] = useState<number>();
  const destination = chosen === source ? undefined : chosen;
  const other = warehouses.find(({ id }) => id !== source)?.id;
  return (
    <>
      <WarehouseField name="source" label={t("from")} value={source} onChange={setSource} />
      <WarehouseField name="destination" label={t("to")} value={destination ?? other} onChange={setDestination} isAny />
    </>
  );
}
