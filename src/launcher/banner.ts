import type { Config } from "../platform/config/config.js";
import type { Prepared } from "./service.js";

/** The URL of the API on this machine. */
export const apiUrl = ({ host, port }: Config): string => urlOf(host, port);

/** Where Prometheus finds the metrics that are switched on. */
function metricsUrls({ metricsHost, metricsPort, workerMetricsPort, temporalMetricsPort }: Config): string[] {
  const ports = { API: metricsPort, worker: workerMetricsPort, "Temporal SDK of the worker": temporalMetricsPort };
  return Object.entries(ports).flatMap(([whose, port]) =>
    port ? [`${urlOf(metricsHost, port)}/metrics (${whose})`] : [],
  );
}

function urlOf(host: string, port: number): string {
  const localHosts: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  return `http://${localHosts[host] ?? (host.includes(":") ? `[${host}]` : host)}:${port}`;
}

/** The text that `npm start` prints when the service is ready. */
export function banner(config: Config, prepared: Prepared, temporal: string, isSimulating: boolean): string {
  const url = apiUrl(config);
  const metrics = metricsUrls(config);
  const hour = isSimulating ? " For a minute, an hour of work is simulated beside it." : "";
  const demo = prepared.demo ? `\n                 Demo data was loaded.${hour}` : "";
  return `
Warehouse execution service is running.

  Console        ${url}/console/
  Scanner        ${url}/scan/
  API            ${url}/api
  API reference  ${url}/docs
  Temporal       ${temporal}${metrics.map((line) => `\n  Metrics        ${line}`).join("")}
  Login          ${login(config, prepared)}
  Data           ${config.dataDir} (logs in ${config.dataDir}/logs)${demo}

Stop with Ctrl-C; the next start goes on with the same data.
`;
}

/** How to log in; a generated password is shown only here. */
export function login(config: Config, prepared: Prepared): string {
  const { adminUsername, adminPassword } = prepared;
  if (adminPassword) return `${adminUsername} / ${adminPassword} (shown only this once; it must be kept or changed)`;
  if (config.adminPassword) return `${adminUsername} / as SERVICE_ADMIN_PASSWORD was at the first start`;
  return `${adminUsername} / the password shown at the first start`;
}
