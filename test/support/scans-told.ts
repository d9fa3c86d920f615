import { defaultPayloadConverter } from "@temporalio/common";
import type { temporal } from "@temporalio/proto";
import type { Scan } from "../../src/picking/wave.js";

/** The scans that a wave's history tells of: of its signals, and of the step that ended it. */
export function scansTold(events: temporal.api.history.v1.IHistoryEvent[] | null | undefined): Scan[] {
  return (events ?? []).flatMap((event) => {
    const signal = event.workflowExecutionSignaledEventAttributes;
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
    const payload = signal?.signalName === "scanned" ? signal.input?.payloads?.[0] : update?.input?.args?.payloads?.[1];
    return payload ? defaultPayloadConverter.fromPayload<Scan[]>(payload) : [];
  });
}
