import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Types of bins and zones, as people call them. */
const types: Texts = {
  DAMAGE: ["Damaged goods", "Schadware"],
  PICKING: ["Picking", "Kommissionierung"],
  Pickable: ["Picking", "Pickplatz"],
  PickableStaging: ["Staging, also for picking", "Bereitstellplatz, auch zum Picken"],
  QUALITY: ["Quality check", "Qualitätsprüfung"],
  RECEIVING: ["Receiving", "Wareneingang"],
  SHIPPING: ["Shipping", "Versand"],
  STAGING: ["Staging", "Bereitstellung"],
  STORAGE: ["Storage", "Lagerung"],
  Staging: ["Staging", "Bereitstellplatz"],
};

/** One without a text is shown as the service calls it. */
export const typeText = (type: string): string => types[type]?.[language() === "de" ? 1 : 0] ?? type;

const choicesOf = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, typeText(name)]));

export const binTypes = () => choicesOf("Pickable", "PickableStaging", "Staging");
export const zoneTypes = () => choicesOf("STORAGE", "RECEIVING", "STAGING", "SHIPPING", "QUALITY", "DAMAGE");
