import { problem } from "../platform/problem.js";

/** Refusals that are told by their kind alone. */
const refusal = (kind: string, status: number) => problem(kind, status, kind);

// The registry of connectors, and consumer groups.
export const DuplicateConnectorId = refusal("duplicate_connector_id", 409);
export const ConnectorNotFound = refusal("connector_not_found", 404);
export const ConnectorInUse = refusal("connector_in_use", 409);
export const ConsumerGroupNotFound = refusal("consumer_group_not_found", 404);
export const DuplicateConsumerGroupId = refusal("duplicate_consumer_group_id", 409);
export const ReplayWouldSkipHistory = refusal("replay_would_skip_history", 409);
export const NoFieldsToUpdate = refusal("no_fields_to_update", 400);

// Polling (docs/interface.md, Polling), and what an id in an event names.
/** `field` is the field of the request that is outside the token's scope. */
export const ScopeViolation = refusal("scope_violation", 403);
export const GroupScopeViolation = refusal("consumer_group_scope_violation", 403);
export const SubscriptionInvalid = refusal("subscription_invalid", 409);
export const TwoStarts = problem(
  "two_starts",
  400,
  "A poll starts after an event or where a consumer group stands: send after or consumer_group, not both",
);
export const CursorBeyondHorizon = refusal("cursor_beyond_horizon", 400);
export const StreamEpochChanged = refusal("stream_epoch_changed", 409);
export const AckScopeViolation = refusal("ack_scope_violation", 403);
export const UnknownEventSchema = refusal("unknown_event_type_or_version", 404);
export const UnknownRecord = refusal("unknown_record", 404);
/** `source_systems` are those among which the request has to choose. */
export const AmbiguousId = refusal("ambiguous_id", 409);

// The inventory snapshot (docs/interface.md, Snapshot).
export const InvalidCursor = refusal("invalid_cursor", 400);
export const CursorScopeViolation = refusal("cursor_scope_violation", 403);
export const SnapshotNotFound = refusal("snapshot_not_found", 404);
export const SnapshotExpired = refusal("snapshot_expired", 410);
export const SnapshotInFlight = refusal("snapshot_in_flight", 429);

// Where something is to be sent.
export const UnsupportedScheme = problem(
  "unsupported_scheme",
  400,
  "The scheme of delivery_url is not supported: {scheme}",
);
export const HttpsRequired = refusal("https_required", 400);
export const PrivateDestination = refusal("private_destination", 400);

// Webhooks (docs/interface.md, Webhooks). The panel relies on these texts.
export const InvalidSubscriptionId = refusal("invalid_subscription_id", 400);
export const SubscriptionNotFound = refusal("subscription_not_found", 404);
/** A subscription that there is not. */
export const unknownWebhook = [InvalidSubscriptionId, SubscriptionNotFound];
/** The one that a new subscription names. */
export const UnknownConnector = refusal("connector_not_found", 400);
/** `detail` says which, and why. */
export const ConflictingChoices = refusal("conflicting_choices", 400);
/** The notification destination that it names. */
export const UnknownContact = refusal("contact_not_found", 400);
export const PendingCeilingAboveHardCap = refusal("pending_ceiling_above_hard_cap", 400);
export const DlqCeilingAboveHardCap = refusal("dlq_ceiling_above_hard_cap", 400);
export const EmptyFilterArray = refusal("empty_filter_array", 400);
export const UrlReuseTombstone = refusal("url_reuse_tombstone", 409);
export const CannotModifyRevoked = refusal("cannot_modify_revoked_subscription", 400);
export const CannotRotateRevoked = refusal("cannot_rotate_revoked_subscription", 400);
export const CannotTestRevoked = refusal("cannot_test_revoked_subscription", 400);
/** `detail` says which of the files, and why. */
export const InvalidClientTls = refusal("invalid_client_tls", 400);
export const TestThrottled = refusal("webhook_test_throttled", 429);
export const LiveDeliveries = refusal("live_deliveries_block_hard_delete", 409);

// Deliveries and their replays.
export const InvalidPagination = refusal("invalid_pagination", 400);
export const InvalidWindow = refusal("invalid_window", 400);
export const DeliveryNotFound = refusal("delivery_not_found", 404);
export const DeliveryElsewhere = refusal("delivery_subscription_mismatch", 400);
export const CannotReplayToRevoked = refusal("cannot_replay_to_revoked_subscription", 400);
/** It waits for no further attempt: it is under way, or has ended. */
export const DeliveryNotWaiting = refusal("delivery_not_waiting", 409);
export const WebhookNotActive = refusal("webhook_not_active", 409);
export const ReplayThrottled = refusal("replay_batch_throttled", 429);
export const ReplayGloballyThrottled = refusal("replay_batch_global_throttled", 429);
export const BatchAboveHardCap = refusal("batch_size_above_hard_cap", 409);
export const ReplayAbovePendingCeiling = refusal("replay_would_exceed_pending_ceiling", 409);

// Channels (docs/interface.md, Channels) and notification destinations.
export const ChannelNotFound = refusal("channel_not_found", 404);
export const ChannelIdTaken = refusal("channel_id_taken", 409);
export const CannotModifyRevokedChannel = refusal("cannot_modify_revoked_channel", 400);
export const CannotRotateRevokedChannel = refusal("cannot_rotate_revoked_channel", 400);
export const NotificationWebhookNotFound = problem(
  "notification_webhook_not_found",
  404,
  "Notification destination not found",
);
