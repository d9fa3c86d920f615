import type { EncryptionKeys } from "../../src/auth/sealed.js";
import type { Carrier } from "../../src/carriers/carrier.js";
import { accountById, type StoredAccount } from "../../src/carriers/queries.js";
import { carrierNamed } from "../../src/carriers/registry.js";
import { clientName } from "../../src/carriers/secrets.js";
import { checkedConfig, openConfig } from "../../src/carriers/stored-config.js";
import { type Source, SourceMisconfigured } from "../../src/connectors/connector.js";
import { SMALL_LIMITS } from "../../src/connectors/http/json.js";
import { DomainError } from "../../src/platform/problem.js";
import { type AskingOptions, type Client, openClient, texts } from "../connectors/client.js";

/** What carriers are reached with. */
export type CarrierOptions = EncryptionKeys & AskingOptions;

/** An account as its carrier's operations see it. */
export interface OpenAccount extends Source<never>, Client {
  carrier: Carrier;
}

/** Opens an account; throws `SourceMisconfigured` where its configuration is of no use. */
export async function openAccount(
  { account_id, warehouse_id, carrier: name, config_sealed }: StoredAccount,
  options: CarrierOptions,
  signal: AbortSignal,
): Promise<OpenAccount> {
  const stored = openConfig(account_id, config_sealed, options);
  const { carrier, config } = usable(name, stored);
  const secrets = [...texts(stored), ...texts(config)];
  const asked = { name: clientName(account_id), warehouseId: warehouse_id, secrets };
  const client = await openClient(asked, options, signal, SMALL_LIMITS);
  return {
    ...{ carrier, config: config as never, ...client },
    // What shops and carriers have in common calls them sources: people know this one by its name.
    cleaned: (text) => client.cleaned(text).replace(/^The source\b/, carrier.title),
  };
}

/** A person, or a label, waits. */
const ANSWER_WITHIN_MS = 10_000;

/** The accounts of one task, each read and opened once: what is asked shares a circuit and a request rate. */
export interface OpensAccounts {
  /** So long all are waited for that are asked at once, where one of them has answered. */
  answerWithinMs: number;
  open(stored: StoredAccount): Promise<OpenAccount>;
  /** That of a number, and its row. */
  of(accountId: number): Promise<[OpenAccount, StoredAccount]>;
}

export function opensAccounts(options: CarrierOptions, signal: AbortSignal): OpensAccounts {
  const rows = new Map<number, StoredAccount>();
  const opened = new Map<number, Promise<OpenAccount>>();
  const open = (stored: StoredAccount) => {
    const { account_id } = stored;
    const account = opened.get(account_id) ?? openAccount(stored, options, signal);
    rows.set(account_id, stored);
    opened.set(account_id, account);
    return account;
  };
  return {
    answerWithinMs: Math.min(ANSWER_WITHIN_MS, options.connectorHttpTimeoutMs),
    open,
    async of(accountId) {
      const stored = rows.get(accountId) ?? ((await accountById(accountId)) as StoredAccount);
      return [await open(stored), stored];
    },
  };
}

function usable(name: string, stored: Record<string, string>) {
  try {
    const carrier = carrierNamed(name);
    return { carrier, config: checkedConfig(carrier, stored) };
  } catch (error) {
    throw error instanceof DomainError ? new SourceMisconfigured(error.message) : error;
  }
}
