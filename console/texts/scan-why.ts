import { catalogue } from "./catalogue.js";

export { reasonText } from "./why.js";

export const t = catalogue({
  elsewhere: ["The other units of the item:", "Die anderen Stück des Artikels:"],
  first_expired: ["These units expire first.", "Diese Stück laufen zuerst ab."],
  lost: ["{place} ({units}): {reason}", "{place} ({units}): {reason}"],
  lostMore: ["and {count} more", "und {count} weitere"],
  oldest: ["Of equal units these lie there longest.", "Von gleichen Stück liegen diese am längsten."],
  only_place: [
    "No other bin has units that can be picked.",
    "Kein anderer Platz hat Stück, die gepickt werden können.",
  ],
  pick_sequence: ["Of equal units these come first on the way.", "Von gleichen Stück liegen diese zuerst am Weg."],
  replaces_short: ["Another bin had too few.", "Ein anderer Platz hatte zu wenig."],
  transfer_reserved: [
    "The transfer order has these units since it was made.",
    "Der Umlagerungsauftrag hat diese Stück, seit er angelegt ist.",
  ],
  was_first: [
    "They came first when the wave was made; others became free since.",
    "Sie kamen zuerst, als die Welle entstand; andere wurden seitdem frei.",
  ],
  whyHere: ["Why here?", "Warum hier?"],
});
