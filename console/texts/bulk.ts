import { catalogue } from "./catalogue.js";

/** What is done with many rows of a list at once. */
export const t = catalogue({
  againOf: ["Try {count} again", "{count} noch einmal versuchen"],
  deselect: ["Clear selection", "Auswahl aufheben"],
  done: ["{count} done", "{count} erledigt"],
  isDone: ["Done", "Erledigt"],
  isNotBegun: ["Not begun", "Nicht begonnen"],
  isUndone: ["Put back", "Zurückgenommen"],
  leftOut: [
    "{count} {count:other of the selection is left as it is|others of the selection are left as they are}: this does not apply.",
    "{count} {count:weiterer Datensatz der Auswahl bleibt, wie er ist|weitere der Auswahl bleiben, wie sie sind}: das trifft hier nicht zu.",
  ],
  notBegun: ["{count} not begun", "{count} nicht begonnen"],
  outcome: ["What came of it", "Was daraus wurde"],
  progressOf: ["{done} of {all}", "{done} von {all}"],
  question: ["{action}: {count} selected", "{action}: {count} ausgewählt"],
  refused: ["{count} refused", "{count} abgelehnt"],
  select: ["Select {name}", "{name} auswählen"],
  selectAll: ["Select all in sight", "Alle sichtbaren auswählen"],
  selectFound: ["Select all {count} found", "Alle {count} gefundenen auswählen"],
  selected: ["{count} selected", "{count} ausgewählt"],
  selection: ["Selection", "Auswahl"],
  stop: ["Stop", "Anhalten"],
  undo: ["Undo", "Rückgängig machen"],
  undone: ["{count} put back", "{count} zurückgenommen"],
});
