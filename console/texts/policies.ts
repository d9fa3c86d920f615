import { catalogue } from "./catalogue.js";

/** What an item asks of its units. */
export const t = catalogue({
  any_of_bin: ["any lot of the bin", "jede Charge des Platzes"],
  at_receipt: ["at receipt", "bei der Annahme"],
  at_shipping: ["when packed", "beim Packen"],
  days: ["{days} {days:day|days}", "{days} {days:Tag|Tage}"],
  exact: ["only the planned lot", "nur die geplante Charge"],
  first_expired_only: ["another lot if it expires no later", "andere Charge, wenn sie nicht später abläuft"],
  legend: ["Lots, last days and serial numbers", "Chargen, letzte Tage und Seriennummern"],
  lot_picking: ["Lot at picking", "Charge beim Picken"],
  lot_policy: ["Lot", "Charge"],
  min_days_at_receipt: ["Fewest days left at receipt", "Mindestresttage bei Annahme"],
  min_days_at_shipping: ["Fewest days left at shipping", "Mindestresttage bei Versand"],
  none: ["not kept", "wird nicht geführt"],
  optional: ["if there is one", "wenn vorhanden"],
  production: ["from production", "ab Herstellung"],
  receipt: ["from receipt", "ab Annahme"],
  required: ["required", "erforderlich"],
  requires_expiry: ["The last day is required", "Der letzte Tag ist erforderlich"],
  serial_policy: ["Serial number", "Seriennummer"],
  shelf_life_days: ["Shelf life in days", "Haltbarkeit in Tagen"],
  shelf_life_from: ["Shelf life counts", "Haltbarkeit zählt"],
  yes: ["yes", "ja"],
});
