import { backorderDescriptions } from "./backorder-field-descriptions.js";
import { connectorDescriptions } from "./connector-field-descriptions.js";
import { masterDataDescriptions, orderDescriptions, stockDescriptions } from "./field-descriptions.js";
import { posDescriptions } from "./pos-field-descriptions.js";
import { integrationDescriptions, systemDescriptions } from "./system-field-descriptions.js";
import { transferDescriptions } from "./transfer-field-descriptions.js";

/** What a field means, by its name: for properties and parameters without a description of their own. */
const descriptions: Record<string, string> = {
  ...masterDataDescriptions,
  ...stockDescriptions,
  ...orderDescriptions,
  ...backorderDescriptions,
  ...transferDescriptions,
  ...posDescriptions,
  ...connectorDescriptions,
  ...integrationDescriptions,
  ...connectorDescriptions,
  ...systemDescriptions,
};

const addressParts: Record<string, string> = {
  name: "Who lives at the {} address.",
  line1: "First line of the {} address: street and number.",
  line2: "Second line of the {} address: floor, flat.",
  city: "Town of the {} address.",
  state: "State or region of the {} address, mostly as a code.",
  postal_code: "Postal (ZIP) code of the {} address, as text.",
  country: "Country of the {} address, as a code of two letters or in words.",
  phone: "Telephone number for the {} address.",
};

const abbreviations: Record<string, string> = { so: "sales order", po: "purchase order" };

/** The description of a field of this name, if names like it are known. */
export function descriptionOf(name: string): string | undefined {
  if (Object.hasOwn(descriptions, name)) return descriptions[name];
  const [, done] = /^(.+)_by_user_external_id$/.exec(name) ?? [];
  if (done) return `UUID of the user by whom it was ${done.replaceAll("_", " ")}.`;
  const [, record] = /^(.+)_external_id$/.exec(name) ?? [];
  if (record) {
    const words = record.split("_").map((word) => abbreviations[word] ?? word);
    return `Id of the ${words.join(" ")} in its source system, else our UUID.`;
  }
  const [, kind, part = ""] = /^(billing|shipping)_address_(.+)$/.exec(name) ?? [];
  return kind && addressParts[part]?.replace("{}", kind);
}
