import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { ListPage } from "../../../components/data-list.js";

/** Lots that are called back; a recall is opened at the lot. */
export default function Recalls() {
  return (
    <ListPage
      title={t("recalls")}
      none="recalls"
      path="/api/admin/recalls"
      rows="recalls"
      to={({ recall_id }) => `/recalls/${recall_id}`}
      filters={[
        { name: "q", label: t("search") },
        { name: "status", label: t("status"), choices: choicesOf(["OPEN", "CLOSED"]) },
      ]}
      columns={[
        { field: "recall_id", title: t("number"), sorts: true },
        { field: "reason", title: t("reason"), sorts: true },
        { field: "status", title: t("status"), as: "status" },
        { field: "lot_count", title: t("lots"), as: "number" },
        { field: "serial_count", title: t("serials"), as: "number" },
        { field: "opened_by", title: t("by"), as: "person" },
        { field: "opened_at", title: t("since"), sorts: true, as: "time" },
        { field: "closed_at", title: t("ended"), sorts: true, as: "time" },
      ]}
    />
  );
}
