import { number } from "../../../shared/format.js";
import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { statusText } from "../../../texts/statuses.js";
import { t as waves } from "../../../texts/waves.js";
import { ListPage } from "../../components/data-list.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const statuses = ["OPEN", "IN_PROGRESS", "COMPLETED", "CANCELLED"];

/** All waves, those that ended too, as they went. */
export default function WaveHistory() {
  return (
    <ListPage
      title={board("history")}
      none="waves"
      path="/api/admin/waves"
      rows="waves"
      totals={{ total_units: t("units"), picked_units: board("picked"), short_tasks: board("shortTasks") }}
      ofWarehouse
      to={({ batch_id }) => `/waves/${batch_id}`}
      filters={[
        {
          name: "status",
          label: t("status"),
          choices: Object.fromEntries(statuses.map((status) => [status, statusText(status)])),
        },
        { name: "assigned_to", label: t("picker") },
        { name: "date_from", label: board("from"), isDay: true },
        { name: "date_to", label: board("to"), isDay: true },
      ]}
      columns={[
        { field: "batch_number", title: t("number"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "assigned_to", title: t("picker"), sorts: true, as: "person" },
        { field: "total_orders", title: t("orders"), sorts: true, as: "number" },
        { field: "total_tasks", title: t("tasks"), as: "number" },
        { field: "total_units", title: t("units"), as: "number" },
        { field: "picked_units", title: board("picked"), as: "number" },
        { field: "short_tasks", title: t("shortPicks"), as: "number" },
        {
          field: "walk",
          title: t("walk"),
          right: true,
          isExtra: true,
          show: ({ walk }) => walk && waves("metres", { metres: number(walk.metres) }),
        },
        { field: "created_at", title: t("created"), sorts: true, as: "time", isExtra: true },
        { field: "started_at", title: board("begun"), sorts: true, as: "time" },
        { field: "completed_at", title: board("ended"), sorts: true, as: "time" },
      ]}
    />
  );
}
