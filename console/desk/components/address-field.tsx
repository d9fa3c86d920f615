import { TextInput } from "@mantine/core";
import { CountryField, type CountryFieldProps } from "./country-field.js";

/** A part of an address: a country, or any text. */
export const AddressField = ({ part, value, ...field }: CountryFieldProps & { part: string }) =>
  part === "country" ? <CountryField {...field} value={value} /> : <TextInput {...field} defaultValue={value ?? ""} />;
