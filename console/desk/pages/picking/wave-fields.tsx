import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { WaveToPlan } from "../../../../client/src/index.js";
import { t } from "../../../texts/waves.js";
import { GroupFields, groupIn, groupings } from "../../components/group-fields.js";
import { numberIn, optionsOf, typed } from "../../values.js";

type Plan = Pick<WaveToPlan, "filter" | "group" | "combine">;
type Lines = NonNullable<NonNullable<WaveToPlan["filter"]>["lines"]>;

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
    <GroupFields of={{ group, combine }} />
  </>
);

/** What these fields say; what they do not say stays as it was before. */
export function planIn(values: Record<string, string>, before: Plan = {}): Plan {
  const { ship_method: _, lines: __, min_priority: ___, ...filter } = before.filter ?? {};
  const min_priority = numberIn(values.min_priority);
  return {
    ...groupIn(values, before.group),
    filter: {
      ...filter,
      ...(typed(values.ship_method) && { ship_method: values.ship_method?.trim() }),
      ...(min_priority !== null && { min_priority }),
      ...(values.lines && { lines: values.lines as Lines }),
    },
  };
}

/** The same in words. */
export function planWords({ filter = {}, group = {} }: Plan): string {
  const { ship_method, lines, min_priority, ...others } = filter;
  const words = [
    ship_method,
    min_priority !== undefined && t("priorityFrom", { priority: min_priority }),
    lines && t(lines === "single" ? "singleLine" : "multiLine"),
    Object.keys(others).length > 0 && t("andMore"),
    group.by && groupings()[group.by],
    t("atMost", { orders: group.max_orders ?? 20 }),
  ];
  return words.filter(Boolean).join(" · ");
}
