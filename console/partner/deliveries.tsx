import { Group, Stack, TextInput } from "@mantine/core";
import type { PartnerWebhook } from "../../client/src/index.js";
import { Decision } from "../desk/components/decision.js";
import { Json } from "../desk/components/json.js";
import { Empty, Loaded } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { type Api, useRead } from "../shared/api.js";
import { momentOf, number, time } from "../shared/format.js";
import { errorKindText, faultText } from "../texts/faults.js";
import { t } from "../texts/partner.js";
import { scopeText } from "../texts/scopes.js";
import { Details } from "./details.js";
import { Rows } from "./rows.js";

const PATH = "/api/partner/webhooks/{subscription_id}";

/** What was sent to a webhook, folded until somebody wants it. */
export const Deliveries = ({ of }: { of: PartnerWebhook }) => (
  <Details title={t("deliveries", { name: of.display_name })}>
    <List of={of} />
  </Details>
);

function List({ of: { subscription_id, display_name: name, status } }: { of: PartnerWebhook }) {
  const path = { subscription_id };
  const read = useRead(`${PATH}/deliveries`, { path, query: { per_page: 50 } });
  const many = ({ since }: Record<string, string>, api: Api) =>
    api.post(`${PATH}/replay-batch`, {
      path,
      body: { filter: { status: "dlq", ...(since && { completed_at_from: momentOf(since) }) } },
    });
  return (
    <Loaded of={read}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Empty title={t("noDeliveries")} />
        ) : (
          <Stack>
            {status !== "revoked" && (
              <Group>
                <Decision isSmall label={t("againMany")} verb={t("again")} title={t("againMany")} act={many}>
                  <TextInput name="since" type="datetime-local" label={t("againSince")} />
                </Decision>
              </Group>
            )}
            <Rows
              title={t("deliveries", { name })}
              heads={[t("number"), t("event"), t("attempt"), t("status"), t("tried"), t("answer"), t("actions")]}
              rows={deliveries.map((one) => [
                one.delivery_id,
                [
                  number(one.event_id),
                  one.event && scopeText(one.event.event_type),
                  number(one.attempt_number),
                  <Status key="status" of={one.status} />,
                  time(one.attempted_at),
                  [one.http_status, errorKindText(one.error_kind), faultText(one.error_detail)]
                    .filter(Boolean)
                    .join(" · "),
                  <Stack key="actions" gap="xs" align="start">
                    <Details title={t("look")}>
                      <Sent path={{ ...path, delivery_id: one.delivery_id }} />
                    </Details>
                    {status !== "revoked" && (
                      <Decision
                        {...{ isSmall: true, label: t("again"), title: t("againOne", { event: number(one.event_id) }) }}
                        act={(_, api) =>
                          api.post(`${PATH}/replay/{delivery_id}`, { path: { ...path, delivery_id: one.delivery_id } })
                        }
                      />
                    )}
                  </Stack>,
                ],
              ])}
            />
          </Stack>
        )
      }
    </Loaded>
  );
}

const Sent = ({ path }: { path: { subscription_id: string; delivery_id: number } }) => (
  <Loaded of={useRead(`${PATH}/deliveries/{delivery_id}`, { path })}>
    {({ body }) => (body ? <Json title={t("look")} of={body} /> : <Empty title={t("gone")} />)}
  </Loaded>
);
