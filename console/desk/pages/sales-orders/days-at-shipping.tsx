import { TextInput } from "@mantine/core";
import { fieldText } from "../../../texts/sales-order-fields.js";

/** Asks for the least days that units of an order must have left when they are shipped; empty for none. */
export const DaysAtShipping = ({ days }: { days?: number | null }) => (
  <TextInput
    type="number"
    name="min_days_at_shipping"
    label={fieldText("min_days_at_shipping")}
    min={0}
    max={36_500}
    defaultValue={days ?? ""}
  />
);
