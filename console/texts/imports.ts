import { catalogue } from "./catalogue.js";

export const t = catalogue({
  columns: ["Columns: {columns}", "Spalten: {columns}"],
  customers: ["Sales orders, a row for each line", "Kundenaufträge, eine Zeile je Position"],
  file: ["CSV file", "CSV-Datei"],
  importOne: ["Import 1 row", "1 Zeile importieren"],
  importing: ["Import {count} {count:row|rows}", "{count} {count:Zeile|Zeilen} importieren"],
  imports: ["Imports", "Importe"],
  imported: ["Imported {imported} of {total}", "{imported} von {total} importiert"],
  links: ["Ids of other systems", "Kennungen anderer Systeme"],
  ofWarehouse: ["Warehouse for rows without one", "Lager für Zeilen ohne Lager"],
  orders: ["Purchase orders, a row for each line", "Bestellungen, eine Zeile je Position"],
  stock: ["Adjustments of stock", "Bestandskorrekturen"],
  warning: ["with a remark: {warning}", "mit Anmerkung: {warning}"],
  what: ["Import what?", "Was importieren?"],
  whatIsImported: ["Import", "Import"],
  wouldImport: [
    "{imported} of {total} {total:row|rows} would be imported",
    "{imported} von {total} {total:Zeile würde|Zeilen würden} importiert",
  ],
});
