import type { StoredAccount } from "../../src/carriers/queries.js";
import { accountsToAsk, dueTrackings } from "../../src/carriers/tracking-queries.js";
import { SourceAway, SourceError, SourceMisconfigured } from "../../src/connectors/connector.js";
import { db } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import type { Done } from "../../src/platform/temporal/maintenance.js";
import { parcelTrackingDays } from "../../src/system/settings/queries.js";
import { type CarrierOptions, type OpenAccount, openAccount } from "./account.js";
import { noteTracking } from "./track.js";

/** For how many parcels one account's carrier is asked in one run: the rest is asked in the next ones. */
const MOST_PARCELS = 200;
/** How many carriers are asked at once. */
const MOST_ACCOUNTS = 4;
/** So many labels are bought at most while workers are replaced. */
const NEWEST = 10_000;
/** A run ends before it is called hung. */
const ASKS_FOR_MS = 4 * 60_000;

/**
 * Asks carriers where parcels are whose webhooks say nothing, for as long as they are under way. One that is away is
 * left alone until the next run, by its circuit breaker; others go on. Says which accounts did not answer.
 */
export async function askTracking(options: CarrierOptions, signal: AbortSignal): Promise<Done> {
  await trackMissed();
  const given_up = await giveUpOld();
  const accounts = await accountsToAsk();
  const until = AbortSignal.any([signal, AbortSignal.timeout(ASKS_FOR_MS)]);
  const done = { asked: 0, news: 0, given_up, away: [] as string[] };
  for (let i = 0; i < accounts.length && !until.aborted; i += MOST_ACCOUNTS)
    for (const one of await Promise.all(
      accounts.slice(i, i + MOST_ACCOUNTS).map((account) => askAccount(account, options, until)),
    )) {
      done.asked += one.asked;
      done.news += one.news;
      if (one.away) done.away.push(one.away);
    }
  signal.throwIfAborted();
  return done;
}

/**
 * Labels that a worker of the release before bought, while workers were replaced: it knew nothing of tracking. They are
 * among the newest.
 */
const trackMissed = () =>
  db.run(
    `insert into parcel_trackings (purchase_id, parcel_id, warehouse_id, account_id, tracking_number)
     select purchase_id, parcel_id, warehouse_id, account_id, tracking_number from label_purchases l
     where purchase_id > (select max(purchase_id) from label_purchases) - $1 and remote_id is not null
       and status in ('bought', 'void_failed') and not exists (
         select from parcel_trackings t where t.purchase_id = l.purchase_id)
     on conflict do nothing`,
    [NEWEST],
  );

/** Parcels that left long ago are not asked for any more; what a webhook says of them is still noted. */
async function giveUpOld(): Promise<number> {
  const days = await parcelTrackingDays(db);
  if (days === null) return 0;
  return db.run(
    `update parcel_trackings t set look_at = null
     from parcels p
     where p.parcel_id = t.parcel_id and look_at <= now() and p.shipped_at < now() - $1 * interval '1 day'`,
    [days],
  );
}

interface Asked {
  asked: number;
  news: number;
  /** What people read of an account whose carrier did not answer. */
  away?: string;
}

async function askAccount(account: StoredAccount, options: CarrierOptions, signal: AbortSignal): Promise<Asked> {
  const done: Asked = { asked: 0, news: 0 };
  try {
    const open = await openAccount(account, options, signal);
    if (!open.carrier.track) return done;
    for (const due of await dueTrackings(account.account_id, MOST_PARCELS)) {
      if (signal.aborted) break;
      if (await askParcel(open, due)) done.news++;
      done.asked++;
    }
  } catch (error) {
    if (signal.aborted) return done;
    if (!(error instanceof SourceError)) throw error;
    done.away = `${account.account_name}: ${error.message}`;
    log.warn({ account_id: account.account_id, reason: error.message }, "a carrier does not say where parcels are");
  }
  return done;
}

type Due = Awaited<ReturnType<typeof dueTrackings>>[number];

/** Asks for one parcel; one that its carrier refuses is asked for again later, and holds up no other. */
async function askParcel(open: OpenAccount, { purchase_id, ...label }: Due): Promise<boolean> {
  try {
    const said = await open.carrier.track?.(open, label);
    return said ? await noteTracking(purchase_id, said, "question") : false;
  } catch (error) {
    if (!isOfParcel(error)) throw error;
    await db.run(
      "update parcel_trackings set look_at = now() + interval '6 hours' where purchase_id = $1 and look_at is not null",
      [purchase_id],
    );
    log.warn({ purchase_id, reason: (error as Error).message }, "a carrier does not say where a parcel is");
    return false;
  }
}

/** Refused, or answered in another form than documented: that may be so of this parcel alone. */
const isOfParcel = (error: unknown): boolean =>
  error instanceof SourceError && !(error instanceof SourceAway) && !(error instanceof SourceMisconfigured);
