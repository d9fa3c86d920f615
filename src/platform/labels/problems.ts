import { problem } from "../problem.js";

export const TooManyLabels = problem(
  "too_many_labels",
  400,
  "{labels} labels are more than the {most} of one request: name the records by their ids",
);
export const NothingToPrint = problem("nothing_to_print", 404, "There is nothing to print a label of");
export const SizeNotOnRoll = problem(
  "size_not_on_roll",
  400,
  "Size {size} is paper, which ZPL does not print: ask for a PDF or for another size",
);
