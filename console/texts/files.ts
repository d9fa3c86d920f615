import { catalogue } from "./catalogue.js";

/** What forms with a CSV file say. */
export const t = catalogue({
  check: ["Check the file", "Datei prüfen"],
  chooseFile: ["Choose a file", "Datei wählen"],
  comma: ["commas", "Kommas"],
  firstRows: ["How the file is understood", "So wird die Datei verstanden"],
  readAs: ["Read as {encoding}, separated by {separator}", "Gelesen als {encoding}, getrennt durch {separator}"],
  remarks: ["Rows with remarks", "Zeilen mit Anmerkungen"],
  row: ["Row", "Zeile"],
  semicolon: ["semicolons", "Semikolons"],
  tab: ["tabs", "Tabulatoren"],
  why: ["Why", "Warum"],
});
