import { nameIn, type Texts } from "./catalogue.js";

/** What may be had of a sandbox at once. */
const scenarios = {
  order: ["An order is picked, packed and shipped", "Ein Auftrag wird gepickt, gepackt und versandt"],
  short: ["An order is found short", "Einem Auftrag fehlt Ware"],
  cancellation: ["An order is cancelled", "Ein Auftrag wird storniert"],
  return: ["A unit of an order comes back", "Eine Einheit eines Auftrags kommt zurück"],
  receipt: ["A delivery is received", "Eine Lieferung geht ein"],
} satisfies Texts;

export const scenarioNames = Object.keys(scenarios) as (keyof typeof scenarios)[];
export const scenarioText = (scenario: string): string => nameIn(scenarios, scenario) ?? scenario;
