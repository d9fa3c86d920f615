import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { ListPage } from "../../../components/data-list.js";
import { Status } from "../../../components/status.js";
import { lotConditions } from "../conditions.js";
import { lastDays } from "./last-days.js";

/** Lots with their condition and last day. */
export default function Lots() {
  return (
    <ListPage
      title={t("lots")}
      none="lots"
      path="/api/admin/lots"
      rows="lots"
      totals={{ quantity_on_hand: t("onHand") }}
      to={({ lot_id }) => `/lots/${lot_id}`}
      filters={[
        { name: "q", label: t("searchLots") },
        { name: "condition", label: t("condition"), choices: choicesOf(lotConditions) },
        { name: "expires_within", label: t("lastDay"), choices: lastDays() },
        { name: "in_stock", label: t("stock"), choices: { true: t("onlyInStock") } },
      ]}
      columns={[
        { field: "lot_number", title: t("lot"), sorts: true },
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        {
          field: "condition",
          title: t("condition"),
          sorts: true,
          show: ({ effective_condition }) => <Status of={effective_condition} />,
        },
        { field: "expiry_date", title: t("lastDay"), sorts: true, as: "day" },
        { field: "production_date", title: t("produced"), sorts: true, as: "day" },
        { field: "quantity_on_hand", title: t("onHand"), as: "number" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
