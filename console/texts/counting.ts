import { catalogue } from "./catalogue.js";

export const t = catalogue({
  approveAll: ["Approve all", "Alle freigeben"],
  approveAllTitle: [
    "Approve {count} {count:adjustment|adjustments}?",
    "{count} {count:Korrektur|Korrekturen} freigeben?",
  ],
  approveTitle: ["Approve {change} × {sku} in {bin}?", "{change} × {sku} auf {bin} freigeben?"],
  binsToCount: ["Bins", "Plätze"],
  completed: ["Counted", "Gezählt am"],
  count: ["Count {number}", "Zählung {number}"],
  counted: ["Counted", "Gezählt"],
  countedAtScanner: [
    "Whoever is on the floor counts it: “Count” at the scanner lists it.",
    "Wer im Lager ist, zählt sie: „Zählen“ am Scanner führt sie auf.",
  ],
  counter: ["Counted by", "Gezählt von"],
  counts: ["Counts", "Zählungen"],
  expected: ["Expected", "Erwartet"],
  foundLotHint: [
    "Of the units that were found; without it, the only lot that lies there",
    "Der gefundenen Stück; sonst die einzige Charge, die dort liegt",
  ],
  linesDiffer: ["{count} {count:line differs|lines differ}", "{count} {count:Position weicht|Positionen weichen} ab"],
  newCount: ["New count", "Neue Zählung"],
  noAdjustments: ["No difference", "Keine Abweichung"],
  noLines: ["The bin is empty, as far as is known", "Der Platz ist leer, soweit bekannt"],
  oneLineDiffers: ["1 line differs", "1 Position weicht ab"],
  rejectAll: ["Reject all", "Alle ablehnen"],
  rejectAllTitle: ["Reject {count} {count:adjustment|adjustments}?", "{count} {count:Korrektur|Korrekturen} ablehnen?"],
  rejectTitle: ["Reject {change} × {sku} in {bin}?", "{change} × {sku} auf {bin} ablehnen?"],
  review: ["To review", "Zu prüfen"],
  replacedBy: ["Counted again in count {number}", "Neu gezählt in Zählung {number}"],
  reported: ["Reported by", "Gemeldet von"],
  unexpected: ["unexpected", "unerwartet"],
  variance: ["Difference", "Abweichung"],
  when: ["When", "Wann"],
});
