import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { RequestHandler } from "express";
import { startSpan } from "../../src/platform/tracing/tracing.js";

/**
 * A span of each request, named after its route, as a child of the caller's span if a `traceparent` was sent. It has
 * nothing that the caller typed.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  const under = propagation.extract(ROOT_CONTEXT, req.headers);
  const span = startSpan(req.method, SpanKind.SERVER, { "http.request.method": req.method }, under);
  if (!span) return next();
  res.once("close", () => {
    const route: string | undefined = req.route?.path;
    if (route) span.updateName(`${req.method} ${route}`).setAttribute("http.route", route);
    span.setAttribute("http.response.status_code", res.statusCode);
    span.setAttribute("warehouse.request_id", res.locals.requestId);
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(under, span), next);
};
