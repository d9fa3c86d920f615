import { catalogue } from "./catalogue.js";

export const t = catalogue({
  asNew: ["As new: sold again", "Wie neu: wird wieder verkauft"],
  book: ["Receive {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} buchen"],
  condition: ["In which condition?", "In welchem Zustand?"],
  damaged: ["Damaged", "Beschädigt"],
  expected: ["Still to come", "Noch offen"],
  inspected: [
    "{quantity} × {sku} are in {bin}, not sold until a lead has decided: inspection {number}.",
    "{quantity} × {sku} liegen auf {bin} und werden erst verkauft, wenn die Leitung entschieden hat: Prüfung {number}.",
  ],
  isComplete: ["{number}: all of it has come.", "{number}: Alles ist eingegangen."],
  ofOrder: ["of order {number}", "zu Auftrag {number}"],
  opened: ["Opened", "Geöffnet"],
  received: ["Received {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} gebucht"],
  remaining: ["{remaining} of {expected}", "{remaining} von {expected}"],
  returnOf: ["Return {number}", "Retoure {number}"],
  returns: ["Returns", "Retouren"],
  scanBin: ["Scan the bin", "Platz scannen"],
  scanReturn: ["Scan the return, its order or the label of the parcel", "Retoure, Auftrag oder Paketetikett scannen"],
  takeBack: ["Take it back", "Zurücknehmen"],
  takenBack: [
    "{quantity} × {sku} are taken back: they are still to come.",
    "{quantity} × {sku} sind zurückgenommen und wieder offen.",
  ],
  whichReturn: ["Which return?", "Welche Retoure?"],
});
