import { DefaultFailureConverter } from "@temporalio/common";

/** The global that the worker sets in front of the bundle where what workflows say is encrypted. */
export const ENCODES_FAILURES = "warehouseEncodesFailures";

/** Messages and stacks of failures: as they are, or as payloads, which are encrypted. Both can be read at any time. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: ENCODES_FAILURES in globalThis });
