import { defaultPayloadConverter, type Headers } from "@temporalio/common";
import type { TracePlace } from "../monitoring/tracing.js";

/** The place in a trace as a header of Temporal, under the name that its SDKs use. Pure: workflows import it. */

const HEADER = "_tracer-data";
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The place that a header names, as W3C's `traceparent`. */
export function placeIn(headers: Headers | undefined): TracePlace | undefined {
  const payload = headers?.[HEADER];
  if (!payload) return undefined;
  const { traceparent = "" } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload);
  const [, traceId, spanId, flags = "00"] = TRACE_PARENT.exec(traceparent) ?? [];
  return traceId && spanId ? { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) !== 0 } : undefined;
}

/** The headers with a place in them; as they are without one. */
export function withPlace(headers: Headers, place: TracePlace | undefined): Headers {
  if (!place) return headers;
  const traceparent = `00-${place.traceId}-${place.spanId}-${place.sampled ? "01" : "00"}`;
  return { ...headers, [HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}
