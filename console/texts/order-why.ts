import { catalogue } from "./catalogue.js";

export { reasonText } from "./why.js";

export const t = catalogue({
  available: ["Available", "Verfügbar"],
  heldBySince: ["It is held by {by} since {time}.", "Er wird seit {time} von {by} angehalten."],
  heldBecause: ["Reason: {note}", "Grund: {note}"],
  heldHere: ["It is held for review, by the rule of its addresses.", "Er wird geprüft, nach der Regel für Adressen."],
  lacksOf: ["{units} × {sku} missing; where some lie:", "Es fehlen {units} × {sku}. Wo welche liegen:"],
  leftOut: ["{what} ({time}).", "{what} ({time})."],
  mayUse: ["it can have them", "kann er haben"],
  noReason: ["Nothing holds it up.", "Nichts hält ihn auf."],
  noUnits: ["There are none in the warehouse.", "Im Lager liegen keine."],
  reservedFor: ["Reserved for", "Reserviert für"],
  waitsForPicker: ["{wave} waits for a picker.", "{wave} wartet auf jemanden, der pickt."],
  waveByPicker: ["{by} put {wave} together on {time}.", "{by} hat {wave} zusammengestellt ({time})."],
  waveByRelease: ["{by} released {wave} on {time}.", "{by} hat {wave} freigegeben ({time})."],
  waveByTemplate: [
    "The template {template} released {wave} on {time}.",
    "Die Vorlage {template} hat {wave} freigegeben ({time}).",
  ],
  why: ["Why?", "Warum?"],
});
