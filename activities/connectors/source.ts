import type { EncryptionKeys } from "../../src/auth/sealed.js";
import {
  type Connector,
  type Source,
  SourceMisconfigured,
  type SourceRequest,
} from "../../src/connectors/connector.js";
import { PAGE_LIMITS } from "../../src/connectors/http/json.js";
import { checkedConfig, storedConfig } from "../../src/connectors/stored-config.js";
import { isAmong } from "./addresses.js";
import { type AskingOptions, type Client, openClient, texts } from "./client.js";

/** What a source is reached with. */
export type SourceOptions = EncryptionKeys & AskingOptions;

// The configuration has been checked against the schema of the connector that it is opened for.
export interface OpenSource extends Source<Record<string, unknown>>, Client {}

/**
 * Opens the source of a warehouse with its stored configuration. Throws `ConfigFault` for an incomplete one.
 * @param signal Aborts its requests and waits at once, with the signal's reason.
 * @param limits For the JSON of its answers.
 */
export async function openSource(
  connector: Connector,
  warehouseId: number,
  options: SourceOptions,
  signal?: AbortSignal,
  limits = PAGE_LIMITS,
): Promise<OpenSource> {
  const { name } = connector;
  const stored = await storedConfig(name, warehouseId, options);
  const config = checkedConfig(connector, stored);
  const secrets = [...texts(stored), ...texts(config)];
  const check = (request: SourceRequest) => checkHost(connector, request, options);
  return { config, ...(await openClient({ name, warehouseId, secrets, check }, options, signal, limits)) };
}

function checkHost({ hosts }: Connector, { url }: SourceRequest, { allowInternalConnectors }: AskingOptions): void {
  if (hosts === undefined || allowInternalConnectors || (URL.canParse(url) && isAmong(hosts, url))) return;
  throw new SourceMisconfigured(`Only https://<name>${hosts} is asked`);
}
