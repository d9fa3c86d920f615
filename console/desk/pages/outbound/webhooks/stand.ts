import type { WebhookSubscription } from "../../../../../client/src/index.js";

/** One that its receiver has ended is paused, and calls for another decision than one that was paused. */
export const standOf = ({ status, pause_reason }: Pick<WebhookSubscription, "status" | "pause_reason">) =>
  pause_reason === "gone" ? "ended" : status;
