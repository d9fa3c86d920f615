import { DefaultFailureConverter } from "@temporalio/common";
import { ENCODES_FAILURES } from "./globals.js";

/** Messages and stacks of failures: as they are, or as payloads, which are encrypted. Both can be read at any time. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: ENCODES_FAILURES in globalThis });
