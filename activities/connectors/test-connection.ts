import { type Connector, isUrlField, SourceError } from "../../src/connectors/connector.js";
import { DestinationBlocked } from "../../src/connectors/http/ask.js";
import { cleaned } from "../../src/connectors/http/clean.js";
import { SMALL_LIMITS } from "../../src/connectors/http/json.js";
import { ConfigFault, checkConfigFor, storedConfig } from "../../src/connectors/stored-config.js";
import { DestinationRefused, resolveChecked } from "../../src/outbound/wire/connections.js";
import { failureOf, unlessAborted } from "../../src/outbound/wire/exchange.js";
import { databaseUnavailable, sqlState } from "../../src/platform/db/db.js";
import { openSource, type SourceOptions } from "./source.js";

export interface Tested {
  connected: boolean;
  /** The message as shown to people: without secrets, at most 500 characters. */
  message: string;
}

/**
 * Tests whether the source of a warehouse answers and accepts the credentials. Throws `DestinationBlocked` when the
 * stored configuration, or a request of the connector, does not lead to the public internet, and `ConfigFault` when the
 * configuration does not allow a request.
 */
export async function testConnection(
  connector: Connector,
  warehouseId: number,
  options: SourceOptions,
): Promise<Tested> {
  // A person waits for the answer: this is longer than one slow request, and shorter than all retries.
  const signal = AbortSignal.timeout(2 * options.connectorHttpTimeoutMs);
  const secrets: string[] = [];
  const told = (text: string) => cleaned(text, secrets);
  try {
    const stored = await storedConfig(connector.name, warehouseId, options);
    secrets.push(...Object.values(stored));
    await checkUrls(stored, options, signal);
    checkConfigFor(connector, stored, "fulfillment");
    const source = await openSource(connector, warehouseId, options, signal, SMALL_LIMITS);
    return { connected: true, message: told(await unlessAborted(connector.testConnection(source), signal)) };
  } catch (error) {
    if (error instanceof DestinationBlocked) throw new DestinationBlocked(told(error.message));
    if (error instanceof ConfigFault || databaseUnavailable(error) || sqlState(error)) throw error;
    return { connected: false, message: told(reasonOf(error)) };
  }
}

/**
 * Resolves all fields that are URLs, also those that the connector does not request (docs/interface.md, Connectors).
 */
async function checkUrls(stored: Record<string, string>, options: SourceOptions, signal: AbortSignal): Promise<void> {
  const { allowInternalConnectors: allowInternal, nameServers } = options;
  for (const [field, value] of Object.entries(stored)) {
    if (!isUrlField(field) || !URL.canParse(value)) continue;
    const { hostname } = new URL(value);
    await unlessAborted(resolveChecked(hostname, { allowInternal, nameServers }), signal).catch((error: unknown) => {
      if (error instanceof DestinationRefused) throw new DestinationBlocked(error.message);
      throw signal.aborted ? error : new SourceError(failureOf(error).detail);
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  const { name, message } = error as Error;
  return name === "TimeoutError" ? "The source did not answer in time" : `The connector failed: ${message}`;
}
