import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import type { Exporting } from "./trace-exporter.js";

/**
 * Traces of this process: spans of routes, workflows, activities, commands and SQL. Where no collector is configured,
 * all of this does nothing, and no SDK is loaded.
 */

let exporting: Exporting | undefined;

/** Whether spans are made. */
export const isTracing = (): boolean => exporting !== undefined;

/**
 * Sends spans to a collector, if one is configured, under this process name; returns what sends the last ones and ends
 * it.
 */
export async function startTracing(endpoint: string | undefined, service: string): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  const { exportTraces } = await import("./trace-exporter.js");
  const started = exportTraces(service);
  exporting = started;
  return started.stop;
}

/** The context for spans whose parent is in another process. */
export interface ParentSpan {
  traceId: string;
  spanId: string;
  /** A trace that is not sampled is passed on as such, so that no part of it is sampled later. */
  sampled: boolean;
}

/** The context of the current span. */
export function currentSpan(): ParentSpan | undefined {
  const span = exporting && trace.getSpanContext(context.active());
  return span && { traceId: span.traceId, spanId: span.spanId, sampled: (span.traceFlags & TraceFlags.SAMPLED) !== 0 };
}

const contextOf = (parent: ParentSpan | undefined): Context =>
  parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
      })
    : ROOT_CONTEXT;

/** A span in a context, by default the current one. */
export const startSpan = (name: string, kind: SpanKind, attributes: Attributes, under?: Context): Span | undefined =>
  exporting?.tracer.startSpan(name, { kind, attributes }, under);

/** Marks a span as failed, by the class of the error alone: its message may have values in it. */
export function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  span.setAttribute("error.type", code ?? (error instanceof Error ? error.name : typeof error));
}

async function within<T>(span: Span, under: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(under, span), work);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work in a span of its own, under the current one. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, SpanKind.INTERNAL, attributes);
  return span ? within(span, context.active(), work) : work();
}

/** Runs work in a span that continues a trace of another process, or begins one. */
export function inSpanFrom<T>(
  parent: ParentSpan | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const under = contextOf(parent);
  const span = startSpan(name, SpanKind.CONSUMER, attributes, under);
  return span ? within(span, under, work) : work();
}

/** A span that is reported after its end: one of a workflow, which can send nothing itself. */
export interface EndedSpan {
  name: string;
  spanId: string;
  parent: ParentSpan;
  beganAt: number;
  endedAt: number;
  failed: boolean;
}

export function recordSpan(
  { name, spanId, parent, beganAt, endedAt, failed }: EndedSpan,
  attributes: Attributes,
): void {
  if (!exporting) return;
  const { tracer, withSpanId } = exporting;
  withSpanId(spanId, () => {
    const span = tracer.startSpan(name, { startTime: beganAt, attributes }, contextOf(parent));
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  });
}
