import { Anchor, NativeSelect, Paper, Text } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/picking.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

/** Where pickers found less than the books say, the newest first. */
export default function ShortPicks() {
  const maySeeItems = mayOpen(useMe(), "items");
  const [address, setAddress] = useSearchParams();
  const { warehouseId } = useWarehouse();
  const days = Number(address.get("days")) || 30;
  const found = useRead("/api/admin/short-picks", {
    query: { days, ...(warehouseId && { warehouse_id: warehouseId }) },
  });
  return (
    <Page
      title={t("shortPicks")}
      actions={
        <NativeSelect
          aria-label={t("period")}
          value={String(days)}
          onChange={({ currentTarget }) => setAddress({ days: currentTarget.value })}
          data={[1, 7, 30, 90, 365].map((count) => ({
            value: String(count),
            label: count === 1 ? t("lastDay") : t("lastDays", { count }),
          }))}
        />
      }
    >
      <Loaded of={found}>
        {({ short_picks, total }) =>
          total === 0 ? (
            <Empty title={t("noShortPicks")} />
          ) : (
            <>
              <Paper withBorder>
                <DataTable
                  title={t("shortPicks")}
                  rows={short_picks}
                  columns={[
                    { field: "timestamp", title: t("when"), as: "time" },
                    {
                      field: "sku",
                      title: t("sku"),
                      show: ({ sku }) =>
                        maySeeItems ? (
                          <Anchor inherit component={Link} to={`/items?q=${encodeURIComponent(sku)}`}>
                            {sku}
                          </Anchor>
                        ) : (
                          sku
                        ),
                    },
                    { field: "bin_code", title: t("bin") },
                    warehouseColumn(),
                    { field: "qty_expected", title: t("toPick"), as: "number" },
                    { field: "qty_picked", title: t("picked"), as: "number" },
                    { field: "shortage", title: t("missing"), as: "number" },
                    { field: "reason", title: t("reason") },
                    { field: "user", title: t("picker"), as: "person" },
                    {
                      field: "batch_id",
                      title: t("wave"),
                      show: ({ batch_id }) => (
                        <Anchor inherit component={Link} to={`/waves/${batch_id}`}>
                          {t("openWave", { id: batch_id })}
                        </Anchor>
                      ),
                    },
                  ]}
                />
              </Paper>
              <Text size="sm" c="dimmed" role="status">
                {t("shown", { shown: number(short_picks.length), total: number(total) })}
              </Text>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
