import { readFileSync } from "node:fs";
import type { Config } from "../config/config.js";

/**
 * The timeout of workflow tasks: how long Temporal waits for a worker before it gives the task to another one. After a
 * worker was killed, users of its workflows wait this long; their requests wait a little longer.
 */
export const WORKFLOW_TASK_TIMEOUT = "5s";

type Where = Pick<
  Config<"worker">,
  | ("temporalAddress" | "temporalApiKey")
  | ("temporalTlsCa" | "temporalTlsCert" | "temporalTlsKey" | "temporalTlsServerName")
>;

/** The connection to Temporal: address, and API key or TLS files as configured. */
export function temporalOptions(config: Where) {
  const file = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  const { temporalApiKey, temporalTlsCa, temporalTlsCert, temporalTlsKey, temporalTlsServerName } = config;
  const clientCert =
    temporalTlsCert && temporalTlsKey
      ? { crt: readFileSync(temporalTlsCert), key: readFileSync(temporalTlsKey) }
      : undefined;
  const tls = temporalTlsCa || clientCert || temporalTlsServerName || temporalApiKey;
  return {
    address: config.temporalAddress,
    ...(temporalApiKey && { apiKey: temporalApiKey }),
    ...(tls && {
      tls: {
        serverRootCACertificate: file(temporalTlsCa),
        clientCertPair: clientCert,
        serverNameOverride: temporalTlsServerName,
      },
    }),
  };
}
