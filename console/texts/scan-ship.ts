import { catalogue } from "./catalogue.js";

export const t = catalogue({
  addressChanged: [
    "The label says a former address: the desk takes it back, and buys another.",
    "Auf dem Etikett steht eine frühere Adresse: das Büro nimmt es zurück und kauft ein anderes.",
  ],
  carrier: ["Carrier", "Paketdienst"],
  isAnother: [
    "is another order. Scan the number on the parcel.",
    "ist ein anderer Auftrag. Die Nummer am Paket scannen.",
  ],
  isOrder: ["is this order. Scan the number on the parcel.", "ist dieser Auftrag. Die Nummer am Paket scannen."],
  isShort: [
    "Less was picked than was ordered, and the desk has not decided about {missing}.",
    "Es wurde weniger gepickt als bestellt, und das Büro hat über {missing} noch nicht entschieden.",
  ],
  leaveIt: ["Leave it here until the desk decides", "Hier lassen, bis das Büro entscheidet"],
  noNumber: ["no label yet: it stays, or is scanned", "noch kein Etikett: es bleibt hier, oder wird gescannt"],
  order: ["Order {number}", "Auftrag {number}"],
  parcel: ["Parcel {number}", "Paket {number}"],
  parcelsShipped: ["{number}: parcels that left: {count}", "{number}: Pakete unterwegs: {count}"],
  scanAnother: ["Scan another tracking number instead", "Stattdessen andere Sendungsnummer scannen"],
  scanParcel: ["Scan a parcel without a label", "Paket ohne Etikett scannen"],
  scanTracking: ["Scan the tracking number", "Sendungsnummer scannen"],
  ship: ["Ship", "Versand"],
  shipParcels: ["Ship parcels: {count}", "Pakete versenden: {count}"],
  shipNow: ["Ship with {carrier}", "Mit {carrier} versenden"],
  shipShort: ["Ship without the rest", "Ohne den Rest versenden"],
  shipped: ["{number} left with {carrier}: {tracking}", "{number} ist mit {carrier} unterwegs: {tracking}"],
  tracking: ["Tracking number", "Sendungsnummer"],
  wanted: ["Wanted: {method}", "Gewünscht: {method}"],
});
