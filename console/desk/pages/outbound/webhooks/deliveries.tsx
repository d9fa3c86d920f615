import { useParams } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { errorKindText, faultText } from "../../../../texts/faults.js";
import { eventTypes, scopeChoices, scopeText } from "../../../../texts/scopes.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { t } from "../../../../texts/webhooks.js";
import { DataList } from "../../../components/data-list.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { AttemptNow } from "./attempt-now.js";

const statuses = ["pending", "in_flight", "succeeded", "failed", "dlq"];

/** All attempts of a subscription, whatever came of them. */
export default function Deliveries() {
  const { subscription_id = "" } = useParams();
  const path = { subscription_id };
  const webhook = useRead("/api/admin/webhooks/{subscription_id}", { path });
  return (
    <Loaded of={webhook}>
      {({ display_name: name, status }) => (
        <Page
          title={t("deliveriesOf", { name })}
          back={`/webhooks/${subscription_id}`}
          actions={status === "active" && <AttemptNow of="/api/admin/webhooks/{subscription_id}" path={path} />}
        >
          <DataList
            title={t("deliveries")}
            none="deliveries"
            path="/api/admin/webhooks/{subscription_id}/deliveries"
            of={path}
            rows="deliveries"
            to={({ delivery_id }) => `/webhooks/${subscription_id}/deliveries/${delivery_id}`}
            filters={[
              { name: "status", label: t("status"), choices: choicesOf(statuses) },
              { name: "event_type", label: t("event"), choices: scopeChoices(eventTypes) },
            ]}
            columns={[
              { field: "event_id", title: t("eventId"), sorts: true, show: ({ event_id }) => number(event_id) },
              { field: "event_type", title: t("event"), show: ({ event }) => event && scopeText(event.event_type) },
              { field: "attempt_number", title: t("attempt"), right: true, sorts: true },
              { field: "status", title: t("status"), sorts: true, as: "status" },
              { field: "scheduled_at", title: t("due"), sorts: true, as: "time" },
              { field: "attempted_at", title: t("happened"), sorts: true, as: "time" },
              { field: "http_status", title: t("httpStatus"), right: true, sorts: true },
              {
                field: "error_kind",
                title: t("errorKind"),
                sorts: true,
                show: (row) => errorKindText(row.error_kind),
              },
              { field: "error_detail", title: t("description"), show: (row) => faultText(row.error_detail) },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}
