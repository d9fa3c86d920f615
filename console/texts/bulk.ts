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
    "Left as before, since this does not apply: {count} {count:other|others} of the selection.",
    "Bleibt wie bisher, da es nicht zutrifft: {count} {count:weiterer|weitere} der Auswahl.",
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
