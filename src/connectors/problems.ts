import { problem } from "../platform/problem.js";

export const UnknownConnector = problem("connector_not_found", 404, "Connector {name} not found");
export const UnknownSyncType = problem(
  "unknown_sync_type",
  400,
  "sync_type is one of orders, items, inventory and fulfillment",
);
export const SyncRunning = problem("sync_already_running", 409, "Sync already running");
export const SyncNotSupported = problem("sync_not_supported", 400, "{connector} does not sync {sync_type}");
/** With `connector` and `warehouse_id`, and the fields at fault: `missing` and `invalid`. */
export const NotConfigured = problem("connector_not_configured", 400, "{why}");
export const UnknownCredential = problem("unknown_credential", 400, "{connector} has no field {keys}");
/** With `connector`, `warehouse_id`, `connected` and `message` (docs/interface.md, Connectors). */
export const BlockedDestination = problem("blocked_destination", 400, "blocked_destination");
/** The same text for every cause: a sender of webhooks is not told which connectors are set up. */
export const WebhookNotSigned = problem("webhook_not_signed", 401, "The webhook is not signed as it should be");
/** A stored secret would go to an address that it was not stored for. */
export const SecretsNeeded = problem(
  "secrets_needed",
  409,
  "{field} leads to another server: send {keys} in the same request, or delete the credentials first",
);
/** With `shop_before`, `shop_after`, `linked_items` and `linked_orders`. */
export const ShopChanged = problem(
  "shop_changed",
  409,
  "{field} leads to {after} instead of {before}: send address_of as same_shop if that is another address of the same " +
    "shop; as another_shop if it is not, whose ids mean something else: what is linked stays here, linked to " +
    "{before}, and the next syncs read all of {after}",
);
export const HostNotAllowed = problem("host_not_allowed", 400, "{field} has to be https://<name>{hosts}");

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
