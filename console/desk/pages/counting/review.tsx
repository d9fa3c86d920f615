import { Paper } from "@mantine/core";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/counting.js";
import { EmptyOf } from "../../components/empty-list.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import { AdjustmentTable } from "./adjustment-table.js";
import { DecideAll } from "./decide.js";

/** The adjustments that wait for somebody's decision, the oldest first. */
export default function Review() {
  const { warehouseId } = useWarehouse();
  return (
    <Loaded of={useRead("/api/admin/adjustments/pending")}>
      {({ adjustments }) => {
        const here = adjustments.filter(({ warehouse_id }) => !warehouseId || warehouse_id === warehouseId);
        return (
          <Page title={t("review")} actions={<DecideAll adjustments={here} />}>
            <Paper withBorder>
              <AdjustmentTable title={t("review")} adjustments={here} nothing={<EmptyOf of="review" ofWarehouse />} />
            </Paper>
          </Page>
        );
      }}
    </Loaded>
  );
}
