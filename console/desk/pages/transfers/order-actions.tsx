import { useNavigate } from "react-router";
import type { Answer } from "../../../../client/src/index.js";
import { t } from "../../../texts/transfers.js";
import { Decision } from "../../components/decision.js";

type Transfer = Answer<"/api/admin/transfer-orders/{to_id}">;

/** What can be done with a transfer order as a whole, as far as its state allows it. */
export function OrderActions({ transfer }: { transfer: Transfer }) {
  const navigate = useNavigate();
  const { transfer_order, lines, approvals } = transfer;
  const { to_id, to_number: number, status } = transfer_order;
  const path = { to_id };
  const isPickable = status === "OPEN" || status === "PARTIALLY_PICKED";
  const isPicked = lines.some(({ picked_qty, approved_qty }) => picked_qty > approved_qty);
  const waits = approvals.some(({ status }) => status === "PENDING");
  const maySubmit = isPicked && (status === "PARTIALLY_PICKED" || (status === "AWAITING_APPROVAL" && !waits));
  const isRejected = status === "AWAITING_APPROVAL" && !waits;
  const isUntouched = approvals.length === 0 && !lines.some(({ picked_qty }) => picked_qty > 0);
  const hasArrived = lines.some(({ approved_qty }) => approved_qty > 0);
  return (
    <>
      {isPickable && (
        <Decision
          label={t("startPicking")}
          title={t("startPickingTitle", { number })}
          act={(_, api) => api.post("/api/admin/transfer-orders/{to_id}/start-picking", { path })}
        />
      )}
      {maySubmit && (
        <Decision
          label={t("submit")}
          title={t("submitTitle")}
          act={(_, api) => api.post("/api/admin/picker/transfer-orders/{to_id}/submit", { path })}
        />
      )}
      {(isPickable || isRejected) && !hasArrived && (
        <Decision
          label={t("cancelOrder")}
          title={t("cancelOrderTitle", { number })}
          act={(_, api) => api.post("/api/admin/transfer-orders/{to_id}/cancel", { path })}
          isDangerous
        />
      )}
      {isUntouched && (status === "OPEN" || status === "CANCELLED") && (
        <Decision
          label={t("delete")}
          title={t("deleteOrder", { number })}
          act={async (_, api) => {
            await api.delete("/api/admin/transfer-orders/{to_id}", { path });
            await navigate("/transfer-orders");
          }}
          isDangerous
        />
      )}
    </>
  );
}
