import { catalogue } from "./catalogue.js";

export const t = catalogue({
  broken: ["Broken", "Kaputt"],
  carry: ["Carry them to another bin", "Auf einen anderen Platz bringen"],
  damage: ["Damage", "Schaden"],
  damageOf: ["Damaged in {bin}", "Beschädigt auf {bin}"],
  dirty: ["Wet or dirty", "Nass oder schmutzig"],
  leadDecides: [
    "{quantity} × {sku} in {bin} are out of sale. A lead decides about them: inspection {number}.",
    "{quantity} × {sku} auf {bin} sind aus dem Verkauf. Die Leitung entscheidet darüber: Prüfung {number}.",
  ],
  notThere: ["Nothing of {sku} lies there any more.", "Von {sku} liegt dort nichts mehr."],
  packaging: ["The packaging is torn", "Die Verpackung ist offen"],
  scanBin: ["Scan the bin", "Platz scannen"],
  scanMore: ["Scan one more of them", "Noch eins davon scannen"],
  spoiled: ["Spoiled or leaking", "Verdorben oder ausgelaufen"],
  whatHappened: ["What happened?", "Was ist passiert?"],
});
