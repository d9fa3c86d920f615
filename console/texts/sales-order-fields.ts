import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Fields of sales orders, as forms and the story of an order call them. */
const fields: Texts = {
  backorder_fulfillable_at: ["Stock came", "Ware da seit"],
  backorder_opened_at: ["Waiting since", "Wartet seit"],
  backorder_so_number: ["Backorder", "Rückstand"],
  batch_number: ["Wave", "Pickwelle"],
  bin_code: ["Bin", "Platz"],
  cancellation_reason: ["Reason of cancellation", "Stornogrund"],
  carrier: ["Carrier", "Versanddienst"],
  city: ["City", "Ort"],
  country: ["Country", "Land"],
  created_at: ["Created", "Angelegt"],
  created_by: ["Created by", "Angelegt von"],
  customer_address: ["Customer's address", "Adresse des Kunden"],
  customer_email: ["Email", "E-Mail"],
  customer_name: ["Customer", "Kunde"],
  customer_phone: ["Phone", "Telefon"],
  customer_shipping_paid: ["Paid for shipping", "Bezahlter Versand"],
  error: ["Error", "Fehler"],
  from_status: ["Status before", "Status zuvor"],
  hold_reason: ["Reason of the hold", "Grund des Halts"],
  item_name: ["Item", "Artikel"],
  last_error: ["Error", "Fehler"],
  line1: ["Street", "Straße"],
  line2: ["Addition", "Zusatz"],
  line_count: ["Lines", "Positionen"],
  lines: ["Lines", "Positionen"],
  memo: ["Memo", "Notiz"],
  min_days_at_shipping: ["Fewest days left", "Mindestresttage"],
  name: ["Name", "Name"],
  notes: ["Notes", "Bemerkung"],
  order_date: ["Ordered on", "Bestellt am"],
  order_origin: ["Origin", "Herkunft"],
  order_type: ["Kind", "Art"],
  order_total: ["Order total", "Auftragssumme"],
  original_so_number: ["Of order", "Zu Auftrag"],
  payment_method: ["Paid by", "Zahlungsart"],
  phone: ["Phone", "Telefon"],
  properties: ["Wishes", "Wünsche"],
  postal_code: ["Postal code", "Postleitzahl"],
  pre_status: ["Status before", "Status zuvor"],
  priority: ["Priority", "Priorität"],
  printed_at: ["Ticket printed", "Pickschein gedruckt"],
  quantity: ["Quantity", "Menge"],
  quantity_allocated: ["Reserved", "Reserviert"],
  quantity_ordered: ["Ordered", "Bestellt"],
  quantity_picked: ["Picked", "Gepickt"],
  quantity_to_pick: ["To pick", "Zu picken"],
  reason: ["Reason", "Grund"],
  ship_address: ["Ships to", "Lieferung an"],
  ship_by_date: ["Ship by", "Versand bis"],
  ship_method: ["Ship method", "Versandart"],
  shipped_at: ["Shipped", "Versandt"],
  shortage: ["Missing", "Fehlmenge"],
  sku: ["SKU", "SKU"],
  so_barcode: ["Barcode", "Barcode"],
  so_number: ["Order number", "Auftragsnummer"],
  source: ["Source", "Quelle"],
  source_system: ["Source system", "Quellsystem"],
  terminal_id: ["Till", "Kasse"],
  state: ["State or county", "Bundesland"],
  status: ["Status", "Status"],
  to_status: ["Status now", "Status jetzt"],
  total_expected: ["Expected", "Erwartet"],
  total_items: ["Units", "Stück"],
  total_packed: ["Packed", "Gepackt"],
  tote_number: ["Tote", "Behälter"],
  tracking_number: ["Tracking number", "Sendungsnummer"],
  voided_at: ["Voided", "Zurückgenommen am"],
  voided_by: ["Voided by", "Zurückgenommen von"],
};

const types: Texts = {
  backorder: ["Backorder", "Rückstand"],
  exchange: ["Exchange", "Umtausch"],
  refund: ["Refund", "Erstattung"],
  replacement: ["Replacement", "Ersatzlieferung"],
  return: ["Return", "Retoure"],
  sale: ["Sale", "Verkauf"],
};

const index = () => (language() === "de" ? 1 : 0);

/** One without a text is shown as the service calls it. */
export const fieldText = (field: string): string => fields[field]?.[index()] ?? field.replaceAll("_", " ");

export const typeText = (type: string): string => types[type]?.[index()] ?? type;

/** The types of orders as the choices of a filter. */
export const orderTypes = (): Record<string, string> =>
  Object.fromEntries(Object.keys(types).map((type) => [type, typeText(type)]));
