import { nameIn, type Texts } from "./catalogue.js";

/** Statuses of records, as people call them. */
const statuses: Texts = {
  APPROVED: ["Approved", "Freigegeben"],
  ARCHIVED: ["Archived", "Archiviert"],
  AWAITING_APPROVAL: ["Awaiting approval", "Wartet auf Freigabe"],
  CANCELLED: ["Cancelled", "Storniert"],
  CLOSED: ["Closed", "Abgeschlossen"],
  COMPLETED: ["Completed", "Fertig"],
  FRAUD_REVIEW: ["Held for review", "In Prüfung"],
  IN_PROGRESS: ["In progress", "In Arbeit"],
  OPEN: ["Open", "Offen"],
  PACKED: ["Packed", "Gepackt"],
  PARTIAL: ["Partly received", "Teilweise eingegangen"],
  PARTIALLY_PICKED: ["Partly picked", "Teilweise gepickt"],
  PARTIALLY_RECEIVED: ["Partly received", "Teilweise eingegangen"],
  PENDING: ["Pending", "Ausstehend"],
  PICKED: ["Picked", "Gepickt"],
  RECEIVED: ["Received", "Eingegangen"],
  REFUNDED: ["Refunded", "Erstattet"],
  REJECTED: ["Rejected", "Abgelehnt"],
  RELEASED: ["Released", "Zurückgelegt"],
  SHIPPED: ["Shipped", "Versandt"],
  SHORT: ["Short", "Fehlmenge"],
  SHORT_CLOSED: ["Closed short", "Mit Fehlmenge beendet"],
  SKIPPED: ["Skipped", "Übersprungen"],
  VARIANCE: ["Variance", "Abweichung"],
  VOIDED: ["Voided", "Zurückgenommen"],
  WAITING_STOCK: ["Waiting for stock", "Wartet auf Ware"],
  active: ["Active", "Aktiv"],
  applied: ["Applied", "Übernommen"],
  cancelled: ["Cancelled", "Abgebrochen"],
  completed: ["Completed", "Abgeschlossen"],
  dlq: ["Given up", "Aufgegeben"],
  error: ["Failed", "Fehlgeschlagen"],
  failed: ["Failed", "Fehlgeschlagen"],
  idle: ["Idle", "Ruht"],
  in_flight: ["On the way", "Unterwegs"],
  lookup_miss: ["Names what is unknown", "Verweist auf Unbekanntes"],
  none: ["Not due", "Nicht fällig"],
  overdue: ["Overdue", "Überfällig"],
  paused: ["Paused", "Angehalten"],
  pending: ["Waiting", "Wartet"],
  pushed: ["Told", "Gemeldet"],
  recommended: ["Recommended", "Empfohlen"],
  rejected: ["Refused", "Abgewiesen"],
  revoked: ["Revoked", "Widerrufen"],
  running: ["Running", "Läuft"],
  skipped: ["Skipped", "Übersprungen"],
  stale_version: ["Older version", "Ältere Version"],
  stopped: ["Dropped", "Verworfen"],
  superseded: ["Replaced by a newer one", "Durch neuere ersetzt"],
  succeeded: ["Succeeded", "Erledigt"],
};

/** One without a text is shown as the service calls it. */
export const statusText = (status: string): string => nameIn(statuses, status) ?? status;

/** Statuses as the choices of a filter. */
export const choicesOf = (names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, statusText(name)]));
