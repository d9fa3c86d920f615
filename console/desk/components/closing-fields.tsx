import { SimpleGrid, TextInput } from "@mantine/core";
import { t } from "../../texts/parcels.js";
import { numberIn } from "../values.js";

const sides = { length_in: "outerLength", width_in: "outerWidth", height_in: "outerHeight" } as const;

/** What a closed parcel weighs, and its size where that is not its box's. */
export const ClosingFields = () => (
  <>
    <TextInput
      name="weight_lbs"
      label={t("weight")}
      description={t("weightHint")}
      type="number"
      min={0.0001}
      step="any"
    />
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {Object.entries(sides).map(([name, text]) => (
        <TextInput key={name} name={name} label={t(text)} type="number" min={0.01} step="any" />
      ))}
    </SimpleGrid>
  </>
);

/** What these fields and that of the box say; what nobody said is left out. */
export const closingIn = (values: Record<string, string>) =>
  Object.fromEntries(
    ["box_id", "weight_lbs", ...Object.keys(sides)].flatMap((name) => {
      const value = numberIn(values[name]);
      return value === null ? [] : [[name, value]];
    }),
  );
