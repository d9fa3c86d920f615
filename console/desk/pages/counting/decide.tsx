import { Group } from "@mantine/core";
import type { InventoryAdjustment } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/counting.js";
import { Decision } from "../../components/decision.js";

type Action = "approve" | "reject";

const review = (adjustments: InventoryAdjustment[], action: Action) => (_: unknown, api: Api) =>
  api.post("/api/admin/adjustments/review", {
    body: { decisions: adjustments.map(({ adjustment_id }) => ({ adjustment_id, action })) },
  });

/** Approves or rejects an adjustment, in its row. */
export function Decide({ adjustment }: { adjustment: InventoryAdjustment }) {
  const { quantity_change, sku, bin_code, warehouse_code } = adjustment;
  if (adjustment.status !== "PENDING") return null;
  const what = {
    change: (quantity_change > 0 ? "+" : "") + number(quantity_change),
    sku,
    bin: `${bin_code}, ${warehouse_code}`,
  };
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <Decision label={t("approve")} title={t("approveTitle", what)} act={review([adjustment], "approve")} isSmall />
      <Decision
        label={t("reject")}
        title={t("rejectTitle", what)}
        act={review([adjustment], "reject")}
        isDangerous
        isSmall
      />
    </Group>
  );
}

/** The same for all of them. */
export function DecideAll({ adjustments }: { adjustments: InventoryAdjustment[] }) {
  const pending = adjustments.filter(({ status }) => status === "PENDING");
  if (pending.length < 2) return null;
  const count = number(pending.length);
  return (
    <>
      <Decision label={t("approveAll")} title={t("approveAllTitle", { count })} act={review(pending, "approve")} />
      <Decision
        label={t("rejectAll")}
        title={t("rejectAllTitle", { count })}
        act={review(pending, "reject")}
        isDangerous
      />
    </>
  );
}
