import type { PurchaseOrder } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/purchasing.js";
import { Decision } from "../../components/decision.js";
import { headerIn, OrderFields } from "./order-fields.js";

/** Nothing of it changes but its status. */
export const isLocked = ({ status }: Pick<PurchaseOrder, "status">) => status === "CLOSED" || status === "ARCHIVED";

/** What can be done with a purchase order as a whole. */
export function OrderActions({ order }: { order: PurchaseOrder }) {
  const number = order.po_number;
  const path = { po_id: order.po_id };
  const edit = ({ po_number = "", po_barcode = "", ...values }: Record<string, string>, api: Api) =>
    api.put("/api/admin/purchase-orders/{po_id}", {
      ...{ path, body: { po_number, po_barcode, ...headerIn(values) } },
    });
  const become = (status: "ARCHIVED" | "OPEN") => (_: unknown, api: Api) =>
    api.put("/api/admin/purchase-orders/{po_id}", { path, body: { status } });
  if (!isLocked(order))
    return (
      <>
        <Decision label={t("edit")} verb={t("save")} title={t("editOrder", { number })} act={edit} isWide>
          <OrderFields of={order} />
        </Decision>
        <Decision
          label={t("closeOrder")}
          title={t("closeOrderTitle", { number })}
          act={(_, api) => api.post("/api/admin/purchase-orders/{po_id}/close", { path })}
        />
      </>
    );
  if (order.status === "ARCHIVED")
    return <Decision label={t("reopen")} title={t("reopenOrder", { number })} act={become("OPEN")} />;
  return (
    <>
      <Decision
        label={t("reopen")}
        title={t("reopenOrder", { number })}
        act={(_, api) => api.post("/api/admin/purchase-orders/{po_id}/reopen", { path })}
      />
      <Decision label={t("archive")} title={t("archiveOrder", { number })} act={become("ARCHIVED")} />
    </>
  );
}
