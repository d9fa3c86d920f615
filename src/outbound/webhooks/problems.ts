import { problem } from "../../platform/problem.js";

/** Problems of the webhook routes (docs/interface.md, Webhooks). The panel relies on these texts. */
const refusal = (kind: string, status: number) => problem(kind, status, kind);

export const InvalidSubscriptionId = refusal("invalid_subscription_id", 400);
export const SubscriptionNotFound = refusal("subscription_not_found", 404);

export const UnsupportedScheme = problem(
  "unsupported_scheme",
  400,
  "The scheme of delivery_url is not supported: {scheme}",
);
export const HttpsRequired = refusal("https_required", 400);
export const PrivateDestination = refusal("private_destination", 400);
export const ConnectorNotFound = refusal("connector_not_found", 400);
export const PendingCeilingAboveHardCap = refusal("pending_ceiling_above_hard_cap", 400);
export const DlqCeilingAboveHardCap = refusal("dlq_ceiling_above_hard_cap", 400);
export const EmptyFilterArray = refusal("empty_filter_array", 400);
export const UrlReuseTombstone = refusal("url_reuse_tombstone", 409);

export const CannotModifyRevoked = refusal("cannot_modify_revoked_subscription", 400);
export const CannotRotateRevoked = refusal("cannot_rotate_revoked_subscription", 400);
export const CannotTestRevoked = refusal("cannot_test_revoked_subscription", 400);
export const TestThrottled = refusal("webhook_test_throttled", 429);
export const LiveDeliveries = refusal("live_deliveries_block_hard_delete", 409);

export const InvalidPagination = refusal("invalid_pagination", 400);
export const InvalidWindow = refusal("invalid_window", 400);

export const DeliveryNotFound = refusal("delivery_not_found", 404);
export const DeliveryElsewhere = refusal("delivery_subscription_mismatch", 400);
export const CannotReplayToRevoked = refusal("cannot_replay_to_revoked_subscription", 400);
export const ReplayThrottled = refusal("replay_batch_throttled", 429);
export const ReplayGloballyThrottled = refusal("replay_batch_global_throttled", 429);
export const BatchAboveHardCap = refusal("batch_size_above_hard_cap", 409);
export const ReplayAbovePendingCeiling = refusal("replay_would_exceed_pending_ceiling", 409);

/** A subscription that there is not. */
export const unknownWebhook = [InvalidSubscriptionId, SubscriptionNotFound];
