import { nameIn, type Texts } from "./catalogue.js";

/** Actions of the audit log, as people call them. */
const actions: Texts = {
  ADJUST: ["Stock adjusted", "Bestand korrigiert"],
  ADMIN_PICK: ["Picked at the desk", "Am Schreibtisch gepickt"],
  ADMIN_SHIP: ["Shipped at the desk", "Am Schreibtisch versandt"],
  CANCEL: ["Cancelled", "Storniert"],
  CHANNEL_AUTO_PAUSE: ["Channel paused by itself", "Kanal selbsttätig angehalten"],
  CHANNEL_CREATE: ["Channel created", "Kanal angelegt"],
  CHANNEL_REVOKE: ["Channel revoked", "Kanal widerrufen"],
  CHANNEL_SECRET_ROTATE: ["Secret of a channel renewed", "Schlüssel eines Kanals erneuert"],
  CHANNEL_UPDATE: ["Channel changed", "Kanal geändert"],
  CONNECTOR_CREDENTIALS_DELETE: ["Credentials deleted", "Zugangsdaten gelöscht"],
  CONNECTOR_CREDENTIALS_STORE: ["Credentials stored", "Zugangsdaten gespeichert"],
  COUNT: ["Counted", "Gezählt"],
  CREATE: ["Created", "Angelegt"],
  DELETE: ["Deleted", "Gelöscht"],
  forced_password_change_completed: ["First password changed", "Erstes Passwort geändert"],
  LINK: ["Linked", "Verknüpft"],
  LOGIN_LOCKED: ["Locked after failed logins", "Nach Fehlversuchen gesperrt"],
  PACK: ["Packed", "Gepackt"],
  password_change: ["Password changed", "Passwort geändert"],
  PICK: ["Picked", "Gepickt"],
  POS_CHECKOUT: ["Sold at a counter", "An der Theke verkauft"],
  POS_REFERENCE_INGEST: ["Taken over from another system", "Aus einem anderen System übernommen"],
  POS_REFUND: ["Refunded at a counter", "An der Theke erstattet"],
  PREFERRED_BIN_UPDATE: ["Preferred bin changed", "Vorzugsplatz geändert"],
  PUTAWAY: ["Put away", "Eingelagert"],
  RECEIVE: ["Received", "Eingegangen"],
  RECEIVE_CANCEL: ["Receipt taken back", "Wareneingang zurückgenommen"],
  RETURN_RECEIVE: ["Return received", "Retoure eingegangen"],
  RETURN_VOID: ["Return voided", "Retoure verworfen"],
  SELF_APPROVED_COUNT: ["Own count approved", "Eigene Zählung freigegeben"],
  SHIP: ["Shipped", "Versandt"],
  SHIP_VOID: ["Shipment voided", "Versand zurückgenommen"],
  SO_ADDRESS_EDITED: ["Address corrected", "Adresse berichtigt"],
  SO_ALLOCATION_RELEASED: ["Reservation released", "Reservierung aufgehoben"],
  SO_HEADER_EDITED: ["Changed", "Geändert"],
  SO_HELD: ["Held", "Angehalten"],
  SO_HOLD_RELEASED: ["Hold released", "Halt aufgehoben"],
  SO_PARTIALLY_FULFILLED: ["Partly fulfilled", "Teilweise erfüllt"],
  SO_PICK_RELEASED: ["Pick taken back", "Pick zurückgenommen"],
  SO_SOURCE_SYSTEM_REASSIGNED: ["Source system changed", "Quellsystem geändert"],
  SO_STATUS_CHANGED: ["Status changed", "Status geändert"],
  SYNC_RESET: ["Sync reset", "Abgleich zurückgesetzt"],
  SYNC_START: ["Sync started", "Abgleich gestartet"],
  TO_APPROVED: ["Transfer approved", "Umlagerung freigegeben"],
  TO_CANCELLED: ["Transfer cancelled", "Umlagerung storniert"],
  TO_CLOSED: ["Transfer closed", "Umlagerung abgeschlossen"],
  TO_CREATED: ["Transfer created", "Umlagerung angelegt"],
  TO_DELETED: ["Transfer deleted", "Umlagerung gelöscht"],
  TO_LINE_CUT: ["Cut from a transfer order", "Aus Umlagerungsauftrag gestrichen"],
  TO_LINE_PICKED: ["Transfer line picked", "Umlagerungsposition gepickt"],
  TO_LINE_SHORT_CLOSED: ["Closed short", "Mit Fehlmenge beendet"],
  TO_PICK_RELEASED: ["Pick taken back", "Pick zurückgenommen"],
  TO_REJECTED: ["Transfer rejected", "Umlagerung abgelehnt"],
  TO_SUBMITTED: ["Transfer submitted", "Umlagerung eingereicht"],
  TOKEN_DELETE: ["Token deleted", "Token gelöscht"],
  TOKEN_ISSUE: ["Token issued", "Token ausgestellt"],
  TOKEN_REVOKE: ["Token revoked", "Token widerrufen"],
  TOKEN_ROTATE: ["Token renewed", "Token erneuert"],
  TOKEN_UPDATE: ["Token changed", "Token geändert"],
  TRANSFER: ["Moved", "Umgelagert"],
  UPDATE: ["Changed", "Geändert"],
  WEBHOOK_DELIVERY_REPLAY_SINGLE: ["Delivery sent again", "Zustellung wiederholt"],
  WEBHOOK_SECRET_ROTATE: ["Secret of a webhook renewed", "Schlüssel eines Webhooks erneuert"],
  WEBHOOK_SUBSCRIPTION_AUTO_PAUSE: ["Webhook paused by itself", "Webhook selbsttätig angehalten"],
  WEBHOOK_SUBSCRIPTION_CREATE: ["Webhook created", "Webhook angelegt"],
  WEBHOOK_SUBSCRIPTION_UPDATE: ["Webhook changed", "Webhook geändert"],
  WEBHOOK_TEST: ["Webhook tested", "Webhook getestet"],
};

/** One without a text is shown as the service calls it. */
export const actionText = (action: string): string =>
  nameIn(actions, action) ?? action.replaceAll("_", " ").toLowerCase();

/** The actions as the choices of a filter, by their names. */
export const actionChoices = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(actions)
      .map((action) => [action, actionText(action)] as const)
      .sort(([, one], [, other]) => one.localeCompare(other)),
  );
