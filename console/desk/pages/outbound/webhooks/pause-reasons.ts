import type { WebhookSubscription } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/webhooks.js";

const reasons = {
  manual: () => t("manual"),
  pending_ceiling: () => t("tooManyWaiting"),
  dlq_ceiling: () => t("tooManyDead"),
  malformed_filter: () => t("malformedFilter"),
  gone: () => t("endedByReceiver"),
};

/** Why a webhook is paused; undefined where it is not. */
export const pauseReasonText = (reason: WebhookSubscription["pause_reason"]): string | undefined =>
  reason ? reasons[reason]() : undefined;
