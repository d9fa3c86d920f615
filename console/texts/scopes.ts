import type { ConsumerGroup, NotificationWebhook } from "../../client/src/index.js";
import { language } from "../shared/language.js";
import type { Text, Texts } from "./catalogue.js";

export type EventType = NonNullable<ConsumerGroup["subscription"]["event_types"]>[number];
export type Notice = NotificationWebhook["event_filter"][number];

/** What partners can ask for: complete, or this does not compile. */
const events = {
  "receipt.completed": ["Goods received", "Ware eingegangen"],
  "receipt.cancelled": ["Receipt taken back", "Wareneingang zurückgenommen"],
  "purchaseorderedit.completed": ["Purchase order changed", "Bestellung geändert"],
  "pick.confirmed": ["Order picked", "Auftrag gepickt"],
  "pack.confirmed": ["Order packed", "Auftrag gepackt"],
  "ship.confirmed": ["Order shipped", "Auftrag versandt"],
  "parcel.tracking_added": ["Tracking number added", "Sendungsnummer nachgetragen"],
  "ship.voided": ["Shipment voided", "Sendung storniert"],
  "parcel.in_transit": ["Parcel on its way", "Paket unterwegs"],
  "parcel.delivered": ["Parcel delivered", "Paket zugestellt"],
  "parcel.exception": ["Problem with a parcel", "Problem mit einem Paket"],
  "carrier.collected": ["Fetched by a carrier", "Vom Versanddienst abgeholt"],
  "salesorderedit.completed": ["Sales order changed", "Kundenauftrag geändert"],
  "return.received": ["Return received", "Retoure eingegangen"],
  "backorder.opened": ["Backorder opened", "Rückstand entstanden"],
  "backorder.fulfillable": ["Backorder can be filled", "Rückstand lieferbar"],
  "backorder.cancelled": ["Backorder cancelled", "Rückstand storniert"],
  "inventoryadjusted.completed": ["Stock adjusted", "Bestand angepasst"],
  "cycle_count.adjusted": ["Stock adjusted by a count", "Bestand durch Zählung angepasst"],
  "stock.expired": ["Stock expired", "Bestand abgelaufen"],
  "stock.too_old": ["Stock too old to ship", "Bestand zu alt für den Versand"],
  "stock.expiring": ["Stock near its last day", "Bestand läuft bald ab"],
  "lot.held": ["Lot held", "Charge gesperrt"],
  "lot.released": ["Lot released", "Charge freigegeben"],
  "lot.corrected": ["Lot corrected", "Charge berichtigt"],
  "lot.merged": ["Lots merged", "Chargen vereint"],
  "stock.held": ["Units held", "Einheiten gesperrt"],
  "stock.released": ["Units released", "Einheiten freigegeben"],
  "inspection.due": ["Inspection waits", "Prüfung wartet"],
  "recall.opened": ["Recall opened", "Rückruf eröffnet"],
  "recall.closed": ["Recall closed", "Rückruf abgeschlossen"],
  "inventorytransfer.completed": ["Stock transferred", "Bestand umgelagert"],
} satisfies Record<EventType, Text>;

/** What people can be told of. */
const notices = {
  "backorder.opened": events["backorder.opened"],
  "backorder.fulfillable": events["backorder.fulfillable"],
  "backorder.cancelled": events["backorder.cancelled"],
  "stock.expiring": events["stock.expiring"],
  "inspection.due": events["inspection.due"],
  "recall.opened": events["recall.opened"],
  "dispatcher.delivery_stalled": ["A webhook delivery is stuck", "Webhook-Zustellung hängt"],
  "dispatcher.ceiling_near": ["A webhook will soon be paused", "Webhook wird bald angehalten"],
  "dispatcher.dlq_growth": ["A webhook has many dead letters", "Webhook mit vielen unzustellbaren Ereignissen"],
  "dispatcher.subscription_lagging": ["A webhook is far behind", "Webhook weit im Rückstand"],
  "dispatcher.subscription_paused": ["A webhook was paused", "Webhook angehalten"],
} satisfies Record<Notice, Text>;

export const eventTypes = Object.keys(events);
export const noticeTypes = Object.keys(notices);

/** What a token or a webhook is for, as people call it: events, endpoints and kinds of records. */
const scopes: Texts = {
  ...events,
  ...notices,
  "events.ack": ["Acknowledge events", "Ereignisse quittieren"],
  "events.poll": ["Poll events", "Ereignisse abrufen"],
  "events.resolve": ["Resolve ids of events", "Kennungen aus Ereignissen auflösen"],
  "events.schema": ["Read schemas of events", "Schemata der Ereignisse lesen"],
  "events.types": ["List types of events", "Arten der Ereignisse auflisten"],
  "pos.dispatch": ["Counter sales", "Thekenverkauf"],
  "snapshot.inventory": ["Snapshot of all stock", "Abzug des gesamten Bestands"],
  "station.dispatch": ["Shipping station", "Versandstation"],
  connector: ["Connector", "Konnektor"],
  customer: ["Customer", "Kunde"],
  customers: ["Customers", "Kunden"],
  fulfillment: ["Fulfilments", "Versandmeldungen"],
  internal_tool: ["Tool of our own", "Eigenes Werkzeug"],
  inventory: ["Stock", "Bestand"],
  inventory_update: ["Stock levels", "Bestandsmengen"],
  item: ["Item", "Artikel"],
  items: ["Items", "Artikel"],
  manual_import: ["Import by hand", "Import von Hand"],
  orders: ["Orders", "Aufträge"],
  purchase_order: ["Purchase order", "Bestellung"],
  purchase_orders: ["Purchase orders", "Bestellungen"],
  push_fulfillment: ["Tells of shipments", "Meldet Sendungen"],
  sales_order: ["Sales order", "Kundenauftrag"],
  sales_orders: ["Sales orders", "Kundenaufträge"],
  sync_inventory: ["Syncs stock", "Gleicht Bestand ab"],
  sync_items: ["Syncs items", "Gleicht Artikel ab"],
  sync_orders: ["Syncs orders", "Gleicht Aufträge ab"],
  vendor: ["Vendor", "Lieferant"],
  vendors: ["Vendors", "Lieferanten"],
};

/** One without a text is shown as the service calls it. */
export const scopeText = (name: string): string => scopes[name]?.[language() === "de" ? 1 : 0] ?? name;

/** Names as the choices of a field. */
export const scopeChoices = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, scopeText(name)]));

export const scopeList = (names: readonly string[]): string => names.map(scopeText).join(", ");
