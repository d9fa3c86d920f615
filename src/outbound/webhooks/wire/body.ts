import { configure } from "safe-stable-stringify";
import type { Envelope } from "../../events/envelope.js";

const stringify = configure({ deterministic: true });

/** The bytes of an event, which are signed and sent: compact JSON, keys sorted at every level, UTF-8 (spec 6.3). */
export const bodyOf = (envelope: Envelope): Buffer => Buffer.from(stringify(envelope) as string, "utf8");
