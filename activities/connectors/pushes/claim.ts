import { db } from "../../../src/platform/db/db.js";

/** How long a claim lasts, and how often it is renewed meanwhile. */
const CLAIM_S = 15;
const RENEW_MS = 3_000;

/**
 * Begins an attempt, unless the push has ended or another attempt of it is under way: two at once would both find that
 * the source lacks the fulfilment. It counts before anything is sent, because what a killed worker had begun may have
 * reached the source. Gives its number.
 */
export async function claimPush(pushId: number): Promise<number | undefined> {
  const begun = await db.row<{ attempts: number }>(
    `update fulfillment_pushes
     set attempts = attempts + 1, claimed_until = now() + interval '${CLAIM_S} s', updated_at = now()
     where push_id = $1 and status = 'pending' and (claimed_until is null or claimed_until <= now())
     returning attempts`,
    [pushId],
  );
  return begun?.attempts;
}

/** Runs a claimed attempt, for which it renews the claim. */
export async function whileClaimed<T>(pushId: number, attempts: number, run: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => {
    // One that was not renewed ends; then the attempt may be made twice, as after a kill.
    renew(pushId, attempts).catch(() => {});
  }, RENEW_MS);
  try {
    return await run();
  } finally {
    clearInterval(renewal);
  }
}

const renew = (pushId: number, attempts: number) =>
  db.run(
    `update fulfillment_pushes set claimed_until = now() + interval '${CLAIM_S} s'
     where push_id = $1 and attempts = $2 and status = 'pending'`,
    [pushId, attempts],
  );
