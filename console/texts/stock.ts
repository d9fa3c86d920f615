import { catalogue } from "./catalogue.js";

export const t = catalogue({
  allocated: ["Allocated", "Zugeteilt"],
  archive: ["Archive", "Archivieren"],
  archiveTitle: ["Archive item {sku}?", "Artikel {sku} archivieren?"],
  archived: ["Archived", "Archiviert"],
  available: ["Available", "Verfügbar"],
  byBin: ["Stock by bin and lot", "Bestand je Platz und Charge"],
  category: ["Category", "Kategorie"],
  defaultBin: ["Default bin", "Standardplatz"],
  items: ["Items", "Artikel"],
  lastCounted: ["Last counted", "Zuletzt gezählt"],
  makeActive: ["Make active", "Wieder aktivieren"],
  makeActiveTitle: ["Make item {sku} active again?", "Artikel {sku} wieder aktivieren?"],
  master: ["Master data", "Stammdaten"],
  mpn: ["Part number", "Teilenummer"],
  onHand: ["On hand", "Bestand"],
  search: ["Search", "Suche"],
  stock: ["Stock", "Bestand"],
  upc: ["Barcode", "Barcode"],
  weight: ["Weight (lb)", "Gewicht (lb)"],
  zone: ["Zone", "Zone"],
});
