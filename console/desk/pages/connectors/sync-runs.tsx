import { t } from "../../../texts/connectors.js";
import { faultText } from "../../../texts/faults.js";
import { scopeChoices, scopeText } from "../../../texts/scopes.js";
import { choicesOf } from "../../../texts/statuses.js";
import { DataList } from "../../components/data-list.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";

const statuses = ["running", "completed", "failed", "cancelled", "superseded"];

/** The runs of a connector's syncs: how far they are, or how they ended. */
export const SyncRuns = ({ name, warehouse_id }: OfWarehouse) => (
  <DataList
    title={t("runs")}
    path="/api/admin/connectors/{name}/sync-runs"
    of={{ name }}
    rows="sync_runs"
    query={{ warehouse_id }}
    filters={[
      { name: "sync_type", label: t("records"), choices: scopeChoices(["orders", "items", "inventory"]) },
      { name: "status", label: t("status"), choices: choicesOf(statuses) },
    ]}
    columns={[
      { field: "started_at", title: t("began"), sorts: true, as: "time" },
      { field: "sync_type", title: t("records"), sorts: true, show: ({ sync_type }) => scopeText(sync_type) },
      { field: "status", title: t("status"), sorts: true, as: "status" },
      { field: "ended_at", title: t("ended"), sorts: true, as: "time" },
      { field: "read", title: t("read"), sorts: true, as: "number" },
      { field: "written", title: t("written"), sorts: true, as: "number" },
      { field: "refused", title: t("refusedCount"), sorts: true, as: "number" },
      { field: "error_message", title: t("error"), show: (row) => faultText(row.error_message) },
    ]}
  />
);
