import { SimpleGrid } from "@mantine/core";
import type { WebhookStats as Stats } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { errorKindText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/webhooks.js";
import { Bars } from "../../../components/bars.js";
import { Facts, Section } from "../../../components/facts.js";
import { Loaded } from "../../../components/states.js";

const useStats = (subscription_id: string, window: Stats["window"]) =>
  useRead("/api/admin/webhooks/{subscription_id}/stats", { path: { subscription_id }, query: { window } });

/** How the deliveries of a subscription went, by window. */
export function WebhookStats({ subscription_id }: { subscription_id: string }) {
  const reads = [
    useStats(subscription_id, "1h"),
    useStats(subscription_id, "6h"),
    useStats(subscription_id, "24h"),
    useStats(subscription_id, "7d"),
  ];
  const stats = reads.flatMap(({ data }) => data ?? []);
  const error = reads.find((read) => read.error)?.error ?? null;
  return (
    <Loaded of={stats.length === reads.length ? { data: stats, error } : { error }}>
      {(windows) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Section title={t("deliveries")}>
            <Facts
              of={[
                [t("inFlight"), number(windows[0]?.in_flight)],
                [t("lag"), number(windows[0]?.current_lag)],
              ]}
            />
            <Bars
              title={t("deliveries")}
              by="window"
              rows={windows.map((one) => ({
                ...{ window: nameOf(one.window), succeeded: one.succeeded, failed: one.failed, dlq: one.dlq },
              }))}
              bars={{ succeeded: t("succeeded"), failed: t("failed"), dlq: t("dead") }}
            />
          </Section>
          <Section title={t("times")}>
            <Bars
              title={t("times")}
              by="window"
              rows={windows.map(({ window, response_time_ms: { p50, p95, p99 } }) => ({
                ...{ window: nameOf(window), p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0 },
              }))}
              bars={{
                p50: t("percentile", { part: 50 }),
                p95: t("percentile", { part: 95 }),
                p99: t("percentile", { part: 99 }),
              }}
            />
          </Section>
          <ErrorKinds of={windows.at(-1)?.top_error_kinds ?? []} />
        </SimpleGrid>
      )}
    </Loaded>
  );
}

const nameOf = (window: Stats["window"]) =>
  window === "7d" ? t("days7") : t("hours", { hours: Number.parseInt(window, 10) });

const ErrorKinds = ({ of }: { of: Stats["top_error_kinds"] }) =>
  of.length > 0 && (
    <Section title={t("errorsByKind")}>
      <Bars
        title={t("errorsByKind")}
        by="kind"
        rows={of.map(({ kind, count }) => ({ kind: errorKindText(kind) ?? kind, count }))}
        bars={{ count: t("attempts") }}
      />
    </Section>
  );
