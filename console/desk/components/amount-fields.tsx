import { TextInput } from "@mantine/core";
import { amountOf, minorOf } from "../../shared/amounts.js";
import { typed } from "../values.js";

interface AmountFieldsProps {
  name: string;
  label: string;
  currencyLabel: string;
  /** In the smallest unit of the currency. */
  minor: number | null | undefined;
  currency: string | null | undefined;
}

/** An amount as people write it, and its currency; `amountIn` reads them. */
export const AmountFields = ({ name, label, currencyLabel, minor, currency }: AmountFieldsProps) => (
  <>
    <TextInput
      name={name}
      label={label}
      defaultValue={typeof minor === "number" ? amountOf(minor, currency ?? "") : ""}
      pattern="\d{1,8}([.,]\d{1,3})?"
      inputMode="decimal"
    />
    <TextInput
      name={`${name}_currency`}
      label={currencyLabel}
      defaultValue={currency ?? ""}
      pattern="[A-Za-z]{3}"
      maxLength={3}
    />
  </>
);

export function amountIn(values: Record<string, string>, name: string) {
  const currency = typed(values[`${name}_currency`])?.toUpperCase() ?? null;
  const amount = typed(values[name]);
  return { minor: amount === null ? null : minorOf(amount, currency ?? ""), currency };
}
