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
  done: ["Done", "Erledigt"],
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
  putAway: ["Do not show again", "Nicht mehr zeigen"],
  warehouse: ["Warehouse", "Lager"],
  warehouseHint: ["With the time zone in which it works.", "Mit der Zeitzone, in der es arbeitet."],
});
