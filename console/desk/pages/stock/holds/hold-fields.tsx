import { NativeSelect, TextInput } from "@mantine/core";
import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { optionsOf } from "../../../values.js";
import { heldConditions } from "../conditions.js";

export type HeldCondition = (typeof heldConditions)[number];

/** In what units are put. */
export const ConditionField = () => (
  <NativeSelect
    name="condition"
    label={t("condition")}
    data={optionsOf(choicesOf([...heldConditions]))}
    data-autofocus
  />
);

/** Why something is done. */
export const ReasonField = ({ isFirst = false, isOptional = false }: { isFirst?: boolean; isOptional?: boolean }) => (
  <TextInput
    name="reason"
    label={t("reason")}
    maxLength={500}
    required={!isOptional}
    data-autofocus={isFirst || undefined}
  />
);

/** How many of the units that there are: all at first. */
export const UnitsField = ({ most }: { most: number }) => (
  <TextInput name="quantity" label={t("quantity")} type="number" min={1} max={most} defaultValue={most} required />
);
