import { catalogue } from "./catalogue.js";

/** A customer and the orders of one. */
export const t = catalogue({
  addresses: ["Addresses", "Adressen"],
  allOrders: ["In the list of orders", "In der Liste der Aufträge"],
  counterSales: ["Counter sales", "Thekenverkäufe"],
  email: ["E-mail", "E-Mail"],
  isLate: ["Late", "Verspätet"],
  late: ["Late orders", "Verspätete Aufträge"],
  nothingOpen: ["Nothing is open", "Nichts ist offen"],
  open: ["Open", "Offen"],
  phone: ["Phone", "Telefon"],
  returns: ["Returns and refunds", "Retouren und Erstattungen"],
  shipped: ["Shipped", "Versandt"],
  total: ["Total", "Summe"],
});
