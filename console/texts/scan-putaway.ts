import { catalogue } from "./catalogue.js";

export const t = catalogue({
  default_bin: ["It is the item's default bin, and has room.", "Es ist der Standardplatz des Artikels und hat Platz."],
  lostBin: ["{bin} has no room for it", "{bin} hat keinen Platz dafür"],
  lostMore: ["and {count} more", "und {count} weitere"],
  lostRule: ["{rule}: no bin with room", "{rule}: kein Platz frei"],
  lostVolume: ["{bin} is too small for it", "{bin} ist zu klein dafür"],
  lostWeight: ["{bin} does not carry so much", "{bin} trägt nicht so viel"],
  no_bin: ["No bin that the rules allow has room.", "Kein Platz, den die Regeln erlauben, ist frei."],
  no_rule: ["No rule is for this item.", "Für diesen Artikel gibt es keine Regel."],
  notTaken: ["What came before:", "Was davor kam:"],
  notChecked: [
    "The house has not checked this yet: it is booked once the net is back.",
    "Noch nicht geprüft: gebucht wird, sobald wieder ein Netz da ist.",
  ],
  nothing: ["Nothing waits to be put away.", "Es wartet nichts auf die Einlagerung."],
  preferred_bin: [
    "It is a preferred bin of the item, and has room.",
    "Es ist ein bevorzugter Platz des Artikels und hat Platz.",
  ],
  put: ["Put {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} einlagern"],
  putAway: ["Put away", "Einlagern"],
  putDone: ["{quantity} × {sku} put into {bin}", "{quantity} × {sku} auf {bin} eingelagert"],
  putKept: ["Kept without the net: {quantity} × {sku} into {to}", "Ohne Netz behalten: {quantity} × {sku} auf {to}"],
  rule: [
    "It is the nearest bin with room by the rule {rule}.",
    "Es ist der nächste freie Platz nach der Regel {rule}.",
  ],
  scanBin: ["Scan the bin", "Platz scannen"],
  suggested: ["Best put into", "Am besten auf"],
  useIt: ["I am there", "Da bin ich"],
  waiting: ["Waiting", "Wartet"],
  whyHere: ["Why here?", "Warum hier?"],
  whyNowhere: ["Why is no bin suggested?", "Warum wird kein Platz vorgeschlagen?"],
});
