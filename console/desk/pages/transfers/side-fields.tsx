import { Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../texts/transfers.js";
import { useWarehouse } from "../../components/warehouse.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";

/** Where goods come from, and another warehouse where they go. */
export function SideFields() {
  const { warehouses } = useWarehouse();
  const [source, setSource] = useState(useFirstWarehouse());
  const [destination, setDestination] = useState<number>();
  const to = destination === source ? undefined : destination;
  return (
    <>
      <WarehouseField name="source" label={t("from")} value={source} onChange={setSource} />
      <WarehouseField name="destination" label={t("to")} value={to} onChange={setDestination} except={source} />
      {warehouses.length < 2 && <Text size="sm">{t("noOtherWarehouse")}</Text>}
    </>
  );
}
