import { catalogue } from "./catalogue.js";

export const t = catalogue({
  noReceipts: ["Nothing was received yet", "Noch nichts eingegangen"],
  notes: ["Notes", "Bemerkung"],
  receipts: ["Receipts", "Eingänge"],
  unreceive: ["Reverse receipt", "Eingang zurücknehmen"],
  unreceiveTitle: [
    "Reverse the receipt of {quantity} × {sku} into {bin}?",
    "Eingang von {quantity} × {sku} auf {bin} zurücknehmen?",
  ],
  when: ["When", "Wann"],
});
