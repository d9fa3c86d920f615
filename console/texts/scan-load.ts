import { catalogue } from "./catalogue.js";

export const t = catalogue({
  collection: ["{carrier}, {day}", "{carrier}, {day}"],
  driver: ["Driver", "Fahrer"],
  handOver: ["Hand over", "Übergeben"],
  handOverAnyway: ["Hand over without {missing}", "Ohne {missing} übergeben"],
  furtherManifest: [
    "A further manifest is being made of what came late: give it to the driver.",
    "Für das, was später kam, entsteht ein weiteres Manifest: geben Sie es dem Fahrer mit.",
  ],
  handedOver: [
    "{carrier} has {loaded} parcels. Left here: {missing}.",
    "{carrier} hat {loaded} Pakete. Hier geblieben: {missing}.",
  ],
  isLoaded: ["{what} is loaded", "{what} ist verladen"],
  isLoadedLate: [
    "{what} is loaded. It is on no manifest yet: a further one is made as the truck leaves",
    "{what} ist verladen. Es steht noch auf keinem Manifest: ein weiteres entsteht, wenn der Wagen fährt",
  ],
  isTakenOff: ["{what} is not loaded any more", "{what} ist nicht mehr verladen"],
  load: ["Load truck", "Verladen"],
  loadInstead: ["Go on loading", "Weiter verladen"],
  manifest: ["Manifest", "Manifest"],
  missing: ["Not loaded yet", "Noch nicht verladen"],
  none: ["No carrier fetches anything here now.", "Hier holt gerade kein Versanddienst etwas ab."],
  notShipped: ["not shipped yet", "noch nicht versandt"],
  ofAll: ["{loaded} of {parcels}", "{loaded} von {parcels}"],
  parcelOf: ["{order}, parcel {number}", "{order}, Paket {number}"],
  scan: ["Scan a parcel", "Paket scannen"],
  takeOff: ["Scan what comes down again", "Scannen, was wieder heruntergeht"],
  takeOffInstead: ["Take one down again", "Eines wieder abladen"],
});
