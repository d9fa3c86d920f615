import { DefaultFailureConverter } from "@temporalio/common";

/** Messages and stacks of failures as payloads, which are encrypted (payload-codec.ts); loaded by the SDK. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
