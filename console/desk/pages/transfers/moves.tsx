import { Paper, SimpleGrid, TextInput } from "@mantine/core";
import { type Api, api, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/transfers.js";
import { Decision } from "../../components/decision.js";
import { EmptyOf } from "../../components/empty-list.js";
import { Page } from "../../components/page.js";
import { BinField, ItemField } from "../../components/search-fields.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { useWarehouse } from "../../components/warehouse.js";
import { typed } from "../../values.js";

/** Moves of stock between warehouses, and between bins of one, that were asked for at the desk. */
export default function Moves() {
  const { warehouseId } = useWarehouse();
  return (
    <Page title={t("moves")} actions={<NewMove />}>
      <Paper withBorder>
        <Loaded of={useRead("/api/admin/inter-warehouse-transfers", { query: { limit: 500 } })}>
          {({ transfers }) => {
            const here = transfers.filter(
              ({ from_warehouse_id, to_warehouse_id }) =>
                !warehouseId || [from_warehouse_id, to_warehouse_id].includes(warehouseId),
            );
            if (here.length === 0) return <EmptyOf of="moves" ofWarehouse />;
            return (
              <DataTable
                title={t("moves")}
                rows={here}
                to={({ item_id }) => `/items/${item_id}`}
                columns={[
                  { field: "sku", title: t("sku") },
                  { field: "item_name", title: t("name") },
                  { field: "quantity", title: t("quantity"), as: "number" },
                  { field: "lot_number", title: t("lot") },
                  {
                    field: "from",
                    title: t("from"),
                    show: ({ from_warehouse_code, from_bin_code }) => `${from_warehouse_code} · ${from_bin_code}`,
                  },
                  {
                    field: "to",
                    title: t("to"),
                    show: ({ to_warehouse_code, to_bin_code }) => `${to_warehouse_code} · ${to_bin_code}`,
                  },
                  { field: "transferred_by", title: t("by"), as: "person" },
                  { field: "transferred_at", title: t("when"), as: "time" },
                ]}
              />
            );
          }}
        </Loaded>
      </Paper>
    </Page>
  );
}

function NewMove() {
  const { warehouseId } = useWarehouse();
  const warehouseOf = async (bin_id: number) =>
    (await api.get("/api/admin/bins/{bin_id}", { path: { bin_id } })).bin.warehouse_id;
  const move = async (values: Record<string, string>, api: Api) => {
    const [from_bin_id, to_bin_id] = [Number(values.from_bin_id), Number(values.to_bin_id)];
    const [from_warehouse_id, to_warehouse_id] = await Promise.all([warehouseOf(from_bin_id), warehouseOf(to_bin_id)]);
    await api.post("/api/admin/inter-warehouse-transfer", {
      body: {
        ...{ from_bin_id, from_warehouse_id, to_bin_id, to_warehouse_id },
        ...{ item_id: Number(values.item_id), quantity: Number(values.quantity), reason: typed(values.reason) },
      },
    });
  };
  return (
    <Decision label={t("move")} title={t("move")} act={move} isWide>
      <ItemField name="item_id" label={t("item")} isFirst />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <BinField name="from_bin_id" label={t("fromBin")} warehouse_id={warehouseId} />
        <BinField name="to_bin_id" label={t("toBin")} />
      </SimpleGrid>
      <TextInput name="quantity" label={t("quantity")} type="number" min={1} required />
      <TextInput name="reason" label={t("reason")} maxLength={500} />
    </Decision>
  );
}
