import { z } from "zod";
import { env, wholeNumber } from "./variable-kinds.js";

const port = (name: string, whose: string) =>
  wholeNumber(1, 65_535)
    .optional()
    .meta(env(name, `Port for Prometheus, where ${whose}. Not given: none (docs/monitoring.md).`));

/** The environment variables of monitoring. */
export const monitoringVariables = {
  metricsHost: z
    .string()
    .default("127.0.0.1")
    .meta(
      env(
        "SERVICE_METRICS_HOST",
        "Address of the ports for Prometheus, which ask nobody for a password: not a public one.",
      ),
    ),
  metricsPort: port("SERVICE_METRICS_PORT", "the API gives its metrics"),
  workerMetricsPort: port("SERVICE_WORKER_METRICS_PORT", "a worker gives its metrics, and those of all waiting work"),
  otlpEndpoint: z
    .url({ protocol: /^https?$/, error: "an http:// or https:// URL" })
    .optional()
    .meta(
      env(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "Collector that gets traces, by OTLP over HTTP, such as http://localhost:4318. Not given: no traces.",
      ),
    ),
  temporalMetricsPort: port("SERVICE_TEMPORAL_METRICS_PORT", "the Temporal SDK of a worker gives its own metrics"),
};
