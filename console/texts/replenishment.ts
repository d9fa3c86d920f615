import { catalogue } from "./catalogue.js";

export const t = catalogue({
  cancelHint: [
    "What was carried stays in the pick face. As long as that lacks units, it gets another task at once.",
    "Was schon getragen wurde, bleibt am Greifplatz. Solange dort etwas fehlt, entsteht sofort eine neue Aufgabe.",
  ],
  cancelTask: ["Cancel task", "Aufgabe abbrechen"],
  cancelTitle: ["Carry no more {sku} to {bin}?", "{sku} nicht weiter nach {bin} tragen?"],
  carried: ["Carried", "Getragen"],
  carrier: ["Who", "Wer"],
  carriedOf: ["{done} of {all}", "{done} von {all}"],
  created: ["Since", "Seit"],
  fromReserve: ["From reserve", "Aus Reserve"],
  ordersWait: ["orders wait", "Aufträge warten"],
  replenishment: ["Replenishment", "Nachschub"],
  toFace: ["To pick face", "Zum Greifplatz"],
  urgent: ["Urgent", "Dringend"],
});
