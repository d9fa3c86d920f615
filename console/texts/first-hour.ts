import { catalogue } from "./catalogue.js";

/** What leads from an empty house to its first order. */
export const t = catalogue({
  bins: ["Bins", "Plätze"],
  binsHint: [
    "A zone, and its bins by a pattern, such as aisles A-F with rows 01-20; then print their labels.",
    "Eine Zone und ihre Plätze nach Muster, etwa Gänge A-F mit Reihen 01-20; danach die Etiketten drucken.",
  ],
  delivery: ["First delivery", "Erste Lieferung"],
  deliveryHint: [
    "A purchase order, which the scanner receives and puts away.",
    "Eine Bestellung, die der Scanner vereinnahmt und einlagert.",
  ],
  demo: ["The demo", "Die Demo"],
  demoHint: [
    "It is in {count:warehouse|the warehouses} {warehouses}. Try everything, at desk and scanner; then remove it.",
    "Sie liegt in {count:Lager|den Lagern} {warehouses}. Probieren Sie alles aus; dann entfernen Sie sie wieder.",
  ],
  demoUnfinished: ["Loading it was interrupted.", "Das Laden wurde unterbrochen."],
  done: ["Done", "Erledigt"],
  finishDemo: ["Finish loading", "Fertig laden"],
  firstHour: ["The first hour", "Die erste Stunde"],
  items: ["Items", "Artikel"],
  itemsHint: [
    "By a CSV file, as a shop or an ERP gives it.",
    "Aus einer CSV-Datei, wie ein Shop oder ERP sie liefert.",
  ],
  order: ["First order", "Erster Auftrag"],
  orderHint: [
    "An order of a customer, which the scanner picks, packs and ships.",
    "Ein Kundenauftrag, den der Scanner pickt, packt und versendet.",
  ],
  removeDemo: ["Remove the demo", "Demo entfernen"],
  removeDemoKept: [
    "No list, stock or search has it then. Only the audit log and the stream of events keep what happened.",
    "Keine Liste, kein Bestand, keine Suche zeigt sie dann. Nur Protokoll und Ereignisse behalten, was geschah.",
  ],
  removeDemoTitle: ["Remove the demo for good?", "Die Demo endgültig entfernen?"],
  removeDemoCounts: [
    "Bins: {bins}. Units: {units}. Sales orders: {orders}. Purchase orders: {deliveries}. Items: {items}.",
    "Plätze: {bins}. Einheiten: {units}. Kundenaufträge: {orders}. Bestellungen: {deliveries}. Artikel: {items}.",
  ],
  removeDemoWhat: [
    "{count:Warehouse|The warehouses} {warehouses} {count:goes|go} with all that is there, also what was added:",
    "{count:Lager|Die Lager} {warehouses} {count:verschwindet|verschwinden} mit allem darin, auch was dazukam:",
  ],
  tryDemo: ["Try it with a demo", "Mit einer Demo ausprobieren"],
  tryDemoHint: [
    "Makes two warehouses with items, stock and orders. All of it can be removed at once.",
    "Legt zwei Lager mit Artikeln, Beständen und Aufträgen an. Alles lässt sich auf einmal wieder entfernen.",
  ],
  tryDemoTitle: ["Load the demo?", "Die Demo laden?"],
  putAway: ["Do not show again", "Nicht mehr zeigen"],
  warehouse: ["Warehouse", "Lager"],
  warehouseHint: ["With the time zone in which it works.", "Mit der Zeitzone, in der es arbeitet."],
});
