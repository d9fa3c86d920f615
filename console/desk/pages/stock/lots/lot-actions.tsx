import { useNavigate } from "react-router";
import type { Lot } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { LotField } from "../../../components/search-fields.js";
import { ConditionField, type HeldCondition, ReasonField } from "../holds/hold-fields.js";
import { OpenRecall } from "../recalls/open-recall.js";
import { changesIn, LotFields } from "./lot-fields.js";
import { useRecallsOf } from "./lot-recalls.js";

/** What can be done with a lot. It concerns all warehouses, so only administrators do it. */
export function LotActions({ lot }: { lot: Lot }) {
  const navigate = useNavigate();
  const isRecalled = useRecallsOf(lot.lot_id).some(({ status }) => status === "OPEN");
  const { lot_id, lot_number, item_id } = lot;
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
      {lot.condition !== "AVAILABLE" && !isRecalled && (
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
        label={t("merge")}
        title={t("mergeLot", { lot: lot_number })}
        act={async ({ into_lot_id, reason = "" }, api) => {
          const body = { into_lot_id: Number(into_lot_id), reason };
          const { lot_id: into } = await api.post("/api/admin/lots/{lot_id}/merge", { path, body });
          await navigate(`/lots/${into}`);
        }}
      >
        {t("mergeHint")}
        <LotField name="into_lot_id" label={t("mergeInto")} item_id={item_id} except={lot_id} isFirst />
        <ReasonField />
      </Decision>
      {!isRecalled && (
        <OpenRecall title={t("recallLot", { lot: lot_number })} hint={t("recallHint")} of={{ lot_ids: [lot_id] }} />
      )}
    </>
  );
}
