import { catalogue } from "./catalogue.js";

export const t = catalogue({
  available: ["{available} of {onHand} free", "{available} von {onHand} frei"],
  inBin: ["In {bin}", "Auf {bin}"],
  isEmpty: ["{bin} is empty.", "{bin} ist leer."],
  move: ["Move", "Umlagern"],
  moveTo: ["Move {quantity} × {sku} to {bin}", "{quantity} × {sku} nach {bin} umlagern"],
  moved: ["{quantity} × {sku} moved to {bin}", "{quantity} × {sku} nach {bin} umgelagert"],
  otherWarehouse: ["Another warehouse", "Anderes Lager"],
  scanFrom: ["Scan the bin to take from", "Platz scannen, von dem entnommen wird"],
  scanTo: ["Scan the bin to put into", "Zielplatz scannen"],
});
