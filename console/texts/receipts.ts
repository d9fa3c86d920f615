import { catalogue } from "./catalogue.js";

export const t = catalogue({
  by: ["By", "Von"],
  noReceipts: ["Nothing was received yet", "Noch nichts eingegangen"],
  notes: ["Notes", "Bemerkung"],
  quantity: ["Quantity", "Menge"],
  reason: ["Reason", "Grund"],
  receipts: ["Receipts", "Eingänge"],
  serial: ["Serial number", "Seriennummer"],
  unreceive: ["Reverse receipt", "Eingang zurücknehmen"],
  unreceiveTitle: [
    "Reverse the receipt of {quantity} × {sku} into {bin}?",
    "Eingang von {quantity} × {sku} auf {bin} zurücknehmen?",
  ],
  when: ["When", "Wann"],
});
