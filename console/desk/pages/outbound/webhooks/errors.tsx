import { Stack, Text } from "@mantine/core";
import { useRead } from "../../../../shared/api.js";
import { adviceOf, errorKindText, faultText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/webhooks.js";
import { ListPage } from "../../../components/data-list.js";

const kinds = ["timeout", "connection", "tls", "ssrf_rejected", "redirected", "4xx", "5xx", "unknown"];

/** Failed attempts of all subscriptions, with what to do about them. */
export default function WebhookErrors() {
  const { data } = useRead("/api/admin/webhooks");
  const webhooks = (data?.webhooks ?? []).map(({ subscription_id, display_name }) => [subscription_id, display_name]);
  return (
    <ListPage
      title={t("webhookErrors")}
      none="webhookErrors"
      path="/api/admin/webhook-errors"
      rows="deliveries"
      limit={50}
      to={({ subscription_id }) => `/webhooks/${subscription_id}`}
      filters={[
        { name: "subscription_id", label: t("webhook"), choices: Object.fromEntries(webhooks) },
        {
          name: "error_kind",
          label: t("errorKind"),
          choices: Object.fromEntries(kinds.map((kind) => [kind, errorKindText(kind) ?? kind])),
        },
        { name: "from", label: t("from"), isMoment: true },
        { name: "to", label: t("to"), isMoment: true },
      ]}
      columns={[
        { field: "subscription_display_name", title: t("webhook"), sorts: true },
        { field: "completed_at", title: t("happened"), sorts: true, as: "time" },
        { field: "event_id", title: t("eventId"), as: "number" },
        { field: "attempt_number", title: t("attempt"), right: true, sorts: true },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        {
          field: "error_detail",
          title: t("errorKind"),
          show: (row) => faultText(row.error_detail ?? row.short_message),
        },
        { field: "triage_hint", title: t("toDo"), show: (row) => <Advice {...adviceOf(row)} /> },
      ]}
    />
  );
}

const Advice = ({ description, triage_hint }: ReturnType<typeof adviceOf>) => (
  <Stack gap={0} miw={280}>
    <Text size="sm">{triage_hint}</Text>
    <Text size="xs" c="dimmed">
      {description}
    </Text>
  </Stack>
);
