import { catalogue } from "./catalogue.js";

export const t = catalogue({
  carrier: ["Carrier", "Paketdienst"],
  isAnother: [
    "is another order. Scan the number on the parcel.",
    "ist ein anderer Auftrag. Die Nummer am Paket scannen.",
  ],
  isOrder: ["is this order. Scan the number on the parcel.", "ist dieser Auftrag. Die Nummer am Paket scannen."],
  order: ["Order {number}", "Auftrag {number}"],
  scanAnother: ["Scan another tracking number instead", "Stattdessen andere Sendungsnummer scannen"],
  scanTracking: ["Scan the tracking number", "Sendungsnummer scannen"],
  ship: ["Ship", "Versand"],
  shipNow: ["Ship with {carrier}", "Mit {carrier} versenden"],
  shipped: ["{number} left with {carrier}: {tracking}", "{number} ist mit {carrier} unterwegs: {tracking}"],
  tracking: ["Tracking number", "Sendungsnummer"],
  wanted: ["Wanted: {method}", "Gewünscht: {method}"],
});
