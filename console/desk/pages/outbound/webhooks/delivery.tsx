import { useParams } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { number, time } from "../../../../shared/format.js";
import { errorKindText, faultText } from "../../../../texts/faults.js";
import { scopeText } from "../../../../texts/scopes.js";
import { t } from "../../../../texts/webhooks.js";
import { Facts, Section } from "../../../components/facts.js";
import { Json } from "../../../components/json.js";
import { Page } from "../../../components/page.js";
import { Empty, Loaded } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { AttemptNow, isWaiting } from "./attempt-now.js";

/** An attempt, and what it sends. */
export default function Delivery() {
  const { subscription_id = "", delivery_id = "" } = useParams();
  const path = { subscription_id, delivery_id: Number(delivery_id) };
  return (
    <Loaded of={useRead("/api/admin/webhooks/{subscription_id}/deliveries/{delivery_id}", { path })}>
      {({ event_id, status, event, body, ...attempt }) => (
        <Page
          title={t("deliveryOf", { event: number(event_id) })}
          back={`/webhooks/${subscription_id}/deliveries`}
          mark={<Status of={status} />}
          actions={
            isWaiting({ status, ...attempt }) && (
              <AttemptNow
                of="/api/admin/webhooks/{subscription_id}"
                path={{ subscription_id }}
                {...{ delivery_id: path.delivery_id }}
              />
            )
          }
        >
          <Section title={t("attempt")}>
            <Facts
              of={[
                [t("event"), event && scopeText(event.event_type)],
                [t("eventTime"), time(event?.event_timestamp)],
                [t("attempt"), number(attempt.attempt_number)],
                [t("due"), time(attempt.scheduled_at)],
                [t("happened"), time(attempt.attempted_at)],
                [t("httpStatus"), attempt.http_status && String(attempt.http_status)],
                [t("errorKind"), errorKindText(attempt.error_kind)],
                [t("description"), faultText(attempt.error_detail)],
              ]}
            />
          </Section>
          <Section title={t("payload")}>
            {body ? <Json title={t("payload")} of={body} /> : <Empty title={t("payloadGone")} />}
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
