import { catalogue } from "./catalogue.js";

export const t = catalogue({
  carried: ["{quantity} × {sku} are in {bin}", "{quantity} × {sku} liegen auf {bin}"],
  carry: ["Put {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} legen"],
  giveBack: ["Give back", "Zurückgeben"],
  givenBack: ["Given back", "Zurückgegeben"],
  howMany: ["How many", "Wie viele"],
  lot: ["Lot", "Charge"],
  otherBin: ["That is {scanned}, not {bin}.", "Das ist {scanned}, nicht {bin}."],
  replenish: ["Fill up faces", "Greifplätze auffüllen"],
  scanFrom: ["Scan the reserve bin", "Reserveplatz scannen"],
  scanTo: ["Scan the pick face", "Greifplatz scannen"],
  short: ["No more there", "Nicht mehr da"],
  shortDone: ["The bin is to be counted", "Der Platz wird gezählt"],
  takeNext: ["Take the next task", "Nächste Aufgabe übernehmen"],
  urgent: ["For orders that wait", "Für wartende Aufträge"],
});
