import { nameIn, type Texts } from "./catalogue.js";

/** Why units of an item are not picked, by the service's code. */
const reasons: Texts = {
  damage_zone: ["in a zone for damaged goods", "in einer Zone für Schadware"],
  equal: ["as good, but it lies there for less long", "gleich gut, liegt aber kürzer da"],
  expires_later: ["expires later", "länger haltbar"],
  free_since: ["came, or became free, later", "kam erst später oder wurde später frei"],
  held: ["on hold", "gesperrt"],
  in_doubt: ["not found there, to be counted", "dort nicht gefunden, wird gezählt"],
  in_reserve: ["in reserve, for pick faces", "Reserve für Greifplätze"],
  inactive: ["item or place out of use", "Artikel oder Platz außer Betrieb"],
  later_in_sequence: ["further along the way", "später auf dem Weg"],
  not_pickable: ["still to be put away", "noch nicht eingelagert"],
  past_sale: ["past its last day", "nicht mehr haltbar genug"],
  quality_zone: ["still to be inspected", "noch zu prüfen"],
  reserved: ["reserved for others", "für andere reserviert"],
  short_before: ["searched before", "dort wurde schon gesucht"],
  too_old: ["too old for the customer", "zu alt für den Kunden"],
};

/** One without a text is shown as the service calls it. */
export const reasonText = (reason: string): string => nameIn(reasons, reason) ?? reason;
