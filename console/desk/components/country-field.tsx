import { Select } from "@mantine/core";
import { iso31661 } from "iso-3166";
import { locale } from "../../shared/language.js";
import { t } from "../../texts/desk.js";

export interface CountryFieldProps {
  name: string;
  label: string;
  /** The code; records from before may have any text, which stays as long as nobody chooses another. */
  value: string | null | undefined;
  required?: boolean;
}

/** A country by its name, found as one types; the value is its code of two letters. */
export function CountryField({ name, label, value, required = false }: CountryFieldProps) {
  const names = new Intl.DisplayNames(locale(), { type: "region" });
  const countries = iso31661
    .map(({ alpha2 }) => ({ value: alpha2 as string, label: `${names.of(alpha2)} (${alpha2})` }))
    .sort((one, other) => one.label.localeCompare(other.label, locale()));
  const isOther = value && !countries.some((one) => one.value === value);
  return (
    <Select
      {...{ name, label, required }}
      data={isOther ? [{ value, label: value }, ...countries] : countries}
      defaultValue={value || null}
      searchable
      clearable={!required}
      clearButtonProps={{ "aria-label": t("remove") }}
      nothingFoundMessage="–"
    />
  );
}
