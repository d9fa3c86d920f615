import { nameIn, type Texts } from "./catalogue.js";

/** Fields that stand in the details of the audit log, as people call them. */
const fields: Texts = {
  allowed_functions: ["Functions", "Funktionen"],
  batch_number: ["Wave", "Pickwelle"],
  bin: ["Bin", "Platz"],
  bin_code: ["Bin", "Platz"],
  carrier: ["Carrier", "Versanddienst"],
  customer_name: ["Customer", "Kunde"],
  from_bin: ["From bin", "Von Platz"],
  full_name: ["Name", "Name"],
  is_active: ["Active", "Aktiv"],
  item: ["Item", "Artikel"],
  item_name: ["Name of the item", "Artikelname"],
  key: ["Setting", "Einstellung"],
  lot_number: ["Lot", "Charge"],
  memo: ["Note", "Notiz"],
  operator: ["Operator", "Bediener"],
  page_keys: ["Pages", "Seiten"],
  password: ["Password", "Passwort"],
  po: ["Purchase order", "Bestellung"],
  po_number: ["Purchase order", "Bestellung"],
  priority: ["Priority", "Priorität"],
  quantity: ["Quantity", "Menge"],
  quantity_received: ["Received", "Eingegangen"],
  reason: ["Reason", "Grund"],
  role: ["Role", "Rolle"],
  ship_by_date: ["Ship by", "Versand bis"],
  sku: ["SKU", "SKU"],
  so: ["Sales order", "Kundenauftrag"],
  so_number: ["Sales order", "Kundenauftrag"],
  status: ["Status", "Status"],
  to_bin: ["To bin", "Auf Platz"],
  total_packed: ["Units packed", "Gepackte Stück"],
  tracking_number: ["Tracking", "Sendungsnummer"],
  username: ["Username", "Benutzername"],
  warehouse_ids: ["Warehouses", "Lager"],
};

/** One without a text is shown as the service calls it. */
export function fieldText(field: string): string {
  const words = field.replaceAll("_", " ");
  return nameIn(fields, field) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
