import type { Inspection } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { ListPage } from "../../../components/data-list.js";
import { Status } from "../../../components/status.js";
import { Decide } from "./decide.js";

/** Goods in quarantine that wait for a decision. */
export default function Inspections() {
  return (
    <ListPage
      title={t("inspections")}
      none="inspections"
      path="/api/admin/inspections"
      rows="inspections"
      query={{ status: "OPEN", sort: "due_at" }}
      ofWarehouse
      to={({ inspection_id }) => `/inspections/${inspection_id}`}
      filters={[
        { name: "q", label: t("searchStock") },
        { name: "status", label: t("status"), choices: choicesOf(["CLOSED"]), unset: t("onlyOpen") },
      ]}
      columns={[
        { field: "inspection_id", title: t("number"), sorts: true },
        { field: "sku", title: t("sku"), sorts: true },
        { field: "lot_number", title: t("lot") },
        {
          field: "warehouse",
          title: t("warehouse"),
          show: ({ warehouse_code }) => warehouse_code ?? t("allWarehouses"),
        },
        { field: "reason", title: t("reason") },
        { field: "status", title: t("status"), show: (row) => <InspectionStatus of={row} /> },
        { field: "quantity_open", title: t("toDecide"), as: "number" },
        { field: "opened_at", title: t("since"), sorts: true, as: "time" },
        { field: "due_at", title: t("due"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), right: true, show: (row) => <Decide inspection={row} isSmall /> },
      ]}
    />
  );
}

export const InspectionStatus = ({ of }: { of: Inspection }) => <Status of={of.is_overdue ? "overdue" : of.status} />;
