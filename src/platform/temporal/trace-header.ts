import { defaultPayloadConverter, type Headers } from "@temporalio/common";
import type { ParentSpan } from "../tracing/tracing.js";

/** The parent span as a Temporal header, under the name that its SDKs use. Pure: workflows import it. */

const HEADER = "_tracer-data";
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parent span in a header, as W3C's `traceparent`. */
export function parentIn(headers: Headers | undefined): ParentSpan | undefined {
  const payload = headers?.[HEADER];
  if (!payload) return undefined;
  const { traceparent = "" } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload);
  const [, traceId, spanId, flags = "00"] = TRACE_PARENT.exec(traceparent) ?? [];
  return traceId && spanId ? { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) !== 0 } : undefined;
}

/** The headers with the parent span in them; unchanged without one. */
export function withParent(headers: Headers, parent: ParentSpan | undefined): Headers {
  if (!parent) return headers;
  const traceparent = `00-${parent.traceId}-${parent.spanId}-${parent.sampled ? "01" : "00"}`;
  return { ...headers, [HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}
