import type { HourOfWork } from "../../../../../client/src/index.js";
import { hour, number } from "../../../../shared/format.js";
import { t } from "../../../../texts/day.js";
import { Bars } from "../../../components/bars.js";
import { Section } from "../../../components/facts.js";
import { Empty } from "../../../components/states.js";

type Kind = Exclude<keyof HourOfWork, "at">;

/** What was done hour by hour, from the first hour with work to the last one. */
export function Hours({ title, hours, timezone }: { title: string; hours: HourOfWork[]; timezone: string }) {
  const bars: Record<Kind, string> = {
    received: t("received"),
    put_away: t("putAway"),
    picked: t("picked"),
    packed: t("packed"),
    shipped: t("shipped"),
  };
  const kinds = Object.keys(bars) as Kind[];
  const isBusy = (one: HourOfWork) => kinds.some((kind) => one[kind] > 0);
  const first = hours.findIndex(isBusy);
  const last = hours.findLastIndex(isBusy);
  const total = (kind: Kind) => number(hours.reduce((sum, one) => sum + one[kind], 0));
  return (
    <Section title={title}>
      {first < 0 ? (
        <Empty title={t("noWork")} />
      ) : (
        <Bars
          title={title}
          by="at"
          rows={hours.slice(first, last + 1).map((one) => ({ ...one, at: hour(one.at, timezone) }))}
          bars={Object.fromEntries(kinds.map((kind) => [kind, `${bars[kind]}: ${total(kind)}`]))}
        />
      )}
    </Section>
  );
}
