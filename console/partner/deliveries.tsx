import { Group, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { PartnerWebhook } from "../../client/src/index.js";
import { Decision } from "../desk/components/decision.js";
import { Json } from "../desk/components/json.js";
import { Empty, Loaded } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { AttemptNow, isWaiting } from "../desk/pages/outbound/webhooks/attempt-now.js";
import { type Api, reading, useRead } from "../shared/api.js";
import { momentOf, number, timeWithSeconds } from "../shared/format.js";
import { errorKindText, faultText } from "../texts/faults.js";
import { t } from "../texts/partner.js";
import { scopeText } from "../texts/scopes.js";
import { Details } from "./details.js";
import { LOOKED_AT_MS } from "./looked-at.js";
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
  // Attempts go on while somebody looks.
  const read = useQuery({
    ...reading(`${PATH}/deliveries`, { path, query: { per_page: 50 } }),
    refetchInterval: LOOKED_AT_MS,
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
                {status === "active" && deliveries.some(isWaiting) && <AttemptNow of={PATH} path={path} />}
                <AgainMany path={path} />
              </Group>
            )}
            <Rows
              title={t("deliveries", { name })}
              look={t("look")}
              heads={[t("number"), t("event"), t("attempt"), t("status"), t("tried"), t("answer"), t("actions")]}
              rows={deliveries.map((one) => ({
                key: one.delivery_id,
                cells: [
                  number(one.event_id),
                  one.event && scopeText(one.event.event_type),
                  number(one.attempt_number),
                  <Status key="status" of={one.status} />,
                  one.attempted_at || one.status !== "pending"
                    ? timeWithSeconds(one.attempted_at)
                    : t("dueAt", { time: timeWithSeconds(one.scheduled_at) }),
                  [one.http_status, errorKindText(one.error_kind), faultText(one.error_detail)]
                    .filter(Boolean)
                    .join(" · "),
                ],
                action: status !== "revoked" && (
                  <>
                    {status === "active" && isWaiting(one) && (
                      <AttemptNow of={PATH} path={path} delivery_id={one.delivery_id} />
                    )}
                    <Decision
                      {...{ isSmall: true, label: t("again"), title: t("againOne", { event: number(one.event_id) }) }}
                      act={(_, api) =>
                        api.post(`${PATH}/replay/{delivery_id}`, { path: { ...path, delivery_id: one.delivery_id } })
                      }
                    />
                  </>
                ),
                more: <Sent path={{ ...path, delivery_id: one.delivery_id }} />,
              }))}
            />
          </Stack>
        )
      }
    </Loaded>
  );
}

/** Sends again what was given up, where there is any. */
function AgainMany({ path }: { path: { subscription_id: string } }) {
  const { data } = useRead(`${PATH}/replay-batch`, { path, query: { status: "dlq" } });
  if (!data?.count) return null;
  const act = ({ since }: Record<string, string>, api: Api) =>
    api.post(`${PATH}/replay-batch`, {
      path,
      body: { filter: { status: "dlq", ...(since && { completed_at_from: momentOf(since) }) } },
    });
  return (
    <Decision
      {...{ isSmall: true, label: t("againMany"), verb: t("again"), act }}
      title={t("againCount", { count: number(data.count) })}
    >
      <TextInput name="since" type="datetime-local" label={t("againSince")} />
    </Decision>
  );
}

const Sent = ({ path }: { path: { subscription_id: string; delivery_id: number } }) => (
  <Loaded of={useRead(`${PATH}/deliveries/{delivery_id}`, { path })}>
    {({ body }) => (body ? <Json title={t("look")} of={body} /> : <Empty title={t("gone")} />)}
  </Loaded>
);
