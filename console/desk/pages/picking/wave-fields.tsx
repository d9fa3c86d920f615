import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { WaveToPlan } from "../../../../client/src/index.js";
import { t } from "../../../texts/waves.js";
import { numberIn, optionsOf, typed } from "../../values.js";

type Plan = Pick<WaveToPlan, "filter" | "group" | "combine">;
type Lines = NonNullable<NonNullable<WaveToPlan["filter"]>["lines"]>;
type By = NonNullable<NonNullable<WaveToPlan["group"]>["by"]>;

/** Which orders waves are made of, and how they are put together. */
export const WaveFields = () => (
  <>
    <TextInput name="ship_method" label={t("shipMethod")} maxLength={100} />
    <NativeSelect
      name="lines"
      label={t("linesOfOrder")}
      data={optionsOf({ "": t("any"), single: t("single"), multi: t("multi") })}
    />
    <NativeSelect
      name="by"
      label={t("together")}
      data={optionsOf({ "": t("near"), zone: t("byZone"), ship_method: t("byMethod"), single_line: t("bySingle") })}
    />
    <NumberInput name="max_orders" label={t("mostOrders")} defaultValue={20} min={1} max={500} required />
    <NativeSelect name="combine" label={t("walkOf")} data={optionsOf({ true: t("oneWalk"), false: t("toteEach") })} />
  </>
);

/** What these fields say. */
export const planIn = (values: Record<string, string>): Plan => ({
  combine: values.combine === "true",
  filter: {
    ...(typed(values.ship_method) && { ship_method: values.ship_method?.trim() }),
    ...(values.lines && { lines: values.lines as Lines }),
  },
  group: {
    ...(values.by && { by: values.by as By }),
    max_orders: numberIn(values.max_orders) ?? 20,
  },
});
