import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Why stock was adjusted, as people call it. */
const reasons: Texts = {
  CORRECTION: ["Import", "Import"],
  CYCLE_COUNT: ["Count", "Zählung"],
  DIRECT_ADJUSTMENT: ["Correction", "Korrektur"],
  RECOUNT: ["Count again", "Nachzählung"],
  SHORT: ["Short pick", "Fehlmenge beim Picken"],
  SYNC: ["Sync", "Abgleich"],
};

/** The reason in words, and what was said about it. */
export function reasonText(adjustment: { reason_code: string; reason_detail: string | null }): string {
  const { reason_code, reason_detail } = adjustment;
  const reason = reasons[reason_code]?.[language() === "de" ? 1 : 0] ?? reason_code.replaceAll("_", " ").toLowerCase();
  return reason_detail ? `${reason}: ${reason_detail}` : reason;
}
