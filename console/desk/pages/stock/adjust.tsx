import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { StockLevel } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/stock.js";
import { Decision } from "../../components/decision.js";
import { BinField, ItemField } from "../../components/search-fields.js";
import { SerialsField, serialsIn } from "../../components/serials-field.js";
import { useWarehouse } from "../../components/warehouse.js";
import { typed } from "../../values.js";
import { unitsOf } from "./units-of.js";

/** Corrects the stock of an item in a bin: that of a row, or any. */
export function Adjust({
  row,
}: {
  row?: Pick<StockLevel, "item_id" | "sku" | "lot_number" | "bin_id" | "bin_code" | "warehouse_code">;
}) {
  const { warehouseId } = useWarehouse();
  const [item, setItem] = useState<{ item_id: number; sku: string } | undefined>(row);
  const adjust = async (values: Record<string, string>, api: Api) => {
    const bin_id = Number(values.bin_id);
    const { bin } = await api.get("/api/admin/bins/{bin_id}", { path: { bin_id } });
    const { adjustment_type = "", reason = "" } = values;
    await api.post("/api/admin/adjustments/direct", {
      body: {
        ...{ bin_id, warehouse_id: bin.warehouse_id, adjustment_type: adjustment_type as "ADD", reason },
        ...{ item_id: Number(values.item_id), quantity: Number(values.quantity) },
        ...{ lot_number: typed(values.lot_number), expiry_date: typed(values.expiry_date) },
        serial_numbers: serialsIn(values),
      },
    });
  };
  return (
    <Decision
      label={row ? t("adjust") : t("adjustStock")}
      title={
        row ? t("adjustOf", { sku: unitsOf(row), bin: row.bin_code, warehouse: row.warehouse_code }) : t("adjustStock")
      }
      act={adjust}
      isSmall={Boolean(row)}
    >
      {row ? (
        <>
          <input type="hidden" name="item_id" value={row.item_id} />
          <input type="hidden" name="bin_id" value={row.bin_id} />
        </>
      ) : (
        <>
          <ItemField name="item_id" label={t("item")} isFirst onChoose={setItem} />
          <BinField name="bin_id" label={t("bin")} warehouse_id={warehouseId} />
        </>
      )}
      <NativeSelect
        name="adjustment_type"
        label={t("adjustment")}
        data={[
          { value: "ADD", label: t("add") },
          { value: "REMOVE", label: t("takeOut") },
        ]}
        data-autofocus={row ? true : undefined}
      />
      <TextInput name="quantity" label={t("quantity")} type="number" min={1} required />
      <TextInput name="lot_number" label={t("lot")} maxLength={100} defaultValue={row?.lot_number ?? ""} />
      <TextInput name="expiry_date" label={t("expiry")} type="date" />
      {item && <SerialsField of={item} />}
      <TextInput name="reason" label={t("reason")} maxLength={500} required />
    </Decision>
  );
}
