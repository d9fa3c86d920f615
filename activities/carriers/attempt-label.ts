import { setTimeout as pause } from "node:timers/promises";
import { CarrierRefused } from "../../src/carriers/carrier.js";
import { type Purchase, readPurchase } from "../../src/carriers/label-queries.js";
import { isFinal, isLast } from "../../src/carriers/next-attempt.js";
import { type ReadyParcel, readyParcel } from "../../src/carriers/parcel.js";
import { parcelToSend, type StoredAccount } from "../../src/carriers/queries.js";
import {
  LABEL_ATTEMPTS,
  type LabelActivities,
  type LabelAttempted,
  type LabelSummary,
  nameOfLabel,
  SHOWN_AFTER_MS,
} from "../../src/carriers/workflow.js";
import { SourceError } from "../../src/connectors/connector.js";
import { databaseBusy, databaseUnavailable } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { withHeartbeat } from "../heartbeat.js";
import type { UnderLock } from "../outbound/engine.js";
import { type CarrierOptions, type OpenAccount, type OpensAccounts, opensAccounts } from "./account.js";
import { fileOf, type Printing, printOnce } from "./documents.js";
import { askRates, notOffered, toSend, withText } from "./rates.js";
import {
  beginToBuy,
  type End,
  endedOf,
  notBought,
  settleFailure,
  settleLabel,
  storeBought,
  storeChoice,
  storeFile,
} from "./settle-label.js";

/** A worker that was killed during an attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;
/** As parcel_labels has it. */
const LARGEST_LABEL = 1024 * 1024;

export type LabelOptions = CarrierOptions & Printing;

/** An attempt under way. */
interface UnderWay {
  attempted: Promise<LabelAttempted>;
  stop: AbortController;
}

/**
 * Who waits for a first attempt holds a slot for workflow tasks, which other labels and syncs of shops need as well.
 * All are waited for so long, and beyond that so many at a time: a carrier that hangs does not stop the others.
 */
const WAITED_FOR_ALL_MS = 1_000;
const MOST_WAITED_FOR = 10;

export function labelActivities(options: LabelOptions, underLock: UnderLock): LabelActivities {
  const underWay = new Map<number, UnderWay>();
  let waitedFor = 0;

  /** The attempt of a purchase: the one that was begun here and goes on, or a new one. */
  function attempt(purchaseId: number): UnderWay {
    const before = underWay.get(purchaseId);
    if (before) return before;
    const stop = new AbortController();
    const attempted = underLock("label", purchaseId, (lost) =>
      attemptLabel(purchaseId, options, AbortSignal.any([stop.signal, lost])),
    ).finally(() => underWay.delete(purchaseId));
    const begun = { attempted, stop };
    underWay.set(purchaseId, begun);
    return begun;
  }

  return {
    async beginLabel(purchaseId) {
      const { attempted } = attempt(purchaseId);
      // Nobody may be waiting any more when it fails.
      attempted.catch(() => {});
      const soon = await within(attempted, WAITED_FOR_ALL_MS);
      if (soon || waitedFor >= MOST_WAITED_FOR) return soon;
      waitedFor++;
      return within(attempted, SHOWN_AFTER_MS - WAITED_FOR_ALL_MS).finally(() => waitedFor--);
    },
    attemptLabel: (purchaseId) =>
      withHeartbeat(HEARTBEAT_MS, async (cancelled) => {
        const { attempted, stop } = attempt(purchaseId);
        cancelled.addEventListener("abort", () => stop.abort(cancelled.reason), { once: true });
        return attempted;
      }),
  };
}

/** What a promise gives in that time, else null. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const over = new AbortController();
  const late = pause(ms, null, { signal: over.signal }).catch(() => null);
  return Promise.race([promise, late]).finally(() => over.abort());
}

const GONE = { warehouse_id: null, warehouse_code: null, so_number: null };

/** What the workflow of a purchase shows. */
export async function describeLabel(purchaseId: number): Promise<LabelSummary> {
  const label = await readPurchase(purchaseId, 0);
  if (!label) return { what: "a label that is gone", ...GONE, attempts: 0 };
  const { so_number, warehouse_id, warehouse_code, attempts, status } = label;
  const takes_back = status === "voiding";
  return { what: nameOfLabel(label), so_number, warehouse_id, warehouse_code, attempts, takes_back };
}

/**
 * Makes the next attempt of a purchase, if it is due: buys its label, or takes it back. Used only under its lock. A
 * label is bought for one id of the carrier, which is stored before; what may have been bought is looked for before
 * another request is made, once none can be under way any more.
 */
export async function attemptLabel(
  purchaseId: number,
  options: LabelOptions,
  signal: AbortSignal,
): Promise<LabelAttempted> {
  const accounts = opensAccounts(options, signal);
  for (;;) {
    signal.throwIfAborted();
    const label = await readPurchase(purchaseId, options.connectorHttpTimeoutMs);
    if (!label) return { ended: "gone", why: null };
    const { status, attempts, wait_ms, settles_ms, bought, last_error: why } = label;
    if (status !== "pending" && status !== "voiding") return { ended: endedOf(status), why };
    const wait = bought ? wait_ms : Math.max(wait_ms, settles_ms);
    const takes_back = status === "voiding";
    if (wait > 0) return { why, takes_back, next: { attempt: attempts + 1, wait_ms: wait } };
    const attempted = await step(label, accounts, options, signal);
    if (attempted) return attempted;
  }
}

/** Does what is next for a purchase; undefined where its row says what comes then. */
async function step(
  label: Purchase,
  accounts: OpensAccounts,
  options: LabelOptions,
  signal: AbortSignal,
): Promise<LabelAttempted | undefined> {
  try {
    const end = await (label.status === "pending" ? buy(label, accounts, options) : takeBack(label, accounts));
    return end && (await settleLabel(label, end));
  } catch (error) {
    if (signal.aborted || databaseUnavailable(error) || databaseBusy(error)) throw error;
    const end = await endAfter(label, error);
    if (end) return settleLabel(label, end);
    return settleFailure(label, error as Error);
  }
}

/** How a failure ends it; undefined where another attempt may help, or has to find out whether a label was bought. */
async function endAfter(label: Purchase, error: unknown): Promise<End | undefined> {
  if (!(error instanceof SourceError || error instanceof DomainError)) throw error;
  const { buying = false, bought = false } = (await readPurchase(label.purchase_id, 0)) ?? {};
  const why = error.message;
  const isOver = isFinal(error) || isLast(label.attempts, error);
  if (label.status === "voiding")
    return bought && isOver ? { status: "void_failed", why, ...refusalOf(error) } : undefined;
  // All but the file of the label is there.
  if (bought) return isOver ? { status: "bought", why } : undefined;
  return !buying && isOver ? { status: "failed", why, ...refusalOf(error) } : undefined;
}

const refusalOf = (error: Error): Pick<End, "refusal" | "faults"> =>
  error instanceof CarrierRefused ? { refusal: error.refusal, faults: error.faults } : {};

/** Buys the label, unless it is bought already, and stores it. Without an end, the row says what comes next. */
async function buy(asked: Purchase, accounts: OpensAccounts, options: Printing): Promise<End | undefined> {
  const chosen = asked.remote_id === null ? await choose(asked, accounts) : asked;
  if (!chosen) return undefined;
  const [account, stored] = await accounts.of(chosen.account_id as number);
  if (asked.buying && !asked.bought) return lookFor(chosen, account);
  const label = chosen.bought ? chosen : await buyOnce(chosen, account);
  if (!label) return undefined;
  const { purchase_id, warehouse_id, label_ref, station } = label;
  if (!label.stored && label_ref) await fetchFile(purchase_id, label_ref, account, stored);
  if (label_ref)
    await printOnce(
      { document: "carrier_label", record_ids: [purchase_id], warehouse_id, ...(station !== null && { station }) },
      `label-${purchase_id}`,
      options,
    );
  return { status: "bought" };
}

/** What is bought of which carrier, from now on; undefined where somebody chose, or took it back, meanwhile. */
async function choose(label: Purchase, accounts: OpensAccounts): Promise<Purchase | undefined> {
  const { parcel_id, key, warehouse_id, wanted_account, wanted_carrier, wanted_service } = label;
  const wanted = { account_id: wanted_account, carrier: wanted_carrier, service: wanted_service };
  const parcel = { ...(await stillReady(parcel_id)), contents: label.customs_contents ?? undefined };
  const { choice, messages } = await askRates({ key, parcel, warehouse_id, wanted }, accounts);
  if (!choice) throw notOffered(wanted, messages);
  const remoteId = choice.rate.remote_id ?? (await register(label, choice.rate.account_id, parcel, accounts));
  return storeChoice(label, choice, remoteId, parcel.sent_to);
}

/** The id that a carrier sells the label for, where asking for its rates gave none. */
async function register(
  { key }: Purchase,
  accountId: number,
  parcel: ReadyParcel,
  accounts: OpensAccounts,
): Promise<string> {
  const [account, stored] = await accounts.of(accountId);
  return (await readably(account, () => account.carrier.register?.(account, toSend(stored, key, parcel)))) as string;
}

/** The parcel may have been changed, or taken back, since somebody asked for its label. */
async function stillReady(parcelId: number): Promise<ReadyParcel> {
  const parcel = await parcelToSend(parcelId);
  if (!parcel) throw new CarrierRefused("The parcel is gone");
  return readyParcel(parcel, true);
}

/** Only one request to buy is under way at a time, and none of what was taken back before. */
async function buyOnce(label: Purchase, account: OpenAccount): Promise<Purchase | undefined> {
  if (!label.buying && !(await beginToBuy(label.purchase_id))) return undefined;
  try {
    const bought = await readably(account, () => account.carrier.buy?.(account, chosenOf(label)));
    if (!bought) throw new CarrierRefused(`${account.carrier.title} sells no labels`);
    return await storeBought(label, bought);
  } catch (error) {
    // The carrier says that nothing was bought.
    if (error instanceof CarrierRefused) await notBought(label.purchase_id);
    throw error;
  }
}

/** Finds out whether a label was bought; where none was, another request may be made, unless there were enough. */
async function lookFor(label: Purchase, account: OpenAccount): Promise<End | undefined> {
  const found = await readably(account, () => account.carrier.find?.(account, chosenOf(label)));
  if (found) await storeBought(label, found);
  else await notBought(label.purchase_id);
  if (found) return undefined;
  if (label.status === "voiding") return { status: "cancelled" };
  return label.attempts >= LABEL_ATTEMPTS ? { status: "failed", why: label.last_error } : undefined;
}

async function fetchFile(purchaseId: number, ref: string, account: OpenAccount, { label_format }: StoredAccount) {
  const content = await readably(account, () => account.carrier.label?.(account, ref, label_format));
  await storeFile(purchaseId, label_format, fileOf("label", content, LARGEST_LABEL));
}

/** Takes back what was bought, or was being bought when somebody took it back. */
async function takeBack(label: Purchase, accounts: OpensAccounts): Promise<End | undefined> {
  const [account] = await accounts.of(label.account_id as number);
  if (!label.bought) return lookFor(label, account);
  const { carrier } = account;
  if (!carrier.void) throw new CarrierRefused(`${carrier.title} takes no labels back`, "not_refundable");
  const refund = await readably(account, () => carrier.void?.(account, label.remote_id as string));
  return { status: "voided", ...(refund && { refund }) };
}

const chosenOf = ({ remote_id, rate_id, carrier, service }: Purchase) => ({
  ...{ remote_id: remote_id as string, rate_id: rate_id as string },
  ...{ carrier: carrier as string, service: service as string },
});

/** What an operation says, or its error, without anything secret. */
export async function readably<T>(
  account: OpenAccount,
  operation: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof SourceError ? withText(error, account.cleaned) : error;
  }
}
