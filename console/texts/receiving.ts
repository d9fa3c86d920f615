import { catalogue } from "./catalogue.js";

export const t = catalogue({
  allReceived: ["All of it has come.", "Alles ist eingegangen."],
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
  kept: ["Kept without the net: {quantity} × {sku} for {bin}", "Ohne Netz behalten: {quantity} × {sku} für {bin}"],
  lot_number: ["Lot", "Charge"],
  noMore: ["No more: {quantity} in all", "Keine weiteren: {quantity} insgesamt"],
  noSerial: [
    "This is a code of {sku}, not the serial number of a unit.",
    "Das ist ein Code von {sku}, nicht die Seriennummer eines Stücks.",
  ],
  noneOnDevice: [
    "There is no net, and no delivery of this warehouse is on this device. One that is opened in the net is.",
    "Kein Netz, und keine Bestellung dieses Lagers ist auf dem Gerät. Mit Netz geöffnet, ist sie es.",
  ],
  notPutAway: [
    "Not put away: {quantity} × {sku} from {from} into {to}",
    "Nicht eingelagert: {quantity} × {sku} von {from} auf {to}",
  ],
  notReceived: [
    "Not received: {quantity} × {sku} of {po} into {bin}",
    "Nicht gebucht: {quantity} × {sku} von {po} auf {bin}",
  ],
  notHere: ["This order is for another warehouse.", "Diese Bestellung ist für ein anderes Lager."],
  onDevice: ["On this device", "Auf diesem Gerät"],
  order: ["Order {number}", "Bestellung {number}"],
  orderNotOnDevice: [
    "There is no net, and this order was not opened on this device.",
    "Kein Netz, und diese Bestellung wurde auf diesem Gerät nicht geöffnet.",
  ],
  otherItem: ["This is the label of {sku}.", "Das ist das Etikett von {sku}."],
  production_date: ["Day of production", "Tag der Herstellung"],
  putAgain: ["Put them away again", "Noch einmal einlagern"],
  putByHand: [
    "They lie in {to}, but still in {from} in the books.",
    "Die Ware liegt auf {to}, in den Büchern aber noch auf {from}.",
  ],
  putByHandUnreceived: [
    "They lie in {to}, and are not in the books at all: receive them first, then put them away.",
    "Die Ware liegt auf {to} und ist noch gar nicht gebucht: erst buchen, dann einlagern.",
  ],
  receiveAgain: ["Receive them again", "Noch einmal buchen"],
  receivedByHand: [
    "You have {quantity} × {sku} that are not in the books: receive them again, or put them aside for the desk.",
    "{quantity} × {sku} liegen hier ungebucht: noch einmal buchen oder für die Leitstelle zur Seite stellen.",
  ],
  tellLot: ["Say the lot or the last day", "Charge oder letzten Tag angeben"],
  received: ["Received {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} gebucht"],
  receive: ["Receive", "Wareneingang"],
  refusedHint: [
    "The net is back. Scans sent: {done}. These were refused, so the books do not have them:",
    "Das Netz ist wieder da. Gesendete Scans: {done}. Diese wurden abgelehnt und sind nicht gebucht:",
  ],
  refusedTitle: ["Refused", "Abgelehnt"],
  removeSerial: ["Remove {serial}", "{serial} entfernen"],
  receivedOf: ["{received} of {ordered} received", "{received} von {ordered} gebucht"],
  scanLot: ["Scan the lot", "Charge scannen"],
  scanOrder: ["Scan the purchase order", "Bestellung scannen"],
  scanSerial: ["Scan serial number {number} of {quantity}", "Seriennummer {number} von {quantity} scannen"],
  seenTo: ["I have seen to all of it", "Alles ist erledigt"],
  serialTwice: ["{serial} is in the list already.", "{serial} steht schon in der Liste."],
  unitsLeft: ["{units} to come", "{units} offen"],
});
