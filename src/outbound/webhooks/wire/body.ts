import { configure } from "safe-stable-stringify";
import type { Envelope } from "../../../platform/events/envelope.js";
import type { TestEvent } from "../test-event.js";

const stringify = configure({ deterministic: true });

/**
 * The bytes of an event, which are signed and sent: compact JSON, keys sorted at every level, UTF-8 (docs/interface.md,
 * Webhooks).
 */
export const bodyOf = (event: Envelope | TestEvent): Buffer => Buffer.from(stringify(event) as string, "utf8");
