import { catalogue } from "./catalogue.js";

/** Sandboxes of partners. */
export const t = catalogue({
  begin: ["Begin a sandbox", "Sandkasten beginnen"],
  end: ["Remove", "Entfernen"],
  endTitle: ["Remove {name} with all that is in it?", "{name} mit allem entfernen, was darin ist?"],
  endsAt: ["Ends unless used", "Endet unbenutzt"],
  lastMove: ["Last move", "Zuletzt geschehen"],
  orders: ["Orders", "Aufträge"],
  pace: ["Pace", "Tempo"],
  paceHint: [
    "Seconds from one thing that happens to the next, while somebody uses it.",
    "Sekunden von einem Ereignis zum nächsten, solange jemand ihn benutzt.",
  ],
  paceTitle: ["How fast {name} moves", "Wie schnell sich {name} bewegt"],
  sandboxes: ["Sandboxes", "Sandkästen"],
  scenario: ["What happens", "Was geschieht"],
  state: ["State", "Zustand"],
  step: ["Run a step", "Schritt ausführen"],
  stepTitle: ["Have something happen in {name} at once", "In {name} sofort etwas geschehen lassen"],
  tokenOf: ["Token that polls the events of {name}", "Token, das die Ereignisse von {name} abfragt"],
  usedAt: ["Last used", "Zuletzt benutzt"],
});
