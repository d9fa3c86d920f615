import { readFileSync } from "node:fs";
import type { Config } from "./config.js";

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
