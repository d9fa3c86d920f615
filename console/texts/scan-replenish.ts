import { catalogue } from "./catalogue.js";

export const t = catalogue({
  carried: ["{quantity} × {sku} put into {bin}", "{quantity} × {sku} auf {bin} gelegt"],
  carry: ["{units} from {from} to {to}", "{units} von {from} nach {to}"],
  fromTo: ["From {from} to {to}", "Von {from} nach {to}"],
  fromReserve: ["Take from the reserve bin", "Aus dem Reserveplatz holen"],
  giveBack: ["Give it back, for somebody else", "Zurückgeben, für jemand anderen"],
  givenBack: ["The rest waits for somebody else.", "Der Rest wartet auf jemand anderen."],
  noMore: ["No more there", "Dort ist nichts mehr"],
  noTaskHere: ["Nothing is to be taken from there.", "Von dort ist nichts zu holen."],
  nothing: ["No pick face is to be filled up.", "Kein Greifplatz ist aufzufüllen."],
  notThisBin: ["is another bin; {wanted} is asked for.", "ist ein anderer Platz; gefragt ist {wanted}."],
  put: ["Put {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} legen"],
  replenish: ["Fill up faces", "Greifplätze auffüllen"],
  scanAnyReserve: ["Scan a reserve bin", "Reserveplatz scannen"],
  scanFace: ["Scan the pick face", "Greifplatz scannen"],
  scanReserve: ["Scan the reserve bin", "Reserveplatz scannen"],
  shortHint: [
    "Put what you have into the pick face first. Then say so here: the task ends, and {bin} is counted.",
    "Legen Sie zuerst auf den Greifplatz, was Sie haben. Dann hier melden: Die Aufgabe endet, und {bin} wird gezählt.",
  ],
  shortNow: ["There is no more of it", "Es ist nichts mehr da"],
  takeFirst: ["Take the first", "Erste übernehmen"],
  toFace: ["Put into the pick face", "Auf den Greifplatz legen"],
  urgent: ["orders wait", "Aufträge warten"],
  waiting: ["Waiting", "Wartet"],
  willBeCounted: ["The task has ended; {bin} will be counted.", "Die Aufgabe ist beendet; {bin} wird gezählt."],
});
