import { useParams } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/channels.js";
import { errorKindText, faultText } from "../../../../texts/faults.js";
import { scopeText } from "../../../../texts/scopes.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { DataList } from "../../../components/data-list.js";
import { Page } from "../../../components/page.js";

/** What a destination was told, and what came of it. */
export default function Messages() {
  const webhook_id = Number(useParams().webhook_id);
  const { data } = useRead("/api/admin/notification-webhooks");
  const name = data?.notification_webhooks.find((one) => one.webhook_id === webhook_id)?.host_preview;
  return (
    <Page title={name ? t("messagesTo", { name }) : t("messages")} back="/notifications">
      <DataList
        title={t("messages")}
        none="messages"
        path="/api/admin/notification-webhooks/{webhook_id}/messages"
        of={{ webhook_id }}
        rows="messages"
        filters={[
          { name: "status", label: t("status"), choices: choicesOf(["pending", "succeeded", "dlq", "stopped"]) },
        ]}
        columns={[
          { field: "created_at", title: t("created"), sorts: true, as: "time" },
          {
            ...{ field: "event_type", title: t("message"), sorts: true },
            show: ({ event_type }) => (event_type === "test" ? t("testMessage") : scopeText(event_type)),
          },
          { field: "status", title: t("status"), sorts: true, as: "status" },
          { field: "attempts", title: t("attempts"), right: true, sorts: true },
          {
            field: "error_kind",
            title: t("errorKind"),
            sorts: true,
            show: (row) => errorKindText(row.error_kind),
          },
          { field: "error_detail", title: t("error"), show: (row) => faultText(row.error_detail) },
          { field: "due_at", title: t("retryAt"), as: "time" },
          { field: "completed_at", title: t("ended"), sorts: true, as: "time" },
        ]}
      />
    </Page>
  );
}
