import { catalogue } from "./catalogue.js";

/** Kinds of people, by what they do here. */
export const t = catalogue({
  admin: ["Administrator: everything, everywhere", "Administrator: alles, überall"],
  custom: ["Custom", "Individuell"],
  customerService: ["Customer service", "Kundenservice"],
  inDetail: ["Rights in detail", "Rechte im Einzelnen"],
  integrator: ["Integrator", "Integrator"],
  lead: ["Lead", "Leitung"],
  packer: ["Packer", "Packer"],
  picker: ["Picker", "Picker"],
  receiver: ["Receiver", "Wareneingang"],
  whatOneDoes: ["What the person does", "Was die Person tut"],
  whatOneDoesHint: [
    "Fills in functions and pages; they can still be changed one by one.",
    "Füllt Funktionen und Seiten aus; sie lassen sich weiterhin einzeln ändern.",
  ],
});
