import type { PrintJob } from "../../../../client/src/index.js";
import { saidText } from "../../../texts/faults.js";
import { t } from "../../../texts/printing.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { useRefresh } from "../../components/use-refresh.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { documentChoices } from "./documents.js";

/** What was sent to printers, or waits for one. */
export default function PrintJobs() {
  useRefresh("/api/printing/jobs");
  return (
    <ListPage
      title={t("jobs")}
      none="jobs"
      path="/api/printing/jobs"
      rows="print_jobs"
      ofWarehouse
      filters={[
        { name: "status", label: t("status"), choices: choicesOf(["pending", "printed", "failed", "cancelled"]) },
        { name: "document", label: t("document"), choices: { ...documentChoices(), test_page: t("test_page") } },
      ]}
      columns={[
        { field: "title", title: t("what"), show: ({ title }) => <strong>{title}</strong> },
        { field: "document", title: t("document"), show: ({ document }) => t(document) },
        { field: "printer_name", title: t("printer") },
        warehouseColumn(),
        { field: "copies", title: t("copies"), right: true, as: "number" },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "attempts", title: t("attempts"), right: true, as: "number", isExtra: true },
        { field: "last_error", title: t("error"), show: ({ last_error }) => last_error && saidText(last_error) },
        { field: "requested_by", title: t("asked"), as: "person" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), right: true, show: (job) => <Actions job={job} /> },
      ]}
    />
  );
}

function Actions({ job: { job_id, title: what, status } }: { job: PrintJob }) {
  const path = { job_id };
  return (
    <RowActions>
      {status !== "pending" && (
        <Decision
          isSmall
          label={t("printAgain")}
          title={t("printAgainTitle", { what })}
          act={(_, api) => api.post("/api/printing/jobs/{job_id}/again", { path })}
        />
      )}
      {(status === "pending" || status === "failed") && (
        <Decision
          isSmall
          isDangerous
          label={t("discard")}
          title={t("cancelJob", { what })}
          act={(_, api) => api.post("/api/printing/jobs/{job_id}/cancel", { path })}
        />
      )}
    </RowActions>
  );
}
