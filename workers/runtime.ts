import { DefaultLogger, Runtime } from "@temporalio/worker";
import type { Config } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";

let installed = false;

/**
 * Sets up what all workers of this process use, before the first of them; once. The SDK logs through our log, from
 * warnings on, and serves its own metrics where a port is set for them.
 */
export function installRuntime({
  metricsHost = "",
  temporalMetricsPort,
}: Partial<Pick<Config<"worker">, "metricsHost" | "temporalMetricsPort">> = {}): void {
  if (installed) return;
  installed = true;
  const host = metricsHost.includes(":") ? `[${metricsHost}]` : metricsHost;
  Runtime.install({
    // The process stops its workers itself (workers/main.ts).
    shutdownSignals: [],
    logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
      const { error: err, ...rest } = meta ?? {};
      log[level === "ERROR" ? "error" : "warn"]({ err, ...rest }, message);
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: "WARN" },
      ...(temporalMetricsPort && {
        metrics: {
          prometheus: {
            bindAddress: `${host}:${temporalMetricsPort}`,
            ...{ countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
          },
        },
      }),
    },
  });
}
