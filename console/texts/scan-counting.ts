import { catalogue } from "./catalogue.js";

export const t = catalogue({
  bin: ["Bin {bin}", "Platz {bin}"],
  count: ["Count", "Zählen"],
  countOf: ["How many of {sku}", "Wie viele von {sku}"],
  differs: [
    "{bin} is counted. Differences: {lines}; the office looks at them.",
    "{bin} ist gezählt. Abweichungen: {lines}; das Büro prüft sie.",
  ],
  empty: ["Nothing is expected here.", "Hier wird nichts erwartet."],
  expected: ["expected {quantity}", "erwartet {quantity}"],
  isEmpty: ["The bin is empty", "Der Platz ist leer"],
  items: ["Items: {items}", "Artikel: {items}"],
  matches: ["{bin} is counted, and all is right.", "{bin} ist gezählt, alles stimmt."],
  notExpected: ["not expected", "nicht erwartet"],
  open: ["Waiting to be counted", "Wartet auf die Zählung"],
  restIsGone: ["The rest is not here ({items})", "Der Rest fehlt ({items})"],
  scanBin: ["Scan the bin to count", "Zu zählenden Platz scannen"],
  scanItem: ["Scan an item: each scan is one more", "Artikel scannen: jeder Scan zählt eins dazu"],
  submit: ["Done counting", "Zählung abschließen"],
});
