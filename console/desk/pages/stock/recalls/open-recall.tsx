import { useNavigate } from "react-router";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { ReasonField } from "../holds/hold-fields.js";

interface OpenRecallProps {
  title: string;
  /** What becomes of the units. */
  hint: string;
  of: { lot_ids: number[] } | { item_id: number; serial_numbers: string[] };
  isSmall?: boolean;
}

/** Calls lots or units back, and shows the recall. */
export function OpenRecall({ title, hint, of, isSmall }: OpenRecallProps) {
  const navigate = useNavigate();
  return (
    <Decision
      isDangerous
      isSmall={isSmall}
      label={t("recall")}
      title={title}
      act={async ({ reason = "" }, api) => {
        const { recall_id } = await api.post("/api/admin/recalls", { body: { ...of, reason } });
        await navigate(`/recalls/${recall_id}`);
      }}
    >
      {hint}
      <ReasonField isFirst />
    </Decision>
  );
}
