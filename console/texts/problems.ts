import { Refusal, Unreachable } from "../../client/src/index.js";
import { language } from "../shared/language.js";
import type { Text, Texts } from "./catalogue.js";

/** What refusals mean, by their code. One that has no text here says what the service said. */
const problems = {
  bin_elsewhere: ["This bin is in another warehouse.", "Dieser Platz gehört zu einem anderen Lager."],
  bin_not_found: ["There is no such bin.", "Diesen Platz gibt es nicht."],
  forbidden: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  internal_error: ["The service failed. Try again.", "Der Dienst hatte einen Fehler. Versuchen Sie es noch einmal."],
  invalid_credentials: ["Username or password is wrong.", "Benutzername oder Passwort ist falsch."],
  item_not_on_po: ["This item is not on the order.", "Dieser Artikel steht nicht auf der Bestellung."],
  over_receipt: ["More than was ordered.", "Mehr als bestellt."],
  permission_denied: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  po_not_found: ["There is no such purchase order.", "Diese Bestellung gibt es nicht."],
  po_not_open: ["This purchase order is closed.", "Diese Bestellung ist abgeschlossen."],
  too_many_requests: ["Too many requests. Wait a moment.", "Zu viele Anfragen. Warten Sie einen Moment."],
  warehouse_denied: ["You may not use this warehouse.", "Dieses Lager ist Ihnen nicht erlaubt."],
  wrong_current_password: ["The current password is wrong.", "Das bisherige Passwort ist falsch."],
} as const satisfies Texts;

const unreachable: Text = ["The service does not answer.", "Der Dienst antwortet nicht."];

/** An error in the words of the reader. */
export function errorText(error: unknown): string {
  const index = language() === "de" ? 1 : 0;
  if (error instanceof Unreachable) return unreachable[index];
  if (error instanceof Refusal) return (problems as Texts)[error.code]?.[index] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
