import { catalogue } from "./catalogue.js";

/** The groups of the menu, and how one finds a page or a record. */
export const t = catalogue({
  administration: ["Administration", "Verwaltung"],
  counting: ["Counting", "Inventur"],
  integrations: ["Integrations", "Integrationen"],
  kindCustomer: ["Customers", "Kunden"],
  kindPo: ["Purchase orders", "Bestellungen"],
  kindSo: ["Sales orders", "Kundenaufträge"],
  nothingFound: ["Nothing found", "Nichts gefunden"],
  paletteHint: ["Page, record or action", "Seite, Datensatz oder Aktion"],
  picking: ["Picking", "Picken"],
  places: ["Warehouse", "Lager"],
  purchasing: ["Purchasing", "Einkauf"],
  recent: ["Last seen", "Zuletzt gesehen"],
  sales: ["Sales", "Verkauf"],
  searchAll: ["Search everywhere", "Überall suchen"],
  today: ["Today", "Heute"],
  trail: ["Where this is", "Wo das ist"],
  transfers: ["Transfers", "Umlagerung"],
});
