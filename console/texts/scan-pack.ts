import { catalogue } from "./catalogue.js";

export const t = catalogue({
  complete: ["Close the parcel", "Paket schließen"],
  itemsOf: ["{packed} of {picked}", "{packed} von {picked}"],
  nothingPicked: [
    "Nothing was picked of this order. Tell the desk.",
    "Von diesem Auftrag wurde nichts gepickt. Sagen Sie es dem Büro.",
  ],
  nextOrder: ["Scan the next order", "Nächsten Auftrag scannen"],
  order: ["Order {number}", "Auftrag {number}"],
  otherItem: ["Another item first", "Erst ein anderer Artikel"],
  pack: ["Pack", "Packen"],
  packed: ["{number} is packed: {units} {units:pc|pcs}", "{number} ist gepackt: {units} Stück"],
  perScan: ["Units with the next scan", "Stück beim nächsten Scan"],
  short: ["({missing} missing)", "({missing} {missing:fehlt|fehlen})"],
  scanOrder: ["Scan an order or a tote", "Auftrag oder Behälter scannen"],
  scanSerial: ["Scan the serial number of the unit", "Seriennummer des Stücks scannen"],
  weight: ["Weight: {weight} lb", "Gewicht: {weight} lb"],
  toShip: ["Ship it", "Versenden"],
});
