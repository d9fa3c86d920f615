import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Why stock was changed, as people call it. */
const reasons: Texts = {
  CORRECTION: ["Import", "Import"],
  CYCLE_COUNT: ["Count", "Zählung"],
  DIRECT_ADJUSTMENT: ["Correction", "Korrektur"],
  RECOUNT: ["Count again", "Nachzählung"],
  SHORT: ["Short pick", "Fehlmenge beim Picken"],
  SYNC: ["Sync", "Abgleich"],
  admin_pick: ["Picked at the desk", "Am Schreibtisch gepickt"],
};

/** A reason in words; undefined for one without a text. */
export const reasonName = (code: string): string | undefined => reasons[code]?.[language() === "de" ? 1 : 0];

/** The reason in words, and what was said about it. */
export function reasonText(adjustment: { reason_code: string; reason_detail: string | null }): string {
  const { reason_code, reason_detail } = adjustment;
  const reason = reasonName(reason_code) ?? reason_code.replaceAll("_", " ").toLowerCase();
  return reason_detail ? `${reason}: ${reason_detail}` : reason;
}
