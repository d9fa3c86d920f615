/** Globals that the worker sets in front of the bundle, to tell the workflows how it is configured. */

/** What workflows say is encrypted, also in their failures. */
export const ENCODES_FAILURES = "warehouseEncodesFailures";
/** The worker is a version of Temporal's Worker Versioning. Without, Temporal refuses a workflow that is pinned. */
export const HAS_VERSION = "warehouseHasVersion";
