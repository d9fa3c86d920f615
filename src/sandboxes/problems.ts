import { openProblem, problem } from "../platform/problem.js";

export const SandboxNotFound = problem("sandbox_not_found", 404, "There is no such sandbox");
export const SandboxThere = openProblem("sandbox_there", 409, "{connector_id} has a sandbox already");
export const TooManySandboxes = openProblem("too_many_sandboxes", 409, "There are {most} sandboxes: end one first");
export const SandboxEnded = problem("sandbox_ended", 409, "The sandbox has ended");
export const SandboxFull = openProblem(
  "sandbox_full",
  409,
  "The sandbox has had {most} orders: end it, and begin another one",
);
