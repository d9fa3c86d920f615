import { catalogue } from "./catalogue.js";

export const t = catalogue({
  about: ["Record", "Datensatz"],
  action: ["Action", "Vorgang"],
  after: ["After", "Nachher"],
  audit: ["Audit log", "Protokoll"],
  before: ["Before", "Vorher"],
  changes: ["What was changed", "Was geändert wurde"],
  device: ["Device", "Gerät"],
  field: ["Field", "Feld"],
  hash: ["Hash of the row", "Hash der Zeile"],
  head: ["Newest hash", "Neuester Hash"],
  itemId: ["Item ID", "Artikel-ID"],
  newestSeal: ["Newest sealed number", "Neueste versiegelte Nummer"],
  no: ["no", "nein"],
  notYet: ["Not sealed yet", "Noch nicht versiegelt"],
  record: ["Record", "Aufzeichnung"],
  seal: ["Seal", "Siegel"],
  sealHint: [
    "The hash of a row covers the row and the hash before it: a row that is changed or removed later is found.",
    "Der Hash einer Zeile umfasst sie und den Hash davor: Spätere Änderungen und Löschungen werden gefunden.",
  ],
  sealKeep: [
    "Keep the newest number and hash elsewhere, daily: they show it even when the whole chain was written anew.",
    "Bewahren Sie täglich die neueste Nummer samt Hash anderswo auf: Das zeigt auch eine neu geschriebene Kette.",
  ],
  unsealed: ["About to be sealed", "Wird gleich versiegelt"],
  verify: ["The whole chain is verified by", "Die ganze Kette prüft"],
  what: ["What happened", "Was geschehen ist"],
  yes: ["yes", "ja"],
});
