import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Why stock was changed, or an order cancelled, as people call it. */
const reasons: Texts = {
  CORRECTION: ["Import", "Import"],
  CYCLE_COUNT: ["Count", "Zählung"],
  DIRECT_ADJUSTMENT: ["Correction", "Korrektur"],
  INTER_WAREHOUSE: ["To another warehouse", "In ein anderes Lager"],
  MOVE: ["Moved", "Umgelagert"],
  PUTAWAY: ["Put away", "Eingelagert"],
  RECOUNT: ["Count again", "Nachzählung"],
  SHORT: ["Short pick", "Fehlmenge beim Picken"],
  SHORT_PICK: ["Short pick", "Fehlmenge beim Picken"],
  SYNC: ["Sync", "Abgleich"],
  admin_pick: ["Picked at the desk", "Am Schreibtisch gepickt"],
  customer_request: ["The customer asked", "Wunsch des Kunden"],
  discontinued: ["No longer available", "Nicht mehr lieferbar"],
  fulfilled_in_shop: ["Its shop fulfilled it by itself", "Der Shop hat ihn selbst erfüllt"],
  other: ["Other", "Anderer"],
  parent_cancelled: ["The order that it belongs to was cancelled", "Der zugehörige Auftrag wurde storniert"],
  refunded: ["The customer was refunded", "Kunde hat sein Geld zurück"],
  removed_in_shop: ["Its shop removed it", "Der Shop hat ihn gestrichen"],
  too_old: ["Fewer days left than it asks for", "Weniger Resttage, als er verlangt"],
};

/** A reason in words; undefined for one without a text. */
export const reasonName = (code: string): string | undefined => reasons[code]?.[language() === "de" ? 1 : 0];

/** The reason in words, and what was said about it. */
export function reasonText(adjustment: { reason_code: string; reason_detail: string | null }): string {
  const { reason_code, reason_detail } = adjustment;
  const reason = reasonName(reason_code) ?? reason_code.replaceAll("_", " ").toLowerCase();
  return reason_detail ? `${reason}: ${reason_detail}` : reason;
}
