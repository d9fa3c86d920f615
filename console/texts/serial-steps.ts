import { nameIn, type Texts } from "./catalogue.js";

/** What happened to a unit with a serial number. */
const steps: Texts = {
  ADJUSTED_OUT: ["Taken out of stock", "Ausgebucht"],
  DESTROYED: ["Destroyed", "Vernichtet"],
  FOUND: ["Found", "Gefunden"],
  PACKED: ["Packed", "Gepackt"],
  RECEIPT_REVERSED: ["Receipt taken back", "Wareneingang zurückgenommen"],
  RECEIVED: ["Received", "Eingegangen"],
  RETURNED: ["Came back", "Zurückgekommen"],
  RETURN_REVERSED: ["Return taken back", "Rücknahme widerrufen"],
  SENT_BACK: ["Sent back to the supplier", "An den Lieferanten zurückgeschickt"],
  SHIPPED: ["Shipped", "Versandt"],
  SHIP_VOIDED: ["Shipment voided", "Versand zurückgenommen"],
  UNPACKED: ["Unpacked", "Ausgepackt"],
};

/** One without a text is shown as the service calls it. */
export const serialStepText = (kind: string): string => nameIn(steps, kind) ?? kind;
