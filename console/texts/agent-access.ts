import { catalogue } from "./catalogue.js";

/** What a person is asked when a program wants to be let in. */
export const t = catalogue({
  letIn: ["Let it in", "Zulassen"],
  may: ["What it may", "Was es darf"],
  nobodyAsks: ["No program asks to be let in", "Kein Programm bittet um Zulassung"],
  nobodyAsksText: [
    "A program opens this page by itself. Begin there: give it the address of this service.",
    "Ein Programm öffnet diese Seite von selbst. Beginnen Sie dort: mit der Adresse dieses Dienstes.",
  ],
  onlyFloor: ["Only these functions of the floor: {functions}", "Nur diese Funktionen im Lager: {functions}"],
  program: ["Program, as it names itself", "Programm, wie es sich nennt"],
  reads: ["Look things up", "Nachsehen"],
  readsAll: [
    "It may look up what you may see, and change nothing.",
    "Es darf nachsehen, was Sie sehen dürfen, und nichts ändern.",
  ],
  reject: ["Reject", "Ablehnen"],
  returnsTo: ["Where the answer goes", "Wohin die Antwort geht"],
  revocable: [
    "It never may more than you. You revoke it under Security, API keys.",
    "Es darf nie mehr als Sie. Widerrufen können Sie es unter Sicherheit, API-Schlüssel.",
  ],
  noSite: ["none vouches for it", "keine bürgt dafür"],
  site: ["Site that says so", "Website, die das sagt"],
  thisComputer: ["this computer ({site})", "dieser Rechner ({site})"],
  title: ["Let a program in?", "Ein Programm zulassen?"],
  unchecked: ["Did you begin this yourself?", "Haben Sie das selbst begonnen?"],
  uncheckedHint: [
    "Nobody has checked the name. Go on only if you came from that program and know where the answer goes.",
    "Niemand hat den Namen geprüft. Weiter nur, wenn Sie aus dem Programm kommen und das Ziel kennen.",
  ],
  until: ["Until at the latest", "Längstens bis"],
  wants: ["{name} wants to work for you", "{name} möchte für Sie arbeiten"],
  worksFor: ["Works for", "Arbeitet für"],
  writes: ["Look things up and do things", "Nachsehen und handeln"],
  writesHint: [
    "Within your rights. What the settings say waits for a person's approval.",
    "Innerhalb Ihrer Rechte. Was die Einstellungen vorsehen, wartet auf die Freigabe durch einen Menschen.",
  ],
});
