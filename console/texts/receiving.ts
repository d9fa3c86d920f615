import { catalogue } from "./catalogue.js";

export const t = catalogue({
  bestBefore: ["best before", "haltbar bis"],
  binOf: ["Scan the bin", "Platz scannen"],
  book: ["Receive {quantity} × {sku}", "{quantity} × {sku} buchen"],
  bookAll: ["Receive {quantity} × {sku} all the same", "{quantity} × {sku} trotzdem buchen"],
  changeIt: ["Change it", "Ändern"],
  expected: ["Still to come", "Noch offen"],
  expiry_date: ["Last day", "Letzter Tag"],
  isMore: [
    "{quantity} is more than the {remaining} that are still to come, of {ordered} ordered.",
    "{quantity} sind mehr als die {remaining}, die von {ordered} bestellten noch offen sind.",
  ],
  lot_number: ["Lot", "Charge"],
  noMore: ["No more: {quantity} in all", "Keine weiteren: {quantity} insgesamt"],
  noSerial: [
    "This is a code of {sku}, not the serial number of a unit.",
    "Das ist ein Code von {sku}, nicht die Seriennummer eines Stücks.",
  ],
  notHere: ["This order is for another warehouse.", "Diese Bestellung ist für ein anderes Lager."],
  order: ["Order {number}", "Bestellung {number}"],
  otherItem: ["This is the label of {sku}.", "Das ist das Etikett von {sku}."],
  production_date: ["Day of production", "Tag der Herstellung"],
  received: ["Received {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} gebucht"],
  receive: ["Receive", "Wareneingang"],
  removeSerial: ["Remove {serial}", "{serial} entfernen"],
  remaining: ["{remaining} of {ordered}", "{remaining} von {ordered}"],
  scanLot: ["Scan the lot", "Charge scannen"],
  scanOrder: ["Scan the purchase order", "Bestellung scannen"],
  scanSerial: ["Scan serial number {number} of {quantity}", "Seriennummer {number} von {quantity} scannen"],
  serialTwice: ["{serial} is in the list already.", "{serial} steht schon in der Liste."],
});
