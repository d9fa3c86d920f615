import { Alert, Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { WebhookSubscription } from "../../../../../client/src/index.js";
import { useAction, useRead } from "../../../../shared/api.js";
import { number, percent, time } from "../../../../shared/format.js";
import { faultText } from "../../../../texts/faults.js";
import { scopeList } from "../../../../texts/scopes.js";
import { t } from "../../../../texts/webhooks.js";
import { Facts, Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { ShownOnce } from "../../../components/shown-once.js";
import { Loaded, Refused } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { namesOf, useWarehouseNames } from "../../../components/warehouse-names.js";
import type { Selection } from "../selection.js";
import { TestOutcome } from "../test-outcome.js";
import { formatText, payloadText, signatureText } from "./more-fields.js";
import { pauseReasonText } from "./pause-reasons.js";
import { standOf } from "./stand.js";
import { WebhookActions } from "./webhook-actions.js";
import { orderingText } from "./webhook-fields.js";
import { WebhookStats } from "./webhook-stats.js";

export default function Webhook() {
  const { subscription_id = "" } = useParams();
  const path = { subscription_id };
  const found = useRead("/api/admin/webhooks/{subscription_id}", { path });
  const [secret, setSecret] = useState<string>();
  const [hint, setHint] = useState<string>();
  const test = useAction((_: object, api) => api.post("/api/admin/webhooks/{subscription_id}/test", { path }));
  return (
    <Loaded of={found}>
      {(webhook) => (
        <Page
          title={webhook.display_name}
          mark={<Status of={standOf(webhook)} />}
          actions={
            <>
              {webhook.status !== "revoked" && (
                <Button variant="default" onClick={() => test.mutate({})} loading={test.isPending}>
                  {t("test")}
                </Button>
              )}
              <WebhookActions of={webhook} {...{ setSecret, setHint }} />
            </>
          }
        >
          {secret && (
            <ShownOnce
              title={t("secretOf", { name: webhook.display_name })}
              secret={secret}
              close={() => setSecret(undefined)}
            />
          )}
          {hint && (
            <Alert color="yellow" variant="outline" role="status">
              {faultText(hint)}
            </Alert>
          )}
          <Refused error={test.error} />
          <TestOutcome of={test.data} />
          <Section title={t("webhook")}>
            <WebhookFacts of={webhook} />
          </Section>
          <WebhookStats subscription_id={subscription_id} />
          <Group>
            <Anchor component={Link} to={`/webhooks/${subscription_id}/deliveries`}>
              {t("allDeliveries")}
            </Anchor>
            <Anchor component={Link} to={`/webhooks/${subscription_id}/dead-letters`}>
              {t("deadLetters")}
            </Anchor>
            <Anchor component={Link} to={`/webhook-errors?subscription_id=${subscription_id}`}>
              {t("webhookErrors")}
            </Anchor>
          </Group>
        </Page>
      )}
    </Loaded>
  );
}

const tlsText = ({ subject, valid_until }: NonNullable<WebhookSubscription["client_tls"]>) =>
  valid_until ? `${subject}, ${t("validUntil", { time: time(valid_until) })}` : t("onlyAuthority");

function WebhookFacts({ of }: { of: WebhookSubscription }) {
  const warehouses = useWarehouseNames();
  const { event_types = [], warehouse_ids = [] } = (of.subscription_filter ?? {}) as Selection;
  return (
    <Facts
      of={[
        [t("url"), of.delivery_url],
        [t("partner"), of.connector_id],
        [t("events"), scopeList(event_types) || t("all")],
        [t("warehouse"), namesOf(warehouse_ids, warehouses) || t("all")],
        [t("pausedBecause"), pauseReasonText(of.pause_reason)],
        [t("pending"), number(of.stats.pending_count)],
        [t("successRate"), percent(of.stats.success_rate_24h)],
        [t("deliveredTo"), number(of.last_delivered_event_id)],
        [t("rate"), number(of.rate_limit_per_second)],
        [t("ordering"), orderingText(of.ordering)],
        [t("content"), payloadText(of.payload)],
        [t("form"), formatText(of.format)],
        [t("batchOf"), of.batch && number(of.batch.max_events)],
        [t("signature"), signatureText(of.signature)],
        [t("publicKeys"), of.public_keys.join(" ")],
        [t("tls"), of.client_tls && tlsText(of.client_tls)],
        [t("oauth"), of.oauth && `${of.oauth.client_id}, ${of.oauth.token_url}`],
        [t("ceilings"), `${number(of.pending_ceiling)} / ${number(of.dlq_ceiling)}`],
        [t("created"), time(of.created_at)],
      ]}
    />
  );
}
