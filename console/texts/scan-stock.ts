import { catalogue } from "./catalogue.js";

export const t = catalogue({
  available: ["{available} of {onHand} free", "{available} von {onHand} frei"],
  from: ["From", "Von"],
  howMany: ["How many?", "Wie viele?"],
  inBin: ["In {bin}", "Auf {bin}"],
  isEmpty: ["{bin} is empty.", "{bin} ist leer."],
  move: ["Move", "Umlagern"],
  moveTo: ["Move {quantity} × {sku} to {bin}", "{quantity} × {sku} nach {bin} umlagern"],
  moved: ["{quantity} × {sku} moved to {bin}", "{quantity} × {sku} nach {bin} umgelagert"],
  otherBin: ["Scan another bin instead", "Stattdessen anderen Platz scannen"],
  otherWarehouse: ["Another warehouse", "Anderes Lager"],
  scanFrom: ["Scan the bin to take from", "Platz scannen, von dem entnommen wird"],
  scanItem: ["Scan an item", "Artikel scannen"],
  scanTo: ["Scan the bin to put into", "Zielplatz scannen"],
});
