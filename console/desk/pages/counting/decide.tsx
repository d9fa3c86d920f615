import { Group, TextInput } from "@mantine/core";
import type { InventoryAdjustment } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/counting.js";
import type { BulkAction } from "../../components/bulk-action.js";
import { Decision } from "../../components/decision.js";
import { SerialsField, serialsIn, useItem } from "../../components/serials-field.js";
import { typed } from "../../values.js";

type Action = "approve" | "reject";

/** Of a single one, the units may be named. */
const review = (adjustments: InventoryAdjustment[], action: Action) => (values: Record<string, string>, api: Api) => {
  const named = { lot_number: typed(values.lot_number), serial_numbers: serialsIn(values) };
  return api.post("/api/admin/adjustments/review", {
    body: { decisions: adjustments.map(({ adjustment_id }) => ({ adjustment_id, action, ...named })) },
  });
};

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
      <Decision label={t("approve")} title={t("approveTitle", what)} act={review([adjustment], "approve")} isSmall>
        <WhichUnits of={adjustment} />
      </Decision>
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

/** Which units were found or are gone, as far as the item asks for it. */
function WhichUnits({ of: adjustment }: { of: InventoryAdjustment }) {
  const hasLots = useItem(adjustment)?.lot_policy !== "none";
  return (
    <>
      {adjustment.quantity_change > 0 && hasLots && (
        <TextInput name="lot_number" label={t("lot")} description={t("foundLotHint")} maxLength={100} />
      )}
      <SerialsField of={adjustment} />
    </>
  );
}

/** The same for those that are selected, each by itself: one that is refused keeps no other from being decided. */
export const decideMany = (): BulkAction<InventoryAdjustment>[] =>
  (["approve", "reject"] as const).map((action) => ({
    label: t(action),
    isDangerous: action === "reject",
    fits: ({ status }) => status === "PENDING",
    each: (adjustment, values, api) => review([adjustment], action)(values, api),
  }));

/** The same for all of them. */
export function DecideAll({ adjustments, isSmall = false }: { adjustments: InventoryAdjustment[]; isSmall?: boolean }) {
  const pending = adjustments.filter(({ status }) => status === "PENDING");
  if (pending.length < 2) return null;
  const count = number(pending.length);
  return (
    <>
      <Decision
        isSmall={isSmall}
        label={t("approveAll")}
        title={t("approveAllTitle", { count })}
        act={review(pending, "approve")}
      />
      <Decision
        isSmall={isSmall}
        label={t("rejectAll")}
        title={t("rejectAllTitle", { count })}
        act={review(pending, "reject")}
        isDangerous
      />
    </>
  );
}
