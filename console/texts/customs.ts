import { catalogue } from "./catalogue.js";

/** What carriers and customs ask of an item. */
export const t = catalogue({
  customs_currency: ["Currency", "Währung"],
  customs_value: ["Value for customs", "Zollwert"],
  hs_code: ["Tariff number (HS)", "Zolltarifnummer (HS)"],
  hs_codeHint: ["6, 8 or 10 digits, as 6912.00", "6, 8 oder 10 Ziffern, wie 6912.00"],
  is_hazardous: ["Dangerous goods", "Gefahrgut"],
  legend: ["Carriers and customs", "Versand und Zoll"],
  origin_country: ["Made in", "Hergestellt in"],
  yes: ["yes", "ja"],
});
