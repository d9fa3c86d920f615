import type { StockLevel } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { unitsOf } from "../units-of.js";
import { ConditionField, type HeldCondition, ReasonField, UnitsField } from "./hold-fields.js";

/** Takes units in a bin out of sale, all at first. */
export function HoldStock({ row }: { row: StockLevel }) {
  const { inventory_id, bin_code, quantity_on_hand, quantity_held } = row;
  const free = quantity_on_hand - quantity_held;
  if (free < 1) return null;
  return (
    <Decision
      isSmall
      label={t("hold")}
      title={t("holdStock", { sku: unitsOf(row), bin: bin_code })}
      act={({ quantity, condition, reason = "" }, api) =>
        api.post("/api/admin/inventory/{inventory_id}/hold", {
          ...{
            path: { inventory_id },
            body: { quantity: Number(quantity), condition: condition as HeldCondition, reason },
          },
        })
      }
    >
      <ConditionField />
      <UnitsField most={free} />
      <ReasonField />
    </Decision>
  );
}
