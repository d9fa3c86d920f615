import { filled, nameIn, type Texts } from "./catalogue.js";

/** What comes next for an order, by the service's code; what stands behind `__` is said where less is known. */
const steps: Texts = {
  cancelled: ["Cancelled: nothing comes next", "Storniert: es kommt nichts mehr"],
  cancelled__by: ["Cancelled by {by}: nothing comes next", "Storniert von {by}: es kommt nichts mehr"],
  cancelled__by_reason: ["Cancelled by {by} because: {reason}", "Storniert von {by}, Grund: {reason}"],
  cancelled__reason: ["Cancelled because: {reason}", "Storniert, Grund: {reason}"],
  documents_refund: ["Documents a refund: there is nothing to do", "Beleg einer Erstattung: nichts zu tun"],
  held_by_hand: [
    "Held by hand: nothing happens until somebody releases it",
    "Von Hand angehalten: nichts geschieht, bis jemand ihn freigibt",
  ],
  held_differs_from_shop: [
    "Held, as it differs from its shop: release it as it is, change it or cancel it",
    "Angehalten, weil er vom Shop abweicht: so freigeben, ändern oder stornieren",
  ],
  held_on_hold_in_shop: ["Held until its shop wants it shipped", "Angehalten, bis der Shop ihn versandt haben will"],
  in_wave: ["In wave {wave}, which waits for a picker", "In Pickwelle {wave}, die auf einen Picker wartet"],
  in_wave__by: ["Being picked in wave {wave} by {by}", "Wird in Pickwelle {wave} von {by} gepickt"],
  pack: ["To be packed", "Zu packen"],
  pick: ["Ready to be picked", "Kann gepickt werden"],
  picked_short: [
    "Picked short, {missing} missing: decide what becomes of it",
    "Mit Fehlmenge gepickt, es fehlen {missing}: bitte entscheiden, was daraus wird",
  ],
  refunded: ["Refunded: nothing of it is shipped", "Erstattet: nichts davon wird versandt"],
  returned: ["All of it came back", "Alles ist zurück"],
  review: [
    "Held for review: look at its addresses, then release or cancel it",
    "In Prüfung: bitte die Adressen ansehen, dann freigeben oder stornieren",
  ],
  ship: ["To be shipped", "Zu versenden"],
  shipped: ["Shipped on {day}", "Versandt am {day}"],
  shipped__carrier: ["Shipped on {day} with {carrier}", "Versandt am {day} mit {carrier}"],
  shipped__carrier_tracking: [
    "Shipped on {day} with {carrier}, tracking number {tracking}",
    "Versandt am {day} mit {carrier}, Sendungsnummer {tracking}",
  ],
  shipped__carrier_missing: [
    "Shipped on {day} with {carrier}, without {missing}",
    "Versandt am {day} mit {carrier}, ohne {missing}",
  ],
  shipped__carrier_tracking_missing: [
    "Shipped on {day} with {carrier}, tracking number {tracking}, without {missing}",
    "Versandt am {day} mit {carrier}, Sendungsnummer {tracking}, ohne {missing}",
  ],
  shipped__missing: ["Shipped on {day}, without {missing}", "Versandt am {day}, ohne {missing}"],
  voided: ["Voided: nothing comes back", "Verworfen: es kommt nichts zurück"],
  wait_for_return: ["Waits for what comes back", "Wartet auf die Rücksendung"],
  wait_for_return__missing: ["Waits for what comes back: {missing}", "Wartet auf die Rücksendung von {missing}"],
  wait_for_stock: ["Waits for stock", "Wartet auf Ware"],
  wait_for_stock__missing: ["Waits for stock: {missing} missing", "Wartet auf Ware: es fehlen {missing}"],
  wait_for_stock__missing_days: [
    "Waits for stock with at least {days} {days:day|days} left: {missing} missing",
    "Wartet auf Ware mit mindestens {days} {days:Resttag|Resttagen}: es fehlen {missing}",
  ],
};

/** The step with its values: in the words for all that are known of those that it may have. */
export function stepText(code: string, values: Record<string, string | null>): string | undefined {
  const known = Object.keys(values).filter((name) => values[name] && name !== "wave" && name !== "day");
  const text = nameIn(steps, `${code}__${known.join("_")}`) ?? nameIn(steps, code);
  return text && filled(text, values, () => "–");
}
