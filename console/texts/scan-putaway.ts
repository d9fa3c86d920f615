import { catalogue } from "./catalogue.js";

export const t = catalogue({
  nothing: ["Nothing waits to be put away.", "Es wartet nichts auf die Einlagerung."],
  put: ["Put {quantity} × {sku} into {bin}", "{quantity} × {sku} auf {bin} einlagern"],
  putAway: ["Put away", "Einlagern"],
  putDone: ["{quantity} × {sku} put into {bin}", "{quantity} × {sku} auf {bin} eingelagert"],
  scanBin: ["Scan the bin", "Platz scannen"],
  suggested: ["Best put into", "Am besten auf"],
  useIt: ["I am there", "Da bin ich"],
  waiting: ["Waiting", "Wartet"],
});
