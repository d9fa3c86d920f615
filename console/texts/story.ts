import { language } from "../shared/language.js";
import { filled, nameIn, type Texts } from "./catalogue.js";

/**
 * What happened to an order, in sentences: by the action of the audit log, else by the type of the event with `_` for
 * its points, else by the kind of record. What stands behind `__` is a case of it that is said otherwise.
 */
const sentences: Texts = {
  CANCEL: ["It was cancelled", "Er wurde storniert"],
  CANCEL__refunded: ["It was refunded: nothing of it is shipped", "Er wurde erstattet: nichts davon wird versandt"],
  COLLECTION_LOAD: ["{tracking_number} was loaded: {carrier}", "{tracking_number} wurde verladen: {carrier}"],
  COLLECTION_UNLOAD: [
    "{tracking_number} was taken down from the truck of {carrier}",
    "{tracking_number} wurde vom Wagen von {carrier} wieder abgeladen",
  ],
  CREATE: ["Entered at the desk, lines: {lines}", "Am Schreibtisch erfasst, Positionen: {lines}"],
  CREATE__backorder: [
    "Backorder of {parent}, for what that lacked",
    "Rückstand von {parent}, für das, was dort fehlte",
  ],
  CREATE__import: ["Imported from a file, lines: {lines}", "Aus einer Datei importiert, Positionen: {lines}"],
  CREATE__part: ["Its shop added this to {parent}", "Nachtrag des Shops zu {parent}"],
  CREATE__push: ["Came from {source}, where it is {number}", "Kam von {source}, dort ist es {number}"],
  CREATE__return: ["A return of {parent} was opened", "Retoure zu {parent} wurde eröffnet"],
  FULFILLMENT_PUSH: ["{connector} was told of the shipment", "Die Sendung wurde {connector} gemeldet"],
  FULFILLMENT_PUSH__void: [
    "{connector} was told that the shipment was taken back",
    "{connector} wurde gemeldet, dass die Sendung zurückgenommen ist",
  ],
  FULFILLMENT_PUSH_GIVE_UP: [
    "{connector} could not be told of the shipment",
    "Die Sendung konnte {connector} nicht gemeldet werden",
  ],
  FULFILLMENT_PUSH_RETRY: ["{connector} is told once more", "Die Meldung an {connector} wird wiederholt"],
  LABEL_BOUGHT: [
    "Label bought of {carrier}, {service}: {tracking_number}",
    "Versandetikett von {carrier}, {service} gekauft: {tracking_number}",
  ],
  LABEL_BY_HAND: [
    "Label bought by hand of {carrier}: {tracking_number}",
    "Versandetikett von {carrier} von Hand gekauft: {tracking_number}",
  ],
  LABEL_CANCEL: ["A label was cancelled before it was bought", "Ein Versandetikett wurde vor dem Kauf abgebrochen"],
  LABEL_FAILED: ["A label was not bought: {why}", "Ein Versandetikett wurde nicht gekauft: {why}"],
  LABEL_REQUEST: [
    "A label was asked for parcel {parcel_number}",
    "Für Paket {parcel_number} wurde ein Etikett angefordert",
  ],
  LABEL_VOID: ["The label {tracking_number} is to be taken back", "Etikett {tracking_number} wird zurückgegeben"],
  LABEL_VOIDED: ["The label {tracking_number} was taken back", "Etikett {tracking_number} wurde zurückgenommen"],
  LABEL_VOID_FAILED: [
    "The label {tracking_number} was not taken back: {why}",
    "Etikett {tracking_number} wurde nicht zurückgenommen: {why}",
  ],
  LABEL_REFUNDED: ["The carrier paid back label {tracking_number}", "Etikett {tracking_number} wurde erstattet"],
  LABEL_REFUND_REJECTED: [
    "The carrier does not pay back label {tracking_number}",
    "Etikett {tracking_number} wird nicht erstattet",
  ],
  LABEL_WRITTEN_OFF: [
    "Label {tracking_number} was written off: {reason}",
    "Etikett {tracking_number} wurde abgeschrieben: {reason}",
  ],
  PACK: ["It was packed: {total_packed} {total_packed:unit|units}", "Er wurde gepackt: {total_packed} Stück"],
  PARCEL_CLOSE: [
    "Parcel {parcel_number} was closed: {quantity} {quantity:unit|units}, {weight_lbs} lb",
    "Paket {parcel_number} wurde geschlossen: {quantity} Stück, {weight_lbs} lb",
  ],
  PARCEL_AVAILABLE_FOR_PICKUP: [
    "Parcel {parcel_number} waits to be fetched: {place}",
    "Paket {parcel_number} liegt zur Abholung bereit: {place}",
  ],
  PARCEL_DELIVERED: ["Parcel {parcel_number} was delivered", "Paket {parcel_number} wurde zugestellt"],
  PARCEL_EXCEPTION: [
    "The carrier has a problem with parcel {parcel_number}: “{message}”",
    "Der Versanddienst hat ein Problem mit Paket {parcel_number}: „{message}“",
  ],
  PARCEL_IN_TRANSIT: ["Parcel {parcel_number} is on its way", "Paket {parcel_number} ist unterwegs"],
  PARCEL_OPEN: ["Parcel {parcel_number} was begun", "Paket {parcel_number} wurde begonnen"],
  PARCEL_OUT_FOR_DELIVERY: [
    "Parcel {parcel_number} is out for delivery",
    "Paket {parcel_number} ist in der Zustellung",
  ],
  PARCEL_REOPEN: ["Parcel {parcel_number} was opened again", "Paket {parcel_number} wurde wieder geöffnet"],
  PARCEL_RETURNED: ["Parcel {parcel_number} comes back: {message}", "Paket {parcel_number} kommt zurück: {message}"],
  PARCEL_TAKE_OUT: [
    "{quantity} × {sku} {quantity:was|were} taken out of parcel {parcel_number}",
    "{quantity} × {sku} {quantity:wurde|wurden} aus Paket {parcel_number} genommen",
  ],
  PARCEL_TRACKING_CLOSE: [
    "Parcel {parcel_number} is not waited for any more: {reason}",
    "Auf Paket {parcel_number} wird nicht mehr gewartet: {reason}",
  ],
  PARCEL_VOID: ["Parcel {parcel_number} was voided", "Paket {parcel_number} wurde verworfen"],
  PICK: ["{quantity_picked} × {sku} picked from {bin_code}", "{quantity_picked} × {sku} von {bin_code} gepickt"],
  PICK__short: [
    "Only {quantity_picked} of {quantity_to_pick} × {sku} were found in {bin_code}",
    "Nur {quantity_picked} von {quantity_to_pick} × {sku} lagen auf {bin_code}",
  ],
  POS_CHECKOUT: ["Sold at till {terminal_id}", "An Kasse {terminal_id} verkauft"],
  POS_REFERENCE_INGEST: [
    "Recorded at a till, as the order of another system",
    "An einer Kasse als Auftrag eines anderen Systems erfasst",
  ],
  POS_REFUND: ["Refund of {parent} at till {terminal_id}", "Erstattung von {parent} an Kasse {terminal_id}"],
  RETURN_CLOSE: ["The rest of the return is not expected any more", "Der Rest der Retoure wird nicht mehr erwartet"],
  RETURN_RECEIVE: [
    "{quantity} × {sku} came back, into {bin_code}",
    "{quantity} × {sku} {quantity:kam|kamen} zurück, auf {bin_code}",
  ],
  RETURN_RECEIVE_CANCEL: ["A receipt was taken back", "Ein Eingang wurde zurückgenommen"],
  RETURN_VOID: ["The return was voided", "Die Retoure wurde verworfen"],
  SHIP: ["It was shipped with {carrier}", "Er wurde mit {carrier} versandt"],
  SHIP__tracked: [
    "It was shipped with {carrier}, tracking number {tracking_number}",
    "Er wurde mit {carrier} versandt, Sendungsnummer {tracking_number}",
  ],
  SHIP_PART: ["A part of it was shipped with {carrier}", "Ein Teil wurde mit {carrier} versandt"],
  SHIP_VOID: ["The shipment was taken back", "Der Versand wurde zurückgenommen"],
  SO_ADDRESS_EDITED: ["The address was corrected", "Die Adresse wurde berichtigt"],
  SO_ALLOCATION_RELEASED: [
    "{quantity} {quantity:unit is|units are} in no wave any more",
    "{quantity} Stück {quantity:ist|sind} in keiner Welle mehr",
  ],
  SO_ALLOCATION_RELEASED__field: ["Fewer units are reserved", "Es sind weniger Stück reserviert"],
  SO_ALLOCATION_RELEASED__too_old: [
    "{quantity} {quantity:reserved unit was|reserved units were} released",
    "{quantity} {quantity:reserviertes Stück wurde|reservierte Stück wurden} frei",
  ],
  SO_HEADER_EDITED: ["It was changed", "Er wurde geändert"],
  SO_HELD: ["It is held", "Er wird angehalten"],
  SO_HELD__by_hand: ["It is held by hand", "Er wird von Hand angehalten"],
  SO_HELD__differs_from_shop: [
    "It is held: its shop wants something else of it",
    "Er wird angehalten: der Shop will etwas anderes",
  ],
  SO_HELD__on_hold_in_shop: ["It is held: its shop put it on hold", "Er wird angehalten, weil der Shop ihn anhält"],
  SO_HOLD_RELEASED: ["It is no longer held", "Er wird nicht mehr angehalten"],
  SO_LEFT_OUT: [
    "A wave was planned with it, and released without",
    "Eine Pickwelle mit ihm wurde ohne ihn freigegeben",
  ],
  SO_LEFT_OUT__held: [
    "A wave was released without it, as it is held",
    "Eine Pickwelle wurde ohne ihn freigegeben, weil er angehalten ist",
  ],
  SO_LEFT_OUT__in_batch: [
    "A wave was released without it, as it was in another",
    "Eine Pickwelle wurde ohne ihn freigegeben, weil er in einer anderen war",
  ],
  SO_LEFT_OUT__lacks_stock: [
    "A wave was released without it, as its stock was gone",
    "Eine Pickwelle wurde ohne ihn freigegeben, weil seine Ware weg war",
  ],
  SO_PARTIALLY_FULFILLED: [
    "What it lacks became backorder {backorder_so_number}",
    "Was fehlt, wurde zum Rückstand {backorder_so_number}",
  ],
  SO_PICK_RELEASED: [
    "{quantity} {quantity:picked unit was|picked units were} put back",
    "{quantity} {quantity:gepicktes Stück wurde|gepickte Stück wurden} zurückgelegt",
  ],
  SO_SHORT_DECIDED: ["It was decided what becomes of what is missing", "Über das Fehlende wurde entschieden"],
  SO_SHORT_DECIDED__cancel_rest: ["What is missing is no longer ordered", "Was fehlt, ist nicht mehr bestellt"],
  SO_SHORT_DECIDED__ship_short: ["It goes without what is missing", "Er geht ohne das, was fehlt"],
  SO_SHORT_DECIDED__wait: ["What is missing waits for stock", "Was fehlt, wartet auf Ware"],
  SO_SOURCE_SYSTEM_REASSIGNED: ["It belongs to another system now", "Er gehört jetzt zu einem anderen System"],
  SO_STATUS_CHANGED: ["Its status was changed", "Sein Status wurde geändert"],
  SO_STATUS_CHANGED__reopened: [
    "Its shop wants it after all: it is open again",
    "Der Shop will ihn doch: er ist wieder offen",
  ],
  SO_STATUS_CHANGED__reviewed: ["It was released from review", "Er wurde aus der Prüfung freigegeben"],
  SO_STATUS_CHANGED__stock: ["Stock came: it can be picked", "Ware kam: er kann gepickt werden"],
  SO_STATUS_REVERTED: ["It was set back to an earlier step", "Er wurde auf einen früheren Schritt zurückgesetzt"],
  SO_UNPACKED: ["It was unpacked", "Er wurde ausgepackt"],
  SO_UNSHIPPED: ["The shipment was undone", "Der Versand wurde rückgängig gemacht"],
  UPDATE: ["It was changed", "Er wurde geändert"],
  UPDATE__printed: ["Its picking ticket was printed", "Sein Pickschein wurde gedruckt"],
  UPDATE__push: ["{source} sent a newer version", "{source} hat eine neuere Fassung gesandt"],
  backorder_cancelled: ["Programs are told: backorder cancelled", "Meldung an Programme: Rückstand storniert"],
  backorder_fulfillable: ["Programs are told: its stock came", "Meldung an Programme: Ware ist da"],
  backorder_opened: ["Programs are told: backorder opened", "Meldung an Programme: Rückstand eröffnet"],
  delivery: ["Sent to {name}", "Gesandt an {name}"],
  event: ["Programs are told of it", "Meldung an Programme"],
  parcel_tracking_added: ["Programs are told: tracking number", "Meldung an Programme: Sendungsnummer"],
  pack_confirmed: ["Programs are told: packed", "Meldung an Programme: gepackt"],
  parcel_delivered: ["Programs are told: parcel delivered", "Meldung an Programme: Paket zugestellt"],
  parcel_exception: ["Programs are told: problem with a parcel", "Meldung an Programme: Problem mit einem Paket"],
  parcel_in_transit: ["Programs are told: parcel on its way", "Meldung an Programme: Paket unterwegs"],
  pick_confirmed: ["Programs are told: picked", "Meldung an Programme: gepickt"],
  push: ["{name} is told of the shipment", "Meldung der Sendung an {name}"],
  return_received: ["Programs are told: return received", "Meldung an Programme: Retoure eingegangen"],
  salesorderedit_completed: ["Programs are told: order changed", "Meldung an Programme: Auftrag geändert"],
  ship_confirmed: ["Programs are told: shipped", "Meldung an Programme: versandt"],
  carrier_collected: ["Programs are told: fetched by the carrier", "Meldung an Programme: vom Versanddienst abgeholt"],
  ship_voided: ["Programs are told: shipment taken back", "Meldung an Programme: Versand zurückgenommen"],
  shipment: ["Parcel {name}", "Sendung {name}"],
  wave: ["It was put into wave {name}", "Er kam in Pickwelle {name}"],
};

const service = ["the service itself", "der Dienst selbst"] as const;

/** What people call who did something: users go by their names, and what `system` did nobody did. */
export const actorText = (by: string | null, name: string | null): string =>
  by === null ? "" : (name ?? service[language() === "de" ? 1 : 0]);

/**
 * The sentence of a happening, with its values in it; in its own words where the case is said otherwise. Undefined
 * where there is none.
 */
export function sentenceOf(name: string, which: string | undefined, values: Record<string, unknown>) {
  const key = name.replaceAll(".", "_");
  const text = (which && nameIn(sentences, `${key}__${which}`)) || nameIn(sentences, key);
  return text && filled(text, values, () => "–");
}
