import { nameIn, type Texts } from "./catalogue.js";

/** Types of records of the audit log, as people call them. */
const entities: Texts = {
  BIN: ["Bin", "Platz"],
  CHANNEL: ["Channel", "Kanal"],
  CONNECTOR: ["Connector", "Konnektor"],
  CONNECTOR_SCHEDULE: ["Schedule of a connector", "Zeitplan eines Konnektors"],
  CONSUMER_GROUP: ["Consumer group", "Abnehmergruppe"],
  COUNT_PROGRAMME: ["Count programme", "Zählprogramm"],
  CYCLE_COUNT: ["Count", "Zählung"],
  ENCRYPTION_KEY: ["Encryption key", "Verschlüsselungsschlüssel"],
  HOLD: ["Hold", "Sperre"],
  INSPECTION: ["Inspection", "Prüfung"],
  INVENTORY_ADJUSTMENT: ["Adjustment", "Bestandskorrektur"],
  ITEM: ["Item", "Artikel"],
  LOT: ["Lot", "Charge"],
  RECALL: ["Recall", "Rückruf"],
  MAPPING_DOCUMENT: ["Mapping document", "Zuordnungsdokument"],
  NOTIFICATION_WEBHOOK: ["Notification", "Benachrichtigung"],
  INBOX_ENTRY: ["Inbox entry", "Eintrag im Eingang"],
  WAITING_WAVE: ["Waiting wave", "Wartende Welle"],
  SAVED_VIEW: ["View of a list", "Ansicht einer Liste"],
  WAVE_TEMPLATE: ["Wave template", "Wellenvorlage"],
  PICK_BATCH: ["Wave", "Pickwelle"],
  PO: ["Purchase order", "Bestellung"],
  PRINTER: ["Printer", "Drucker"],
  PUT_AWAY_RULE: ["Put-away rule", "Einlagerungsregel"],
  REPLENISHMENT: ["Replenishment", "Nachschub"],
  RETENTION: ["Retention", "Aufbewahrung"],
  SETTING: ["Setting", "Einstellung"],
  SO: ["Sales order", "Kundenauftrag"],
  SOURCE_LINK: ["Link of a source system", "Verknüpfung eines Quellsystems"],
  SOURCE_SYSTEM: ["Source system", "Quellsystem"],
  TO: ["Transfer order", "Umlagerung"],
  TO_APPROVAL: ["Approval of a transfer", "Freigabe einer Umlagerung"],
  TO_LINE: ["Line of a transfer", "Position einer Umlagerung"],
  USER: ["User", "Benutzer"],
  VENDOR: ["Vendor", "Lieferant"],
  WAREHOUSE: ["Warehouse", "Lager"],
  WAREHOUSE_LAYOUT: ["Layout of a warehouse", "Lageplan"],
  WEBHOOK_SUBSCRIPTION: ["Webhook", "Webhook"],
  WMS_TOKEN: ["Token", "Token"],
  ZONE: ["Zone", "Zone"],
};

/** One without a text is shown as the service calls it. */
export const entityText = (entity: string): string =>
  nameIn(entities, entity) ?? entity.replaceAll("_", " ").toLowerCase();
