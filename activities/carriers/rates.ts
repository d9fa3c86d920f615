import { setTimeout as pause } from "node:timers/promises";
import { senderAddress } from "../../src/carriers/address.js";
import { CarrierRefused, type ParcelToSend, type PostalAddress, type Quote } from "../../src/carriers/carrier.js";
import { customsFrom } from "../../src/carriers/customs.js";
import type { ReadyParcel } from "../../src/carriers/parcel.js";
import { NoCarrierAccount } from "../../src/carriers/problems.js";
import { accountsInUse, rulesInUse, type StoredAccount } from "../../src/carriers/queries.js";
import { carrierNamed, isByHand } from "../../src/carriers/registry.js";
import { type AccountRate, type Choice, chooseRate, type Wanted } from "../../src/carriers/rules.js";
import { SourceAway, SourceError } from "../../src/connectors/connector.js";
import { together } from "../../src/platform/db/db.js";
import type { OpenAccount, OpensAccounts } from "./account.js";

/** What a parcel is asked for, and by whom. */
export interface AskedParcel {
  /** The reference that carriers keep. */
  key: string;
  parcel: ReadyParcel;
  warehouse_id: number;
  wanted: Wanted;
}

export interface AskedRates {
  /** The cheapest first. */
  rates: (AccountRate & { account_name: string })[];
  choice: Choice | undefined;
  messages: string[];
}

/**
 * Asks the accounts of a warehouse what the parcel costs, all at once, and chooses by its rules. An account that does
 * not answer is left out as long as another one does, which the reason says; throws what the first one says where none
 * does.
 */
export async function askRates(
  { key, parcel, warehouse_id, wanted }: AskedParcel,
  opens: OpensAccounts,
): Promise<AskedRates> {
  const [found, rules] = await together((sql) => [
    accountsInUse(sql, warehouse_id, wanted.account_id ?? null),
    rulesInUse(sql, warehouse_id),
  ]);
  const accounts = found.filter(({ carrier }) => !isByHand(carrierNamed(carrier)));
  if (accounts.length === 0) throw NoCarrierAccount();
  const asked = accounts.map((account) => askOne(account, key, parcel, opens));
  const said = await answersOf(accounts, asked, opens.answerWithinMs);
  const failures = said.flatMap(({ failure }) => failure ?? []);
  if (failures.length === accounts.length) throw worstOf(failures);
  const rates = said
    .flatMap(({ account, quote }) =>
      (quote?.rates ?? []).map((rate) => ({
        ...{ ...rate, account_id: account.account_id, account_name: account.account_name },
        remote_id: quote?.remote_id ?? null,
      })),
    )
    .sort((a, b) => a.cost_minor - b.cost_minor);
  const facts = {
    ship_method: parcel.ship_method,
    weight_lbs: parcel.weight_lbs,
    country: parcel.to.country,
    hazardous: parcel.hazardous,
  };
  const messages = said.flatMap(({ account, quote, failure }) =>
    failure ? [`${account.account_name}: ${failure.message}`] : (quote?.messages ?? []),
  );
  const choice = chooseRate(rates, facts, rules, wanted);
  return { rates, choice: choice && { ...choice, reason: choice.reason + said.map(leftOut).join("") }, messages };
}

/** An account that might have had a better rate; one that takes no such parcel has none. */
const leftOut = ({ account, failure }: Said): string =>
  failure && !(failure instanceof CarrierRefused) ? `; without ${account.account_name}: ${failure.message}` : "";

/** What the accounts say. One that hangs holds up nobody: once another has answered, it has so long and no longer. */
async function answersOf(accounts: StoredAccount[], asked: Promise<Said>[], withinMs: number): Promise<Said[]> {
  const all = Promise.all(asked);
  const first = Promise.any(asked.map(quoted)).catch(() => all);
  const over = new AbortController();
  const enough = Promise.all([pause(withinMs, undefined, { signal: over.signal }), first]);
  // It may fail when nobody waits for it any more.
  enough.catch(() => {});
  try {
    await Promise.race([all, enough]);
  } finally {
    over.abort();
  }
  const why = `No answer within ${Math.ceil(withinMs / 1000)} seconds`;
  return Promise.all(
    asked.map((one, i) => {
      const late: Said = { account: accounts[i] as StoredAccount, failure: new SourceAway(why) };
      return Promise.race([one, late]);
    }),
  );
}

async function quoted(asked: Promise<Said>): Promise<void> {
  const { failure } = await asked;
  if (failure) throw failure;
}

interface Said {
  account: StoredAccount;
  quote?: Quote;
  failure?: SourceError;
}

async function askOne(account: StoredAccount, key: string, ready: ReadyParcel, opens: OpensAccounts): Promise<Said> {
  let cleaned = (text: string) => text;
  try {
    const opened = await opens.open(account);
    cleaned = opened.cleaned;
    if (account.check_address) await checkAddress(opened, ready.to);
    return { account, quote: (await opened.carrier.rates?.(opened, toSend(account, key, ready))) as Quote };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { account, failure: withText(error, cleaned) };
  }
}

/** A parcel as it is sent with an account. */
export const toSend = (
  { ship_from, label_format: format }: StoredAccount,
  key: string,
  parcel: ReadyParcel,
): ParcelToSend => {
  const from = senderAddress(ship_from);
  const { name, to, weight_lbs, dimensions } = parcel;
  return { key, name, from, to, weight_lbs, dimensions, format, customs: customsFrom(from, parcel) };
};

async function checkAddress(account: OpenAccount, to: PostalAddress): Promise<void> {
  const check = await account.carrier.verifyAddress?.(account, to);
  if (check?.ok === false)
    throw new CarrierRefused("The carrier does not know the address", "address_refused", check.faults);
}

/** An error of a carrier whose text may be shown. */
export function withText(error: SourceError, cleaned: (text: string) => string): SourceError {
  error.message = cleaned(error.message);
  if (error instanceof CarrierRefused) for (const fault of error.faults) fault.message = cleaned(fault.message);
  return error;
}

/** What is said where no account answers: one that is away may answer later, so it says nothing for good. */
const worstOf = (failures: SourceError[]): SourceError =>
  failures.find((one) => !(one instanceof CarrierRefused)) ??
  failures.find((one) => one instanceof CarrierRefused && one.refusal === "address_refused") ??
  (failures[0] as SourceError);

/** Why none of the rates is chosen. */
export function notOffered({ account_id: _, carrier, service }: Wanted, messages: string[]): CarrierRefused {
  const wanted = [carrier, service].filter(Boolean).join(" ");
  const said = wanted ? `${wanted} does not take this parcel` : "No service takes this parcel";
  return new CarrierRefused([said, ...messages].join(": "), "service_not_available");
}
