import { problem } from "../platform/problem.js";

export const CountNotFound = problem("count_not_found", 404, "Cycle count not found");
export const CountNotOpen = problem("count_not_open", 400, "Cycle count is {status}");
export const LineNotOnCount = problem("line_not_on_count", 400, "Line {count_line_id} is not on this cycle count");
export const NoLines = problem("no_lines", 400, "The count has lines, and none was submitted");
export const CountNotSubmitted = problem(
  "count_not_submitted",
  400,
  "Cycle count is {status}: there is nothing to decide yet",
);
export const CountedAgain = problem(
  "counted_again",
  409,
  "{sku} in {bin} was counted again since, in count {count_id}: that count is to be decided",
);
export const ProgrammeNotFound = problem("count_programme_not_found", 404, "Count programme not found");
export const ProgrammeExists = problem("count_programme_exists", 409, "The warehouse has a count programme already");
export const OwnCount = problem("own_count", 403, "A cycle count is approved by somebody other than its counter");
