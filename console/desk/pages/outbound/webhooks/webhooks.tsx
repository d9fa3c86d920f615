import type { WebhookSubscription } from "../../../../../client/src/index.js";
import type { Api } from "../../../../shared/api.js";
import { number, percent } from "../../../../shared/format.js";
import { t } from "../../../../texts/webhooks.js";
import { DataList } from "../../../components/data-list.js";
import { SecretsPage } from "../../../components/secrets-page.js";
import { Status } from "../../../components/status.js";
import { standOf } from "./stand.js";
import { newWebhook, WebhookFields } from "./webhook-fields.js";

export default function Webhooks() {
  const make = async (values: Record<string, string>, api: Api) => {
    const body = newWebhook(values);
    const { secret } = await api.post("/api/admin/webhooks", { body });
    return { title: t("secretOf", { name: body.display_name }), secret };
  };
  const figure = (field: keyof WebhookSubscription["stats"], title: string) => ({
    ...{ field, title, right: true },
    show: ({ stats }: WebhookSubscription) => number(stats[field]),
  });
  return (
    <SecretsPage title={t("webhooks")} label={t("add")} fields={<WebhookFields />} make={make}>
      <DataList
        title={t("webhooks")}
        none="webhooks"
        path="/api/admin/webhooks"
        rows="webhooks"
        isWhole
        to={({ subscription_id }) => `/webhooks/${subscription_id}`}
        columns={[
          { field: "display_name", title: t("name"), sorts: true },
          {
            ...{ field: "status", title: t("status"), sorts: true },
            show: (webhook) => <Status of={standOf(webhook)} />,
          },
          { field: "connector_id", title: t("partner"), sorts: true },
          { field: "delivery_url", title: t("url"), show: ({ delivery_url }) => new URL(delivery_url).host },
          {
            ...{ field: "success_rate_24h", title: t("successRate"), right: true },
            show: ({ stats }) => percent(stats.success_rate_24h),
          },
          figure("pending_count", t("pending")),
          figure("failed_24h", t("failed")),
          figure("dlq_24h", t("dead")),
        ]}
      />
    </SecretsPage>
  );
}
