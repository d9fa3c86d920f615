import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/counting.js";
import { Decision } from "../../components/decision.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";

/** Has bins counted, each in a count of its own. */
export const NewCount = () => (
  <Decision
    isAction
    label={t("newCount")}
    verb={t("create")}
    title={t("newCount")}
    act={({ warehouse_id, bin_ids = "" }, api) =>
      api.post("/api/inventory/cycle-count/create", {
        body: { warehouse_id: Number(warehouse_id), bin_ids: bin_ids.split(",").filter(Boolean).map(Number) },
      })
    }
  >
    <Fields />
  </Decision>
);

function Fields() {
  const [chosen, setChosen] = useState(useFirstWarehouse(true));
  return (
    <>
      <WarehouseField isForPlaces value={chosen} onChange={setChosen} />
      {chosen && <BinsField key={chosen} warehouseId={chosen} />}
    </>
  );
}

function BinsField({ warehouseId }: { warehouseId: number }) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search, 200);
  const [chosen, setChosen] = useState<{ value: string; label: string }[]>([]);
  const { data } = useRead("/api/admin/bins", { query: { q, warehouse_id: warehouseId, per_page: 50 } });
  const found = (data?.bins ?? []).map(({ bin_id, bin_code }) => ({ value: String(bin_id), label: bin_code }));
  const known = [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))];
  return (
    <MultiSelect
      name="bin_ids"
      label={t("binsToCount")}
      data={known}
      value={chosen.map(({ value }) => value)}
      onChange={(values) => setChosen(known.filter(({ value }) => values.includes(value)))}
      searchValue={search}
      onSearchChange={setSearch}
      // The service has looked already.
      filter={({ options }) => options}
      selectFirstOptionOnChange
      hidePickedOptions
      searchable
      openOnFocus={false}
      data-autofocus
    />
  );
}
