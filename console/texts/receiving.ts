import { catalogue } from "./catalogue.js";

export const t = catalogue({
  bestBefore: ["best before", "haltbar bis"],
  binOf: ["Scan the bin", "Platz scannen"],
  book: ["Receive {quantity} × {sku}", "{quantity} × {sku} buchen"],
  expected: ["Still to come", "Noch offen"],
  howMany: ["How many?", "Wie viele?"],
  lotOf: ["Lot", "Charge"],
  notHere: ["This order is for another warehouse.", "Diese Bestellung ist für ein anderes Lager."],
  notOnOrder: ["{code} is not on this order.", "{code} steht nicht auf dieser Bestellung."],
  order: ["Order {number}", "Bestellung {number}"],
  received: ["Received {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} gebucht"],
  receive: ["Receive", "Wareneingang"],
  remaining: ["{remaining} of {ordered}", "{remaining} von {ordered}"],
  scanItem: ["Scan an item", "Artikel scannen"],
  scanOrder: ["Scan the purchase order", "Bestellung scannen"],
});
