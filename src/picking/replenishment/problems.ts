import { problem } from "../../platform/problem.js";

export const ReplenishmentNotFound = problem("replenishment_not_found", 404, "Replenishment task not found");
export const NothingToReplenish = problem("nothing_to_replenish", 404, "No pick face is to be filled up");
export const ReplenishmentTaken = problem("replenishment_taken", 409, "{assigned_to} has taken this task");
export const ReplenishmentEnded = problem("replenishment_ended", 409, "The task is already {status}");
export const ReplenishmentNotTaken = problem("replenishment_not_taken", 409, "Take the task first");
export const CarriesMoreThanTask = problem("carries_more_than_task", 400, "Only {left} to carry, {quantity} given");
