import { openProblem } from "../../platform/problem.js";

/** With `items`: what is missing of which. */
export const CustomsIncomplete = openProblem(
  "customs_incomplete",
  400,
  "What customs ask is not known of {skus}: the items have to say it",
);
export const CustomsCurrencies = openProblem(
  "customs_currencies",
  400,
  "The items of a declaration have values in {currencies}: it takes one currency",
);
