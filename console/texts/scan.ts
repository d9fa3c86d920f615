import { catalogue } from "./catalogue.js";

/** The frame of the scanner, and what its components say. */
export const t = catalogue({
  binElsewhere: ["{bin} is in another warehouse.", "{bin} gehört zu einem anderen Lager."],
  camera: ["Scan with the camera", "Mit der Kamera scannen"],
  cameraFailed: ["The camera cannot be used.", "Die Kamera kann nicht benutzt werden."],
  chooseWarehouse: ["Where are you?", "Wo sind Sie?"],
  dark: ["Dark", "Dunkel"],
  itemNotHere: ["{sku} is not expected here.", "{sku} gehört nicht hierher."],
  keyboard: ["Type it", "Eintippen"],
  light: ["Light", "Hell"],
  less: ["One less", "Eins weniger"],
  menu: ["Menu", "Menü"],
  more: ["One more", "Eins mehr"],
  noTasks: ["No task was granted to you.", "Ihnen ist keine Aufgabe freigegeben."],
  noWarehouse: ["No warehouse was granted to you.", "Ihnen ist kein Lager freigegeben."],
  ok: ["OK", "OK"],
  orType: ["or type it", "oder eintippen"],
  sameBin: ["{bin} is where it lies already.", "Auf {bin} liegt es schon."],
  scanner: ["Scanner", "Scanner"],
  sending: ["Sending… it is kept until it arrives", "Wird gesendet… und bleibt erhalten, bis es ankommt"],
  whatNow: ["What now?", "Was jetzt?"],
  waitingOrders: ["Waiting orders", "Wartende Aufträge"],
});
