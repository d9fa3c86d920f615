import { catalogue } from "./catalogue.js";

export const t = catalogue({
  found: ["Did you mean", "Meinten Sie"],
  free: ["{available} of {onHand} free", "{available} von {onHand} frei"],
  inIt: ["In it", "Inhalt"],
  isEmpty: ["The bin is empty.", "Der Platz ist leer."],
  isNowhere: ["None of it is in your warehouses.", "In Ihren Lagern ist nichts davon."],
  label: ["Print the label", "Etikett drucken"],
  lookUp: ["Look up", "Nachsehen"],
  nothing: ["Nothing is called {text}.", "Nichts heißt {text}."],
  scanAny: [
    "Scan an item or a bin, or type a part of its name",
    "Artikel oder Platz scannen oder Namensteil eintippen",
  ],
  whereItIs: ["Where it is", "Wo es liegt"],
});
