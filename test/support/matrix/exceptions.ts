/**
 * Places where a thing of another warehouse may be named, by operation and name: nothing of it is told or changed
 * either way.
 */
export const nameable: ReadonlyMap<string, string> = new Map([
  ["post /api/admin/sales-orders so_barcode", "no barcode is unique"],
  ["put /api/admin/sales-orders/:so_id so_barcode", "no barcode is unique"],
  ["get /api/admin/users/:user_id user_id", "the list of users shows all of them"],
  ["get /api/admin/users/:user_id/badge user_id", "the list of users shows all of them"],
  ["get /api/admin/users/:user_id/sign-in user_id", "the list of users shows all of them"],
  ["post /mcp id", "the id of a message, which its answer has"],
  ["post /api/auth/passkeys id", "what a browser calls a passkey; it names nothing of a warehouse"],
  ["post /api/auth/step-up id", "the same"],
  ["post /api/admin/adjustments/review adjustment_id", "decisions on what the caller does not see are left out"],
  ["post /api/admin/waves/plan zone_id", "no order of a warehouse is picked in a zone of another"],
  ["post /api/admin/waves/plan so_ids", "orders of another warehouse are in no plan of this one"],
  ["post /api/admin/waves/release so_ids", "orders of another warehouse are in no plan of this one"],
  ["post /api/admin/waves/release zone_id", "no order of a warehouse is picked in a zone of another"],
  ["post /api/admin/sales-orders/mark-printed so_ids", "orders that the caller does not see are left out"],
  [
    "post /api/packing/parcels/:parcel_id/rates account_id",
    "an open parcel is refused before its account is looked for",
  ],
  ["post /api/receiving/cancel receipt_ids", "receipts that the caller does not see are left out"],
  ["post /api/admin/webhooks/:subscription_id/replay-batch warehouse_id", "narrows what is replayed of an own webhook"],
  ["get /api/admin/webhooks/:subscription_id/replay-batch warehouse_id", "narrows what is counted of an own webhook"],
]);

/** Changes of the caller's own account: what was prepared for a request of somebody else is not there. */
export const ofTheCaller = new Set([
  "post /api/auth/passkeys",
  "delete /api/auth/passkeys/:passkey_id",
  "post /api/auth/totp/confirm",
  "delete /api/auth/totp",
  "post /api/auth/recovery-codes",
  "delete /api/auth/keys/:key_id",
  // A lease is of who took it.
  "post /api/picking/batch/:batch_id/give-back-lease",
  // Of a partner: webhooks of its connector, and its sandbox.
  ...["", "/rotate-secret", "/test", "/replay/:delivery_id", "/replay-batch", "/attempt-now"].map(
    (action) => `${action ? "post" : "patch"} /api/partner/webhooks/:subscription_id${action}`,
  ),
  "post /api/partner/webhooks",
  "post /api/partner/inbound/try",
  ...["post /api/partner/sandbox", "post /api/partner/sandbox/step", "delete /api/partner/sandbox"],
  "delete /api/auth/sessions/:session_id",
  "post /api/auth/sessions/end-others",
]);

/** Reads that tell of warehouses whoever may not work there: where people work. */
export const toldToAll = new Set(["get /api/admin/users"]);

/** Reads with a warehouse in their query that answer numbers of it alone, in which no thing can be seen. */
export const numberAlone = new Set([
  "get /api/admin/webhooks/:subscription_id/replay-batch",
  "get /api/lookup/item/search",
  "get /api/v1/dashboard/ageing",
]);

/** Fields of records that are of all warehouses, in which one of them stands. */
export const sharedFields = new Set(["default_bin_id"]);

/**
 * What still is as it should not be, with the finding that says so. What is mended leaves this list, or the matrix
 * fails.
 */
export const open: ReadonlyMap<string, string> = new Map();

/**
 * What of the admin side is for everybody who is signed in, because the route itself looks at who asks, and for what,
 * or because scanners and the first page of the panel read it for everybody, each in their own warehouses.
 */
export const forEverybody = new Set([
  "patch /api/admin/sales-orders/:so_id/address",
  "get /api/admin/search",
  "get /api/admin/dashboard",
  "get /api/admin/bins",
  "get /api/admin/bins/:bin_id",
  "get /api/admin/bins/:bin_id/label",
  "get /api/admin/bins/labels",
  "get /api/admin/items/:item_id/label",
  "get /api/admin/items/labels",
  "get /api/admin/live",
  "get /api/admin/agent-approvals",
  "get /api/admin/agent-approvals/:approval_id",
  "post /api/admin/agent-approvals/:approval_id/approve",
  "post /api/admin/agent-approvals/:approval_id/reject",
  "get /api/admin/inbox",
  "put /api/admin/inbox/mark",
  "get /api/admin/saved-views",
  "post /api/admin/saved-views",
  "delete /api/admin/saved-views/:view_id",
  "get /api/v1/dashboard/preferences",
  "put /api/v1/dashboard/preferences",
  "get /api/v1/dashboard/received",
  "get /api/v1/dashboard/shipping-health",
  "get /api/admin/picker/transfer-orders/:to_id",
  "post /api/admin/picker/transfer-orders/:to_id/submit",
]);
