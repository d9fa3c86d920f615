import { problem } from "../../platform/problem.js";

export const NotificationWebhookNotFound = problem(
  "notification_webhook_not_found",
  404,
  "Notification destination not found",
);
