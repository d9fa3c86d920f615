import { openProblem, problem } from "../../platform/problem.js";

export const BatchLeased = openProblem(
  "batch_leased",
  409,
  "{batch_number} is on device {device} of {username}: take it over to pick it here",
);
export const BatchOfAnother = openProblem(
  "batch_of_another",
  409,
  "{batch_number} is picked by {assigned_to}: take it over to pick it yourself",
);
export const NoLease = problem("no_lease", 409, "No device has {batch_number}");
/** What a device did without the net, and sent after its wave was no longer its own (docs/offline.md). */
export const LeaseLost = openProblem(
  "lease_lost",
  409,
  "This device no longer has {batch_number}, because of {by}: put back what you have picked since",
);
