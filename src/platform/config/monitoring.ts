import { resolve } from "node:path";
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
  backupFolder: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .meta(
      env(
        "SERVICE_BACKUP_FOLDER",
        "Folder of backups, of which a worker's metrics tell the age and the free disk. Not given: they do not.",
      ),
    ),
  archiveFolder: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .meta(
      env(
        "SERVICE_ARCHIVE_FOLDER",
        "Folder of the archive, of which a worker's metrics tell the age and the free disk. Not given: they do not.",
      ),
    ),
  siteAddress: z
    .string()
    .transform((text) => (text.includes("://") ? text : `https://${text}`))
    .refine(URL.canParse, "a host name or URL")
    .optional()
    .meta(
      env(
        "SERVICE_SITE_ADDRESS",
        "Name of the site, such as warehouse.example.com: passkeys are made for it, and a worker's metrics tell how " +
          "long its certificate holds. Not given: passkeys are made for the host that a browser asks.",
      ),
    ),
  siteTlsAt: z
    .string()
    .refine((text) => URL.canParse(`https://${text}`), "host:port")
    .optional()
    .meta(env("SERVICE_SITE_TLS_AT", "Where a worker asks for that certificate, if not at the site's own address.")),
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
