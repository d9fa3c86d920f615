import { readFileSync } from "node:fs";
import type { Config } from "./config.js";

/**
 * How long the engine waits for a worker that took a step before it gives the step to another. A worker that was killed costs
 * the floor this long; a caller waits a little longer.
 */
export const STEP_TIMEOUT = "5s";

/** Where the workflow engine is and how to be let in: address, and API key or TLS files (as given in the configuration). */
export function temporalOptions(config: Config<"worker">) {
  const file = (path: string | undefined) =>
    path === undefined ? undefined : readFileSync(path);
  const { temporalApiKey, temporalTlsCa, temporalTlsCert, temporalTlsKey } =
    config;
  const clientCert =
    temporalTlsCert && temporalTlsKey
      ? {
          crt: readFileSync(temporalTlsCert),
          key: readFileSync(temporalTlsKey),
        }
      : undefined;
  const tls = temporalTlsCa || clientCert || temporalApiKey;
  return {
    address: config.temporalAddress,
    ...(temporalApiKey && { apiKey: temporalApiKey }),
    ...(tls && {
      tls: {
        serverRootCACertificate: file(temporalTlsCa),
        clientCertPair: clientCert,
      },
    }),
  };
}
