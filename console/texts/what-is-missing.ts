import { catalogue, nameIn, type Texts } from "./catalogue.js";
import { quoted } from "./faults.js";

/** Of an order's address and of an item, what carriers and customs ask for. */
const asked: Texts = {
  city: ["City", "Ort"],
  country: ["Country", "Land"],
  customs_currency: ["currency", "Währung"],
  customs_value_minor: ["value", "Wert"],
  hs_code: ["tariff number", "Zolltarifnummer"],
  line1: ["Street", "Straße"],
  name: ["Name", "Name"],
  origin_country: ["origin", "Herkunft"],
  postal_code: ["Postal code", "Postleitzahl"],
  state: ["State or county", "Bundesland"],
  weight_lbs: ["weight", "Gewicht"],
};
/** One without a text is shown as the service calls it. */
const askedText = (name: string): string => nameIn(asked, name) ?? name;

const t = catalogue({
  missing: ["{part} is missing", "{part} fehlt"],
  unknown: ["{part} {value} is not one of the country", "{part} {value} passt nicht zum Land"],
  noCountry: ["{part} {value} is not known", "{part} {value} ist nicht bekannt"],
});

/** What is wrong with an address, part by part: it is missing, or a value that its country does not have. */
export const addressFaults = (faults: { field: string; message: string }[]): string =>
  faults
    .map(({ field, message }) => {
      const name = field.replace("shipping_address_", "");
      const part = askedText(name);
      const [, value] = /^(.+) is not a /.exec(message) ?? [];
      if (value === undefined) return t("missing", { part });
      return t(name === "country" ? "noCountry" : "unknown", { part, value: quoted(value) });
    })
    .join(", ");

/** What customs ask for and an item does not say, item by item. */
export const customsGaps = (items: { sku: string; missing: string[] }[]): string =>
  items.map(({ sku, missing }) => `${sku} (${missing.map(askedText).join(", ")})`).join(", ");
