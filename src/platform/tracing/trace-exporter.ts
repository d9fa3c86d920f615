import { type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } from "@opentelemetry/sdk-trace-node";
import { version } from "../config/config.js";

/** The span exporter; `withSpanId` sets the id of the span that is created during the call. */
export interface Exporting {
  tracer: Tracer;
  withSpanId: (id: string, make: () => void) => void;
  stop: () => Promise<void>;
}

/**
 * Sends spans by OTLP over HTTP, in batches. The SDK reads address, headers, sampling and service name from the
 * variables of OpenTelemetry.
 */
export function exportTraces(service: string): Exporting {
  const random = new RandomIdGenerator();
  let next: string | undefined;
  const idGenerator = {
    generateTraceId: () => random.generateTraceId(),
    generateSpanId: () => next ?? random.generateSpanId(),
  };
  const named = resourceFromAttributes({ "service.name": service, "service.version": version });
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    idGenerator,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // W3C headers, and the context of asynchronous work.
  provider.register();
  return {
    tracer: trace.getTracer("warehouse"),
    withSpanId: (id, make) => {
      next = id;
      make();
      next = undefined;
    },
    stop: () => provider.shutdown(),
  };
}
