import { defaultPayloadConverter } from "@temporalio/common";
import type { temporal } from "@temporalio/proto";
import type { Scan } from "../../src/picking/wave.js";

/** The scans in a wave's history: in its signals, and in the update that ended it. */
export function scansIn(events: temporal.api.history.v1.IHistoryEvent[] | null | undefined): Scan[] {
  return (events ?? []).flatMap((event) => {
    const signal = event.workflowExecutionSignaledEventAttributes;
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
    const payload = signal?.signalName === "scanned" ? signal.input?.payloads?.[0] : update?.input?.args?.payloads?.[1];
    return payload ? defaultPayloadConverter.fromPayload<Scan[]>(payload) : [];
  });
}
