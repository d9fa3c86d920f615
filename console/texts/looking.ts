import { catalogue } from "./catalogue.js";

/** What is looked at rather than read: the map of the bins, and ages. */
export const t = catalogue({
  ageing: ["Ageing", "Alter"],
  age: ["{days} days", "{days} Tage"],
  ages: ["{from} to {until} days", "{from} bis {until} Tage"],
  agesFrom: ["{from} days and more", "{from} Tage und mehr"],
  aisle: ["Aisle {aisle}", "Gang {aisle}"],
  binIs: ["{bin}: {units} pcs, {value}", "{bin}: {units} Stück, {value}"],
  chooseWarehouse: ["Choose a warehouse to see its bins.", "Wählen Sie ein Lager, um seine Plätze zu sehen."],
  empty: ["empty", "leer"],
  fill: ["How full", "Füllung"],
  filled: ["{percent} % full", "{percent} % voll"],
  heat: ["Colour", "Farbe"],
  legend: ["None to most: {most}", "Nichts bis am meisten: {most}"],
  map: ["Floor map", "Lagerkarte"],
  more: ["{shown} of {total} bins are shown.", "{shown} von {total} Plätzen werden gezeigt."],
  noAisle: ["Without aisle", "Ohne Gang"],
  noBins: ["This warehouse has no bins yet", "Dieses Lager hat noch keine Plätze"],
  openOrders: ["Open orders by age", "Offene Aufträge nach Alter"],
  orders: ["Orders", "Aufträge"],
  picked: ["{count} picks in 7 days", "{count} Picks in 7 Tagen"],
  picks: ["Picks, 7 days", "Picks, 7 Tage"],
  sinceMoved: ["untouched for {days} days", "seit {days} Tagen unberührt"],
  still: ["Untouched for", "Unberührt seit"],
  stock: ["Stock that nothing was moved of, by time", "Bestand, an dem sich nichts bewegt hat, nach Dauer"],
  units: ["Units", "Stück"],
});
