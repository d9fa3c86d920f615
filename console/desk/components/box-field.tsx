import { NativeSelect, Text } from "@mantine/core";
import type { ParcelSuggestion } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { number, percent } from "../../shared/format.js";
import { reasonText } from "../../texts/box-reasons.js";
import { t } from "../../texts/parcels.js";
import { Refused, Waiting } from "./states.js";

/** The box of a parcel, of those in use; `chosen` is the one that stands there at first. */
export function BoxField({ chosen }: { chosen?: number | null | undefined }) {
  const boxes = useRead("/api/packing/boxes").data?.boxes;
  if (!boxes) return <Waiting />;
  return (
    <NativeSelect
      name="box_id"
      label={t("box")}
      data={[
        { value: "", label: t("noBox") },
        ...boxes.map(({ box_id, box_code, box_name }) => ({
          value: String(box_id),
          label: `${box_code} · ${box_name}`,
        })),
      ]}
      defaultValue={chosen ?? ""}
      data-autofocus
    />
  );
}

/** The same for units that are in no parcel yet: which boxes they are best packed in, and why. */
export function SuggestedBox({ so_id }: { so_id: number }) {
  const { data, error } = useRead("/api/packing/parcels/suggest", { query: { so_id } });
  if (!data && !error) return <Waiting />;
  return (
    <>
      <BoxField chosen={data?.parcels[0]?.box_id} />
      <Refused error={error} />
      {data && <Suggested {...data} />}
    </>
  );
}

function Suggested({ parcels, unmeasured, too_large }: ParcelSuggestion) {
  const unitsOf = (units: ParcelSuggestion["unmeasured"]) =>
    units.map(({ quantity, sku }) => `${number(quantity)} × ${sku}`).join(", ");
  return (
    <div>
      {parcels.map(({ box_code, units, filled_percent, reason }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same box may be suggested twice
        <Text key={place} size="sm">
          <strong>{box_code}</strong> {reasonText(reason)}: {unitsOf(units)} (
          {t("filled", { part: percent(filled_percent / 100) })})
        </Text>
      ))}
      {unmeasured.length > 0 && <Text size="sm">{t("unmeasured", { units: unitsOf(unmeasured) })}</Text>}
      {too_large.length > 0 && <Text size="sm">{t("tooLarge", { units: unitsOf(too_large) })}</Text>}
    </div>
  );
}
