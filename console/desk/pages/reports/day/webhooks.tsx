import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/day.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Loaded } from "../../../components/states.js";
import { Mark } from "../../../components/status.js";
import { DataTable } from "../../../components/table.js";
import { useSlowReads } from "./slow-reads.js";

/** How far the webhooks are behind, and what was given up. */
export function Webhooks() {
  const found = useRead("/api/admin/webhooks");
  const used = (found.data?.webhooks ?? []).filter(({ status }) => status !== "revoked");
  const stats = useSlowReads(
    "/api/admin/webhooks/{subscription_id}/stats",
    used.map(({ subscription_id }) => ({ path: { subscription_id }, query: { window: "24h" } })),
  );
  const rows = used.map((webhook, place) => ({ ...webhook, stats: stats[place] }));
  return (
    <Section title={t("webhooks")}>
      <Loaded of={found}>
        {() => (
          <DataTable
            title={t("webhooks")}
            empty={t("noWebhooks")}
            rows={rows}
            columns={[
              {
                field: "display_name",
                title: t("partner"),
                show: (row) => <MaybeLink to={`/webhooks/${row.subscription_id}`}>{row.display_name}</MaybeLink>,
              },
              {
                field: "status",
                title: t("status"),
                show: ({ status }) => (
                  <Mark
                    color={status === "active" ? "green" : "orange"}
                    text={t(status === "active" ? "sending" : "paused")}
                  />
                ),
              },
              { field: "lag", title: t("behind"), right: true, show: (row) => number(row.stats?.current_lag) },
              { field: "dlq", title: t("deadLetters"), right: true, show: (row) => number(row.stats?.dlq) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
