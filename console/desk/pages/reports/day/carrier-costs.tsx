import { Stack } from "@mantine/core";
import { moneyOf } from "../../../../shared/amounts.js";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/day.js";
import { useAddress } from "../../../components/address.js";
import { ChooseWarehouse } from "../../../components/choose-warehouse.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { TableSection } from "../../../components/table.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { RangeFilters } from "./range-filters.js";
import { daysOf } from "./words.js";

/** What labels of carriers cost, by carrier and service, in the warehouse that is chosen, or the only one. */
export default function CarrierCosts() {
  const { warehouseId, warehouses } = useWarehouse();
  const [address, set] = useAddress();
  const range = address.get("range") ?? "last_30d";
  const days = daysOf(range, address.get("start"), address.get("end"));
  const [only] = warehouses.length === 1 ? warehouses : [];
  const warehouse_id = warehouseId ?? only?.id;
  return (
    <Page title={t("carrierCosts")}>
      <Stack>
        <RangeFilters range={range} address={address} set={set} />
        {warehouse_id ? (
          <Costs {...days} warehouse_id={warehouse_id} />
        ) : (
          <ChooseWarehouse title={t("chooseForCosts")} />
        )}
      </Stack>
    </Page>
  );
}

const Costs = (query: { start: string; end: string; warehouse_id: number }) => (
  <Loaded of={useRead("/api/v1/dashboard/carrier-costs", { query })}>
    {({ costs }) => (
      <TableSection
        title={t("byService")}
        rows={costs}
        empty={t("noLabels")}
        columns={[
          { field: "carrier", title: t("carrier") },
          { field: "service", title: t("service") },
          { field: "labels", title: t("labels"), as: "number" },
          { field: "voided", title: t("takenBack"), as: "number" },
          {
            ...{ field: "cost_minor", title: t("cost"), right: true },
            show: ({ cost_minor, cost_currency }) => moneyOf(cost_minor, cost_currency),
          },
          {
            ...{ field: "mean_minor", title: t("eachCosts"), right: true },
            show: ({ mean_minor, cost_currency }) => moneyOf(mean_minor, cost_currency),
          },
        ]}
      />
    )}
  </Loaded>
);
