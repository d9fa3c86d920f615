import { catalogue } from "./catalogue.js";

/** The frame of the desk, and what its components say. */
export const t = catalogue({
  account: ["Account of {name}", "Konto von {name}"],
  allWarehouses: ["All warehouses", "Alle Lager"],
  ascending: ["ascending", "aufsteigend"],
  copied: ["Copied", "Kopiert"],
  copy: ["Copy", "Kopieren"],
  console: ["Warehouse console", "Lagerkonsole"],
  dark: ["Dark", "Dunkel"],
  descending: ["descending", "absteigend"],
  downloadCsv: ["Download CSV", "CSV herunterladen"],
  found: ["{count} found", "{count} gefunden"],
  light: ["Light", "Hell"],
  like: ["As the system", "Wie das System"],
  menu: ["Menu", "Menü"],
  navigation: ["Areas", "Bereiche"],
  noPages: ["No page of the console was granted to you.", "Ihnen ist keine Seite der Konsole freigegeben."],
  notFound: ["There is no such page.", "Diese Seite gibt es nicht."],
  nothingFound: ["Nothing found", "Nichts gefunden"],
  nothingFoundHint: ["Try another filter or warehouse.", "Versuchen Sie andere Filter oder ein anderes Lager."],
  pages: ["Pages", "Seiten"],
  scanner: ["Open the scanner", "Scanner öffnen"],
  search: ["Search", "Suche"],
  skip: ["Skip to content", "Zum Inhalt springen"],
  shownOnce: [
    "This is shown once. Copy it now: it is kept nowhere.",
    "Das wird nur jetzt angezeigt. Kopieren Sie es: Es wird nirgends aufbewahrt.",
  ],
  sortBy: ["Sort by", "Sortieren nach"],
  theme: ["Appearance", "Darstellung"],
  welcome: ["Sign in to the warehouse", "Am Lager anmelden"],
});
