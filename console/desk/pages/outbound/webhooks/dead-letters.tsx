import { Alert, Checkbox } from "@mantine/core";
import { useState } from "react";
import { useParams } from "react-router";
import { type Api, useRead } from "../../../../shared/api.js";
import { number, time } from "../../../../shared/format.js";
import { errorKindText, faultText } from "../../../../texts/faults.js";
import { scopeText } from "../../../../texts/scopes.js";
import { t } from "../../../../texts/webhooks.js";
import { DataList } from "../../../components/data-list.js";
import { Decision } from "../../../components/decision.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { filterOf, ReplayFilter } from "./replay-filter.js";

/** Deliveries of a subscription that were given up. */
export default function DeadLetters() {
  const { subscription_id = "" } = useParams();
  const path = { subscription_id };
  const webhook = useRead("/api/admin/webhooks/{subscription_id}", { path });
  const [replayed, setReplayed] = useState<string>();
  const replay = (delivery_id: number, api: Api) =>
    api.post("/api/admin/webhooks/{subscription_id}/replay/{delivery_id}", { path: { subscription_id, delivery_id } });
  const sentAgain = (count: number) => setReplayed(t("replayed", { count: number(count) }));
  return (
    <Loaded of={webhook}>
      {({ display_name: name, status }) => (
        <Page
          title={t("deadLettersOf", { name })}
          back={`/webhooks/${subscription_id}`}
          actions={status !== "revoked" && <ReplayMany {...{ subscription_id, name, done: sentAgain }} />}
        >
          {replayed && (
            <Alert color="green" variant="outline" role="status">
              {replayed}
            </Alert>
          )}
          <DataList
            title={t("deadLetters")}
            none="deadLetters"
            path="/api/admin/webhooks/{subscription_id}/dlq"
            of={path}
            rows="deliveries"
            limit={50}
            to={({ delivery_id }) => `/webhooks/${subscription_id}/deliveries/${delivery_id}`}
            bulk={
              status === "revoked"
                ? undefined
                : {
                    ...{ id: "delivery_id", name: "event_id" },
                    actions: [{ label: t("replay"), each: ({ delivery_id }, _, api) => replay(delivery_id, api) }],
                  }
            }
            columns={[
              { field: "event_id", title: t("eventId"), show: ({ event_id }) => number(event_id) },
              { field: "event_type", title: t("event"), show: ({ event }) => event && scopeText(event.event_type) },
              { field: "event_timestamp", title: t("eventTime"), show: ({ event }) => time(event?.event_timestamp) },
              { field: "attempt_number", title: t("attempt"), right: true, sorts: true },
              {
                field: "error_kind",
                title: t("errorKind"),
                sorts: true,
                show: (row) => errorKindText(row.error_kind),
              },
              { field: "error_detail", title: t("description"), show: (row) => faultText(row.error_detail) },
              { field: "completed_at", title: t("happened"), sorts: true, as: "time" },
              {
                ...{ field: "actions", title: t("actions"), right: true },
                show: ({ delivery_id, event_id }) =>
                  status !== "revoked" && (
                    <Decision
                      label={t("replay")}
                      title={t("replayOne", { event: number(event_id) })}
                      act={async (_, api) => {
                        await replay(delivery_id, api);
                        setReplayed(t("replayedOne", { event: number(event_id) }));
                      }}
                    />
                  ),
              },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}

interface ReplayManyProps {
  subscription_id: string;
  name: string;
  done: (count: number) => void;
}

/** Sends the events of many deliveries again, after saying how many there are. */
function ReplayMany({ subscription_id, name, done }: ReplayManyProps) {
  const replay = async (values: Record<string, string>, api: Api) => {
    const { replayed_count } = await api.post("/api/admin/webhooks/{subscription_id}/replay-batch", {
      path: { subscription_id },
      body: { filter: filterOf(values), acknowledge_large_replay: "acknowledge" in values },
    });
    done(replayed_count);
  };
  return (
    <Decision label={t("replayAll")} title={t("replayMany", { name })} act={replay}>
      <ReplayFilter subscription_id={subscription_id} />
      <Checkbox name="acknowledge" label={t("acknowledgeLarge")} />
    </Decision>
  );
}
