import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Why stock was changed, an order held or cancelled, or something paused, as people call it. */
const reasons: Texts = {
  CORRECTION: ["Import", "Import"],
  CYCLE_COUNT: ["Count", "Zählung"],
  DIRECT_ADJUSTMENT: ["Correction", "Korrektur"],
  INTER_WAREHOUSE: ["To another warehouse", "In ein anderes Lager"],
  MOVE: ["Moved", "Umgelagert"],
  PUTAWAY: ["Put away", "Eingelagert"],
  RECOUNT: ["Count again", "Nachzählung"],
  REPLENISH: ["Filled up", "Aufgefüllt"],
  available_for_pickup: ["Waits to be fetched", "Liegt zur Abholung bereit"],
  delivered: ["Delivered", "Zugestellt"],
  exception: ["Problem at the carrier", "Problem beim Versanddienst"],
  in_transit: ["On its way", "Unterwegs"],
  out_for_delivery: ["Out for delivery", "In der Zustellung"],
  pre_transit: ["Not with the carrier yet", "Noch nicht beim Versanddienst"],
  returned: ["Comes back", "Kommt zurück"],
  SHORT: ["Short pick", "Fehlmenge beim Picken"],
  SHORT_PICK: ["Short pick", "Fehlmenge beim Picken"],
  SYNC: ["Sync", "Abgleich"],
  admin_pick: ["Picked at the desk", "Am Schreibtisch gepickt"],
  by_hand: ["Held by hand", "Von Hand angehalten"],
  canonical_constraint_violation: ["Breaks a rule of the data", "Verletzt eine Regel der Daten"],
  cross_system_lookup_miss: ["Names a record that has not come yet", "Nennt einen Datensatz, der noch fehlt"],
  customer_request: ["The customer asked", "Wunsch des Kunden"],
  differs_from_shop: ["Its shop wants something else", "Der Shop will etwas anderes"],
  discontinued: ["No longer available", "Nicht mehr lieferbar"],
  dlq_ceiling: ["Too many events were given up", "Zu viele Ereignisse wurden aufgegeben"],
  duplicate_sku: ["Another item has its SKU too", "Seine SKU hat auch ein anderer Artikel"],
  fulfilled_in_shop: ["Its shop fulfilled it by itself", "Der Shop hat ihn selbst erfüllt"],
  gone: ["Its receiver has ended it", "Der Empfänger hat ihn beendet"],
  label_address_refused: ["The carrier does not accept the address", "Der Versanddienst nimmt die Anschrift nicht an"],
  label_not_paid: ["The carrier account is not paid", "Das Konto beim Versanddienst ist nicht gedeckt"],
  label_not_refundable: ["The carrier does not take it back", "Der Versanddienst nimmt es nicht zurück"],
  label_refused: ["The carrier refuses it", "Der Versanddienst lehnt es ab"],
  label_service_not_available: ["No service takes this parcel", "Kein Dienst nimmt dieses Paket"],
  lines_in_flight: ["Work on it has begun", "Daran wird schon gearbeitet"],
  lock_held: ["It was being written just then", "Er wurde gerade anderswo geschrieben"],
  malformed_config: ["Its configuration cannot be read", "Seine Einstellungen sind nicht lesbar"],
  malformed_filter: ["Its filter cannot be read", "Sein Filter ist nicht lesbar"],
  mapping_apply_error: ["Does not fit its mapping", "Passt nicht zu seiner Zuordnung"],
  mapping_document_not_loaded: ["There is no mapping for it", "Dafür gibt es keine Zuordnung"],
  on_hold_in_shop: ["Its shop holds it", "Der Shop hält ihn zurück"],
  order_in_another_warehouse: ["Another warehouse has the order", "Ein anderes Lager hat den Auftrag"],
  other: ["Other", "Anderer"],
  parent_cancelled: ["The order that it belongs to was cancelled", "Der zugehörige Auftrag wurde storniert"],
  pending_ceiling: ["Too much waits to be sent", "Zu viel wartet auf den Versand"],
  refunded: ["The customer was refunded", "Kunde hat sein Geld zurück"],
  removed_in_shop: ["Its shop removed it", "Der Shop hat ihn gestrichen"],
  stale_version: ["Older than what is here", "Älter als das, was da ist"],
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
