import { Group, SegmentedControl, Stack, Text, Title, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import type { BinOfMap } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/looking.js";
import { useAddress } from "../../components/address.js";
import { ChooseWarehouse } from "../../components/choose-warehouse.js";
import { Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import { optionsOf } from "../../values.js";
import "./bin-map.css";

/** What the colour of a bin says. How full it is, is not known where nobody said how much it holds. */
const heats = {
  fill: ({ fill_percent }: BinOfMap) => fill_percent ?? 0,
  picks: ({ picks_7d }: BinOfMap) => picks_7d,
  still: ({ still_days }: BinOfMap) => still_days ?? 0,
};
type Heat = keyof typeof heats;

/** The scale of how full bins are ends there; in some lies more than is meant to. */
const FULL = 100;

const isUnknown = (heat: Heat, { fill_percent, units }: BinOfMap) =>
  heat === "fill" && fill_percent === null && units > 0;

const heatsText = (): Record<Heat, string> => ({ fill: t("fill"), picks: t("picks"), still: t("still") });

/** Where a warehouse is full, busy, or has not been touched for long; a bin leads to its page. */
export default function BinMap() {
  const { warehouses, warehouseId } = useWarehouse();
  const [only] = warehouses.length === 1 ? warehouses : [];
  const warehouse_id = warehouseId ?? only?.id;
  const [address, set] = useAddress();
  const heat = (address.get("heat") ?? "fill") as Heat;
  return (
    <Page
      title={t("map")}
      back="/bins"
      actions={
        <SegmentedControl
          aria-label={t("heat")}
          value={heat}
          onChange={(next) => set("heat", next)}
          data={optionsOf(heatsText())}
        />
      }
    >
      {warehouse_id ? <MapOf {...{ warehouse_id, heat }} /> : <ChooseWarehouse title={t("chooseWarehouse")} />}
    </Page>
  );
}

function MapOf({ warehouse_id, heat }: { warehouse_id: number; heat: Heat }) {
  const found = useRead("/api/admin/bins/map", { query: { warehouse_id } });
  return (
    <Loaded of={found}>
      {({ bins, total }) => {
        if (bins.length === 0) return <Empty title={t("noBins")} />;
        const most = heat === "fill" ? FULL : Math.max(1, ...bins.map(heats[heat]));
        return (
          <Stack>
            <Group gap="xs">
              <span className="bin-map-scale" aria-hidden />
              <Text size="sm">{t("legend", { most: heat === "fill" ? `${most} %` : number(most) })}</Text>
              {bins.some((bin) => isUnknown(heat, bin)) && (
                <>
                  <span className="bin-map-bin bin-map-unknown" aria-hidden />
                  <Text size="sm">{t("fillUnknown")}</Text>
                </>
              )}
            </Group>
            {bins.length < total && <Text>{t("more", { shown: number(bins.length), total: number(total) })}</Text>}
            {groups(bins, ({ zone_name }) => zone_name).map(([zone, ofZone]) => (
              <Section key={zone} title={zone}>
                <Stack gap="sm">
                  {groups(ofZone, ({ aisle }) => aisle ?? "").map(([aisle, ofAisle]) => (
                    <Aisle key={aisle} {...{ aisle, bins: ofAisle, heat, most }} />
                  ))}
                </Stack>
              </Section>
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface AisleProps {
  aisle: string;
  bins: BinOfMap[];
  heat: Heat;
  most: number;
}

/** An aisle from its first row to its last, each with its levels above each other. */
const Aisle = ({ aisle, bins, heat, most }: AisleProps) => (
  <div>
    <Title order={3} size="h6">
      {aisle ? t("aisle", { aisle }) : t("noAisle")}
    </Title>
    <div className="bin-map-aisle">
      {groups(bins, ({ row_num, bin_code }) => row_num ?? bin_code).map(([row, ofRow]) => (
        <div key={row} className="bin-map-row">
          <Text size="xs" c="dimmed" ta="center" aria-hidden>
            {row}
          </Text>
          {ofRow.map((bin) => (
            <Cell key={bin.bin_id} {...{ bin, heat, share: Math.min(1, heats[heat](bin) / most) }} />
          ))}
        </div>
      ))}
    </div>
  </div>
);

function Cell({ bin, heat, share }: { bin: BinOfMap; heat: Heat; share: number }) {
  const says = t("binIs", { bin: bin.bin_code, units: number(bin.units), value: valueText(bin, heat) });
  return (
    <Tooltip label={says}>
      <Link
        to={`/bins/${bin.bin_id}`}
        aria-label={says}
        className={isUnknown(heat, bin) ? "bin-map-bin bin-map-unknown" : "bin-map-bin"}
        style={{ ["--heat" as string]: `${Math.round(share * 100)}%` }}
      />
    </Tooltip>
  );
}

function valueText({ fill_percent, picks_7d, still_days, units }: BinOfMap, heat: Heat): string {
  if (heat === "picks") return t("picked", { count: number(picks_7d) });
  if (units === 0) return t("empty");
  if (heat === "still") return t("sinceMoved", { days: number(still_days) });
  return fill_percent === null ? t("fillUnknown") : t("filled", { percent: number(fill_percent) });
}

/** The rows by a name of each, in the order in which they came. */
function groups<R>(rows: R[], nameOf: (row: R) => string): [string, R[]][] {
  const byName = new Map<string, R[]>();
  for (const row of rows) byName.set(nameOf(row), [...(byName.get(nameOf(row)) ?? []), row]);
  return [...byName];
}
