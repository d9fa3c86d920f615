import { env, flag, wholeNumber } from "./variable-kinds.js";

/** Environment variables of connectors: the numbers of docs/interface.md, Limits and Connectors. */
export const connectorVariables = {
  allowInternalConnectors: flag
    .default(false)
    .meta(
      env(
        "SERVICE_ALLOW_INTERNAL_CONNECTORS",
        "Allow connectors to reach http:// URLs, and private and local addresses, for development. Refused with " +
          "NODE_ENV=production.",
      ),
    ),
  connectorHttpTimeoutMs: wholeNumber(100, 300_000)
    .default(30_000)
    .meta(
      env(
        "CONNECTOR_HTTP_TIMEOUT_MS",
        "Longest that one request of a connector may take, from looking up the host to the end of the answer, in ms " +
          "(100 to 300000).",
      ),
    ),
  connectorBackoffMs: wholeNumber(0, 60_000)
    .default(1_000)
    .meta(
      env(
        "CONNECTOR_BACKOFF_MS",
        "Wait before a connector repeats a request that was answered 429 or 503, in ms (0 to 60000); twice that the " +
          "second time, and some more at random.",
      ),
    ),
  connectorCircuitOpenMs: wholeNumber(1, 86_400_000)
    .default(300_000)
    .meta(
      env(
        "CONNECTOR_CIRCUIT_OPEN_MS",
        "How long a source is left alone after five failed requests in a row, in ms (1 to 86400000).",
      ),
    ),
  connectorRetryDelayMs: wholeNumber(0, 3_600_000)
    .default(30_000)
    .meta(
      env(
        "CONNECTOR_RETRY_DELAY_MS",
        "Wait before a failed sync or a failed fulfilment push is tried again, in ms (0 to 3600000).",
      ),
    ),
};
