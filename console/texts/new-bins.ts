import { catalogue } from "./catalogue.js";

/** Bins that are made by a pattern. */
export const t = catalogue({
  aisles: ["Aisles", "Gänge"],
  aislesHint: ["From-to, or one by one: A-F, H", "Von-bis oder einzeln: A-F, H"],
  binCode: ["Code of a bin", "Bezeichnung eines Platzes"],
  codeHint: ["{aisle}, {row} and {level} stand for the names", "{aisle}, {row} und {level} stehen für die Namen"],
  createBins: ["Create {count} {count:bin|bins}", "{count} {count:Platz|Plätze} anlegen"],
  created: [
    "{count} of {total} {total:bin was|bins were} created",
    "{count} von {total} {total:Platz wurde|Plätzen wurden} angelegt",
  ],
  isReserve: ["Reserve: pickers are not sent here", "Reserve: hier wird nicht gepickt"],
  levels: ["Levels", "Ebenen"],
  levelsHint: ["From the floor up; empty where there is one", "Von unten nach oben; leer, wo es nur eine gibt"],
  newBins: ["New bins by a pattern", "Neue Plätze nach Muster"],
  pattern: ["Pattern", "Muster"],
  preview: ["{count} bins: {codes}, … {last}", "{count} Plätze: {codes}, … {last}"],
  previewAll: ["{count} {count:bin|bins}: {all}", "{count} {count:Platz|Plätze}: {all}"],
  printLabels: ["Print labels of the zone", "Etiketten der Zone drucken"],
  rows: ["Rows", "Reihen"],
  rowsHint: ["Zeros are kept: 01-20", "Nullen bleiben stehen: 01-20"],
  toBins: ["To the bins", "Zu den Plätzen"],
  tooMany: ["{count} bins are more than {most} at once", "{count} Plätze sind mehr als {most} auf einmal"],
  type: ["Type", "Art"],
  typeHint: ["Goods arrive at bins of the type for staging", "Ware kommt auf Bereitstellungsplätzen an"],
});
