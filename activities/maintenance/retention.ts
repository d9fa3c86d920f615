import { db } from "../../src/platform/db/db.js";
import { LONGEST_SESSION_HOURS } from "../../src/system/settings/known.js";

const BATCH = 5_000;

/**
 * Deletes rows that the command log no longer needs, and returns how many. A caller's key is valid for 24 hours and a
 * station's for three days, but the row stays for a week: when an outage cut off an update between commit and answer,
 * Temporal repeats it after the outage. The key of a counter sale is kept for ever.
 */
export async function purgeCommands(): Promise<number> {
  let total = 0;
  for (let n = BATCH; n === BATCH; total += n) {
    n = await db.run(
      `delete from command_log where command_id in
         (select command_id from command_log
           where created_at < now() - interval '7 days' and valid_until < 'infinity' order by created_at limit $1)`,
      [BATCH],
    );
  }
  return total;
}

/** Deletes counts of failed logins that no longer lock anybody; returns how many. */
export function purgeLoginAttempts(): Promise<number> {
  return db.run(
    `delete from login_attempts where last_attempt < now() - interval '15 minutes'
       and (locked_until is null or locked_until < now())`,
  );
}

/** Deletes challenges for a second factor that are too old; returns how many. */
export function purgeChallenges(): Promise<number> {
  return db.run("delete from factor_challenges where expires_at < now()");
}

/** Deletes counts of requests whose minute is over; returns how many. */
export function purgeRequestCounts(): Promise<number> {
  return db.run("delete from request_counts where minute < date_trunc('minute', now())");
}

/**
 * Deletes ended sessions whose tokens have all expired, whatever lifetime was configured for them; returns how many.
 */
export function purgeSessions(): Promise<number> {
  return db.run("delete from ended_sessions where ended_at < now() - make_interval(hours => $1)", [
    LONGEST_SESSION_HOURS,
  ]);
}

/** Deletes what agents asked for that ended 90 days ago; returns how many. */
export function purgeApprovals(): Promise<number> {
  return db.run("delete from agent_approvals where ended_at < now() - interval '90 days'");
}

/** Deletes sessions whose last token has expired; returns how many. */
export function purgeUserSessions(): Promise<number> {
  return db.run("delete from user_sessions where expires_at < now()");
}

/** Deletes which sessions were begun at the provider and can be alive no more; returns how many. */
export function purgeProviderSessions(): Promise<number> {
  return db.run("delete from provider_sessions where begun_at < now() - make_interval(hours => $1)", [
    LONGEST_SESSION_HOURS,
  ]);
}

/** Deletes what counted once and is not valid any more; returns how many. */
export function purgeSignInUses(): Promise<number> {
  return db.run("delete from sign_in_uses where valid_until < now()");
}

/** Deletes print jobs that ended 90 days ago; returns how many. */
export function purgePrintJobs(): Promise<number> {
  return db.run("delete from print_jobs where completed_at < now() - interval '90 days'");
}
