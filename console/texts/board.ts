import { catalogue } from "./catalogue.js";

export const t = catalogue({
  assign: ["Assign", "Zuweisen"],
  assignTitle: ["Who picks {number}?", "Wer pickt {number}?"],
  board: ["Pickers", "Picker"],
  ended: ["Ended", "Beendet"],
  from: ["Ended from", "Beendet von"],
  giveBack: ["Give back", "Zurückgeben"],
  giveBackTitle: ["Give {number} back?", "{number} zurückgeben?"],
  giveBackHint: ["It waits for another picker.", "Sie wartet auf jemand anderen."],
  history: ["Past waves", "Frühere Pickwellen"],
  idle: ["No scan for {minutes} min", "Seit {minutes} min kein Scan"],
  lastPick: ["Last pick {time}", "Letzter Pick {time}"],
  next: ["Next: {bin}", "Als Nächstes: {bin}"],
  nobody: ["Nobody is picking", "Niemand pickt gerade"],
  nobodyHint: [
    "Who takes a wave, or has picked within the last hour, is shown here.",
    "Hier steht, wer eine Pickwelle hat oder in der letzten Stunde gepickt hat.",
  ],
  not_completed: ["Picked, not completed", "Gepickt, nicht abgeschlossen"],
  pace: ["{picks} picks, {units} pcs in the last hour", "{picks} Picks, {units} Stück in der letzten Stunde"],
  picked: ["Picked", "Gepickt"],
  releasedBy: ["Released by", "Freigegeben von"],
  short: ["{count} short", "{count} mit Fehlmenge"],
  takeBack: ["Take back", "Zurücknehmen"],
  takeBackHint: [
    "They do not wait any more: the next release takes them again.",
    "Sie warten nicht mehr: die nächste Freigabe nimmt sie wieder auf.",
  ],
  takeBackTitle: ["Take these {count} orders back?", "Diese {count} Aufträge zurücknehmen?"],
  to: ["Ended until", "Beendet bis"],
  waitsForFace: ["Wait for a pick face", "Warten auf einen Greifplatz"],
});
