import { language } from "../shared/language.js";
import type { Texts } from "./catalogue.js";

/** Actions of the audit log, as people call them. */
const actions: Texts = {
  ADMIN_PICK: ["Picked at the desk", "Am Schreibtisch gepickt"],
  ADMIN_SHIP: ["Shipped at the desk", "Am Schreibtisch versandt"],
  CANCEL: ["Cancelled", "Storniert"],
  CREATE: ["Created", "Angelegt"],
  DELETE: ["Deleted", "Gelöscht"],
  PACK: ["Packed", "Gepackt"],
  PICK: ["Picked", "Gepickt"],
  RECEIVE: ["Received", "Eingegangen"],
  RECEIVE_CANCEL: ["Receipt taken back", "Wareneingang zurückgenommen"],
  SHIP: ["Shipped", "Versandt"],
  SO_ALLOCATION_RELEASED: ["Reservation released", "Reservierung aufgehoben"],
  SO_PICK_RELEASED: ["Pick taken back", "Pick zurückgenommen"],
  UPDATE: ["Changed", "Geändert"],
};

/** One without a text is shown as the service calls it. */
export const actionText = (action: string): string =>
  actions[action]?.[language() === "de" ? 1 : 0] ?? action.replaceAll("_", " ").toLowerCase();
