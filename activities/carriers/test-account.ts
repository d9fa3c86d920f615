import type { StoredAccount } from "../../src/carriers/queries.js";
import { SourceError } from "../../src/connectors/connector.js";
import { unlessAborted } from "../../src/outbound/wire/exchange.js";
import { type CarrierOptions, openAccount } from "./account.js";

/** Whether the carrier answers and accepts the credentials, and what it says. */
export async function testAccount(account: StoredAccount, options: CarrierOptions) {
  // A person waits for the answer: this is longer than one slow request, and shorter than all retries.
  const signal = AbortSignal.timeout(2 * options.connectorHttpTimeoutMs);
  let cleaned = (text: string) => text;
  try {
    const open = await openAccount(account, options, signal);
    cleaned = open.cleaned;
    const said = await unlessAborted(open.carrier.testConnection?.(open) ?? NOBODY, signal);
    return { connected: true, message: cleaned(said) };
  } catch (error) {
    if (error instanceof SourceError) return { connected: false, message: cleaned(error.message) };
    if (signal.aborted) return { connected: false, message: "The carrier did not answer in time" };
    throw error;
  }
}

const NOBODY = Promise.resolve("Nobody is asked: labels are bought by hand");
