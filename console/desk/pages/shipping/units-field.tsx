import { TextInput } from "@mantine/core";
import { t } from "../../../texts/parcels.js";

/** How many units, at first all that there are. */
export const UnitsField = ({ most }: { most: number }) => (
  <TextInput
    key={most}
    name="quantity"
    label={t("quantity")}
    type="number"
    min={1}
    max={most}
    defaultValue={most}
    required
    data-autofocus
  />
);
