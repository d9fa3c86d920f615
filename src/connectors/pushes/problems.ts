import { problem } from "../../platform/problem.js";

export const PushNotFound = problem("push_not_found", 404, "Push not found");
export const PushNotFailed = problem(
  "push_not_failed",
  409,
  "Only a failed push can be tried again, this one is {status}",
);
export const ShipmentVoided = problem(
  "shipment_voided",
  409,
  "The shipment was voided meanwhile, so there is nothing to push",
);
