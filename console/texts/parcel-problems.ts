import type { Texts } from "./catalogue.js";

/** What refusals of parcels and boxes mean, by their code. */
export const ofParcels = {
  box_cost: [
    "A box has a cost with its currency, or neither.",
    "Zu den Kosten einer Kiste gehört ihre Währung, oder beides fehlt.",
  ],
  box_exists: ["There is a box {box_code} already.", "Eine Kiste {box_code} gibt es schon."],
  box_in_use: [
    "Parcels were packed in box {box_code}. Take it out of use instead.",
    "In Kiste {box_code} wurde schon gepackt. Nehmen Sie sie stattdessen außer Betrieb.",
  ],
  box_not_found: ["There is no such box in use.", "Diese Kiste gibt es nicht, oder sie ist außer Betrieb."],
  box_overfull: [
    "What is in the parcel does not fit into box {box_code}: it has more volume.",
    "Der Inhalt passt nicht in Kiste {box_code}: er hat mehr Volumen.",
  ],
  item_too_large: ["{sku} is larger than box {box_code}.", "{sku} ist größer als Kiste {box_code}."],
  no_closed_parcel: ["No parcel of {so_number} is closed.", "Von {so_number} ist kein Paket geschlossen."],
  not_in_closed_parcel: [
    "{count} {count:unit|units} of {so_number} {count:is|are} in no closed parcel.",
    "{count} Stück von {so_number} {count:ist|sind} in keinem geschlossenen Paket.",
  ],
  nothing_left_to_pack: [
    "All that was picked for {so_number} is in parcels.",
    "Alles, was für {so_number} gepickt wurde, ist in Paketen.",
  ],
  order_in_parcels: [
    "{so_number} is packed in parcels, {closed} closed and {open} open: it is shipped by parcel.",
    "{so_number} ist in Paketen gepackt, {closed} geschlossen und {open} offen: er wird paketweise versandt.",
  ],
  over_box_weight: [
    "{weight_lbs} lb is too much for box {box_code}: at most {most} lb.",
    "{weight_lbs} lb ist zu viel für Kiste {box_code}: höchstens {most} lb.",
  ],
  over_take_out: ["Only {there} of {sku} are in the parcel.", "Im Paket sind nur {there} von {sku}."],
  parcel_empty: ["Nothing is in parcel {parcel_number}.", "Paket {parcel_number} ist leer."],
  parcel_labelled: [
    "Parcel {parcel_number} of {so_number} has a carrier's label: take that back first.",
    "Paket {parcel_number} von {so_number} hat ein Versandetikett: nehmen Sie das zuerst zurück.",
  ],
  parcel_line_not_found: ["The parcel has no such units.", "Das ist nicht im Paket."],
  parcel_not_found: ["There is no such parcel.", "Dieses Paket gibt es nicht."],
  parcel_wrong_status: [
    "That cannot be done with parcel {parcel_number} any more: {status}.",
    "Das geht mit Paket {parcel_number} nicht mehr: {status}.",
  ],
  partly_shipped: [
    "Parcels of this order were shipped. Take their shipments back first, or ship the rest.",
    "Pakete dieses Auftrags sind schon versandt. Nehmen Sie ihren Versand zurück, oder versenden Sie den Rest.",
  ],
  too_many_units: [
    "Boxes are suggested for at most {most} units: {units} are in no parcel.",
    "Kisten werden für höchstens {most} Stück vorgeschlagen: {units} sind in keinem Paket.",
  ],
  units_in_parcels: [
    "Units of this order are packed in parcels: void these first.",
    "Stücke dieses Auftrags sind in Paketen: verwerfen Sie diese zuerst.",
  ],
  weight_above_contents: [
    "{weight_lbs} lb is more than what is in it allows: {most} lb at most.",
    "{weight_lbs} lb ist mehr, als der Inhalt zulässt: höchstens {most} lb.",
  ],
  weight_below_contents: [
    "{weight_lbs} lb is less than what is in it weighs: at least {least} lb.",
    "{weight_lbs} lb ist weniger, als der Inhalt wiegt: {least} lb.",
  ],
  weight_unknown: [
    "The weight of {skus} is not known: weigh the parcel.",
    "Das Gewicht von {skus} ist nicht bekannt: bitte das Paket wiegen.",
  ],
} as const satisfies Texts;
