import type { Config } from "../../src/config/config.js";

/** What the HTTP application needs of the configuration. */
export type AppOptions = Pick<
  Config<"api">,
  | "jwtSecret"
  | "encryptionKey"
  | "encryptionKeysPrevious"
  | "tokenPepper"
  | "corsOrigins"
  | "trustProxy"
  | "rateLimitPerMinute"
  | "openRateLimitPerMinute"
  | "inboundRateLimitPerMinute"
  | "inboundMaxBodyKb"
  | "stationMaxBodyKb"
  | "posMaxBodyKb"
  | "posLockTimeoutMs"
  | "posStatementTimeoutMs"
  | "pollRateLimitPerMinute"
  | "snapshotRateLimitPerMinute"
  | "allowHttpWebhooks"
  | "allowInternalWebhooks"
  | "dispatcherMaxPendingHardCap"
  | "dispatcherMaxDlqHardCap"
  | "dispatcherReplayBatchHardCap"
  | "dispatcherReplayBatchGlobalBudget"
  | "dispatcherReplayBatchGlobalWindowS"
  | "allowInternalConnectors"
  | "connectorHttpTimeoutMs"
  | "connectorBackoffMs"
  | "connectorCircuitOpenMs"
  | "connectorRetryDelayMs"
>;
