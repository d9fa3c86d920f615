import type { OidcOptions } from "../../src/auth/oidc/provider.js";
import type { Config } from "../../src/platform/config/config.js";

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
  | "bodiesMb"
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
  | "printerNetworks"
  | "siteAddress"
  | "temporalUiUrl"
  | "temporalNamespace"
  | keyof OidcOptions
  | "agentsAllowInternal"
  | "scimTokens"
>;

/** Where workflows can be watched, as `WorkflowsUrl` says. */
export const workflowsUrl = ({
  temporalUiUrl,
  temporalNamespace,
}: Pick<AppOptions, "temporalUiUrl" | "temporalNamespace">): string | null =>
  temporalUiUrl ? `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows/` : null;
