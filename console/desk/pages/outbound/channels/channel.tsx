import { useState } from "react";
import { useParams } from "react-router";
import type { Channel, ChannelScope } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { number, time } from "../../../../shared/format.js";
import { t } from "../../../../texts/channels.js";
import { faultText } from "../../../../texts/faults.js";
import { DataList } from "../../../components/data-list.js";
import { Facts, Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { ShownOnce } from "../../../components/shown-once.js";
import { Empty, Loaded } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { namesOf, useWarehouseNames } from "../../../components/warehouse-names.js";
import { ChannelActions } from "./channel-actions.js";

export default function ChannelPage() {
  const { channel_id = "" } = useParams();
  const [secret, setSecret] = useState<string>();
  return (
    <Loaded of={useRead("/api/admin/channels")}>
      {({ channels }) => {
        const channel = channels.find((one) => one.channel_id === channel_id);
        if (!channel) return <Empty title={t("noChannel")} />;
        return (
          <Page
            title={channel.display_name}
            mark={<Status of={channel.status} />}
            actions={channel.status !== "revoked" && <ChannelActions of={channel} setSecret={setSecret} />}
          >
            {secret && (
              <ShownOnce
                title={t("secretOf", { name: channel.display_name })}
                secret={secret}
                close={() => setSecret(undefined)}
              />
            )}
            <Section title={t("channel")}>
              <ChannelFacts of={channel} />
            </Section>
            <Section title={t("deadLetters")}>
              <DataList
                title={t("deadLetters")}
                none="channelDeadLetters"
                path="/api/admin/channels/{channel_id}/dlq"
                of={{ channel_id }}
                rows="parked"
                limit={50}
                to={({ item_id }) => `/items/${item_id}`}
                columns={[
                  { field: "sku", title: t("sku"), sorts: true },
                  { field: "available_qty", title: t("available"), right: true, sorts: true },
                  { field: "attempt_count", title: t("attempts"), right: true, sorts: true },
                  { field: "last_error", title: t("error"), show: (row) => faultText(row.last_error) },
                ]}
              />
            </Section>
          </Page>
        );
      }}
    </Loaded>
  );
}

const reasons = {
  manual: () => t("manual"),
  pending_ceiling: () => t("tooManyWaiting"),
  dlq_ceiling: () => t("tooManyDead"),
  malformed_config: () => t("malformedConfig"),
};

function ChannelFacts({ of }: { of: Channel }) {
  const names = useWarehouseNames();
  const { skus = [], categories = [], warehouse_ids = [] } = (of.sku_scope ?? {}) as ChannelScope;
  return (
    <Facts
      of={[
        [t("channelId"), of.channel_id],
        [t("url"), of.delivery_url],
        [t("pausedBecause"), of.pause_reason && reasons[of.pause_reason]()],
        [t("items"), number(of.item_count)],
        [t("waiting"), number(of.dirty_count)],
        [t("dead"), number(of.dlq_count)],
        [t("failures"), number(of.failures)],
        [t("error"), faultText(of.last_error)],
        [t("retryAt"), time(of.retry_at)],
        [t("published"), time(of.last_published_at)],
        [t("warehouse"), namesOf(warehouse_ids, names) || t("all")],
        [t("sku"), [...categories, ...skus].join(", ") || t("all")],
        [t("rate"), number(of.rate_limit_per_second)],
        [t("batch"), number(of.batch_size)],
        [t("debounce"), number(of.debounce_seconds)],
        [t("created"), time(of.created_at)],
      ]}
    />
  );
}
