import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { WaveToPlan } from "../../../../client/src/index.js";
import { t } from "../../../texts/waves.js";
import { numberIn, optionsOf, typed } from "../../values.js";

type Plan = Pick<WaveToPlan, "filter" | "group" | "combine">;
type Lines = NonNullable<NonNullable<WaveToPlan["filter"]>["lines"]>;
type By = NonNullable<NonNullable<WaveToPlan["group"]>["by"]>;

/** Which orders waves are made of, and how they are put together; as a plan says that there is already. */
export const WaveFields = ({ of: { filter, group, combine = true } = {} }: { of?: Plan | undefined }) => (
  <>
    <TextInput name="ship_method" label={t("shipMethod")} defaultValue={filter?.ship_method} maxLength={100} />
    <NumberInput
      name="min_priority"
      label={t("minPriority")}
      defaultValue={filter?.min_priority ?? ""}
      allowDecimal={false}
    />
    <NativeSelect
      name="lines"
      defaultValue={filter?.lines}
      label={t("linesOfOrder")}
      data={optionsOf({ "": t("any"), single: t("single"), multi: t("multi") })}
    />
    <NativeSelect
      name="by"
      defaultValue={group?.by}
      label={t("together")}
      data={optionsOf({ "": t("near"), zone: t("byZone"), ship_method: t("byMethod"), single_line: t("bySingle") })}
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
export function planIn(values: Record<string, string>, before: Plan = {}): Plan {
  const { ship_method: _, lines: __, min_priority: ___, ...filter } = before.filter ?? {};
  const { by: ____, ...group } = before.group ?? {};
  const min_priority = numberIn(values.min_priority);
  return {
    combine: values.combine === "true",
    filter: {
      ...filter,
      ...(typed(values.ship_method) && { ship_method: values.ship_method?.trim() }),
      ...(min_priority !== null && { min_priority }),
      ...(values.lines && { lines: values.lines as Lines }),
    },
    group: {
      ...group,
      ...(values.by && { by: values.by as By }),
      max_orders: numberIn(values.max_orders) ?? 20,
    },
  };
}

/** The same in words. */
export function planWords({ filter = {}, group = {} }: Plan): string {
  const { ship_method, lines, min_priority, ...others } = filter;
  const by = { zone: t("byZone"), ship_method: t("byMethod"), single_line: t("bySingle") };
  const words = [
    ship_method,
    min_priority !== undefined && t("priorityFrom", { priority: min_priority }),
    lines && t(lines === "single" ? "singleLine" : "multiLine"),
    Object.keys(others).length > 0 && t("andMore"),
    group.by && by[group.by],
    t("atMost", { orders: group.max_orders ?? 20 }),
  ];
  return words.filter(Boolean).join(" · ");
}
