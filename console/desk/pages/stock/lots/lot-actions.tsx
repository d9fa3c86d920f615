import { useNavigate } from "react-router";
import type { Lot } from "../../../../../client/src/index.js";
import { isAdmin, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { ConditionField, type HeldCondition, ReasonField } from "../holds/hold-fields.js";
import { changesIn, LotFields } from "./lot-fields.js";

/** What can be done with a lot. It concerns all warehouses, so only administrators do it. */
export function LotActions({ lot }: { lot: Lot }) {
  const navigate = useNavigate();
  if (!isAdmin(useMe())) return null;
  const { lot_id, lot_number } = lot;
  const path = { lot_id };
  return (
    <>
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editLot", { lot: lot_number })}
        act={(values, api) => api.put("/api/admin/lots/{lot_id}", { path, body: changesIn(values) })}
      >
        <LotFields lot={lot} />
      </Decision>
      <Decision
        label={t("hold")}
        title={t("holdLot", { lot: lot_number })}
        act={({ condition, reason = "" }, api) =>
          api.post("/api/admin/lots/{lot_id}/hold", { path, body: { condition: condition as HeldCondition, reason } })
        }
      >
        <ConditionField />
        <ReasonField />
      </Decision>
      {lot.condition !== "AVAILABLE" && (
        <Decision
          label={t("release")}
          title={t("releaseLot", { lot: lot_number })}
          act={({ reason = "" }, api) => api.post("/api/admin/lots/{lot_id}/release", { path, body: { reason } })}
        >
          <ReasonField isFirst />
        </Decision>
      )}
      <Decision
        isDangerous
        label={t("recall")}
        title={t("recallLot", { lot: lot_number })}
        act={async ({ reason = "" }, api) => {
          const { recall_id } = await api.post("/api/admin/recalls", { body: { lot_ids: [lot_id], reason } });
          await navigate(`/recalls/${recall_id}`);
        }}
      >
        {t("recallHint")}
        <ReasonField isFirst />
      </Decision>
    </>
  );
}
