import { senderAddress } from "../../src/carriers/address.js";
import { CarrierRefused, type ParcelToSend, type PostalAddress, type Quote } from "../../src/carriers/carrier.js";
import { customsFrom } from "../../src/carriers/customs.js";
import type { ReadyParcel } from "../../src/carriers/parcel.js";
import { NoCarrierAccount } from "../../src/carriers/problems.js";
import { accountsInUse, rulesInUse, type StoredAccount } from "../../src/carriers/queries.js";
import { carrierNamed, isByHand } from "../../src/carriers/registry.js";
import { type AccountRate, type Choice, chooseRate, type Wanted } from "../../src/carriers/rules.js";
import { SourceError } from "../../src/connectors/connector.js";
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
 * Asks the accounts of a warehouse what the parcel costs, and chooses by its rules. An account that does not answer is
 * left out as long as another one does; throws what the first one says where none does.
 */
export async function askRates(
  { key, parcel, warehouse_id, wanted }: AskedParcel,
  opens: OpensAccounts,
): Promise<AskedRates> {
  const [found, rules] = await Promise.all([
    accountsInUse(warehouse_id, wanted.account_id ?? null),
    rulesInUse(warehouse_id),
  ]);
  const accounts = found.filter(({ carrier }) => !isByHand(carrierNamed(carrier)));
  if (accounts.length === 0) throw NoCarrierAccount();
  const said = await Promise.all(accounts.map((account) => askOne(account, key, parcel, opens)));
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
  return { rates, choice: chooseRate(rates, facts, rules, wanted), messages };
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
