import { catalogue } from "./catalogue.js";

/** The frame of the scanner, and what its components say. */
export const t = catalogue({
  allSent: ["Everything is sent.", "Alles ist gesendet."],
  binElsewhere: ["{bin} is in another warehouse.", "{bin} gehört zu einem anderen Lager."],
  camera: ["Scan with the camera", "Mit der Kamera scannen"],
  cameraFailed: ["The camera cannot be used.", "Die Kamera kann nicht benutzt werden."],
  chooseWarehouse: ["Where are you?", "Wo sind Sie?"],
  forget: ["Forget them", "Vergessen"],
  forgetIt: ["I have looked", "Ich habe nachgesehen"],
  itemNotHere: ["{sku} is not expected here.", "{sku} gehört nicht hierher."],
  keptForYou: [
    "Some of it is not yet sent. This device keeps it, and sends it when you sign in here again.",
    "Noch ist nicht alles gesendet. Dieses Gerät behält es und sendet es, wenn Sie sich hier wieder anmelden.",
  ],
  keyboard: ["Type it", "Eintippen"],
  lotNotHere: ["Lot {lot} is not here.", "Charge {lot} liegt nicht hier."],
  less: ["One less", "Eins weniger"],
  more: ["One more", "Eins mehr"],
  noAnswerYet: [
    "No answer yet. Is there a network? What was scanned is kept, and this page goes on by itself.",
    "Noch keine Antwort. Gibt es ein Netz? Was gescannt ist, bleibt erhalten, und diese Seite macht von selbst weiter.",
  ],
  noTasks: ["No task was granted to you.", "Ihnen ist keine Aufgabe freigegeben."],
  noWarehouse: ["No warehouse was granted to you.", "Ihnen ist kein Lager freigegeben."],
  notExpected: ["Nothing is to be scanned here.", "Hier gibt es nichts zu scannen."],
  notSent: ["Not yet sent: {task}", "Noch nicht gesendet: {task}"],
  notSentBy: ["Not yet sent, by {name}: {task}", "Noch nicht gesendet, von {name}: {task}"],
  ok: ["OK", "OK"],
  orType: ["or type it", "oder eintippen"],
  sameBin: ["{bin} is where it lies already.", "Auf {bin} liegt es schon."],
  scansWaiting: ["Scans that wait", "Wartende Scans"],
  scanner: ["Scanner", "Scanner"],
  sendFirst: ["Wait until it is sent: {task}", "Warten, bis es gesendet ist: {task}"],
  sending: ["Sending… it is kept until it arrives", "Wird gesendet… und bleibt erhalten, bis es ankommt"],
  signOutAndKeep: ["Sign out and keep it", "Abmelden und behalten"],
  tooOld: [
    "{task}, {when}: no answer came, and it is too long ago to send it again. Look whether it was done.",
    "{task}, {when}: ohne Antwort, und zu lange her, um es noch einmal zu senden. Sehen Sie nach, ob es geschehen ist.",
  ],
  whatNow: ["What now?", "Was jetzt?"],
  waitingOrders: ["Waiting orders", "Wartende Aufträge"],
});
