import { NativeSelect, NumberInput } from "@mantine/core";
import type { WaveToPlan } from "../../../client/src/index.js";
import { t } from "../../texts/waves.js";
import { numberIn, optionsOf } from "../values.js";

type Group = Pick<WaveToPlan, "group" | "combine">;
type By = NonNullable<NonNullable<WaveToPlan["group"]>["by"]>;

/** What the orders of a wave can have in common, in words. */
export const groupings = (): Record<By, string> => ({
  ...{ zone: t("byZone"), ship_method: t("byMethod"), ship_by: t("byShipBy"), single_line: t("bySingle") },
});

/** How the orders of waves are put together. */
export const GroupFields = ({ of: { group, combine = true } = {} }: { of?: Group }) => (
  <>
    <NativeSelect
      name="by"
      defaultValue={group?.by}
      label={t("together")}
      data={optionsOf({ "": t("near"), ...groupings() })}
    />
    <NumberInput
      name="max_orders"
      label={t("mostOrders")}
      defaultValue={group?.max_orders ?? 20}
      min={1}
      max={500}
      required
    />
    <NativeSelect
      name="combine"
      defaultValue={String(combine)}
      label={t("walkOf")}
      data={optionsOf({ true: t("oneWalk"), false: t("toteEach") })}
    />
  </>
);

/** What these fields say; what they do not say stays as it was before. */
export function groupIn(values: Record<string, string>, before: Group["group"] = {}): Group {
  const { by: _, ...group } = before;
  return {
    combine: values.combine === "true",
    group: { ...group, ...(values.by && { by: values.by as By }), max_orders: numberIn(values.max_orders) ?? 20 },
  };
}
