import { createHash, randomUUID } from "node:crypto";
import { passwordMatches } from "../../src/auth/password.js";
import { queued } from "../../src/auth/password-queue.js";
import { Locked, LockedNow, WrongCurrentPassword } from "../../src/auth/problems.js";
import { passwordHash } from "../../src/auth/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { keyedMutex } from "../../src/platform/concurrency/keyed-mutex.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { Problem } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";

const MAX_FAILURES = 5;
const LOCK_S = 15 * 60;

/** The address and user name that a password is tried with, the badge of a PIN, or the user of a second factor. */
export interface LoginAttempt {
  address: string;
  /** Of a badge: whose it is; empty where it is nobody's. */
  username: string;
  /** The badge's hash. It is counted by it alone, from whatever address: a PIN is short. */
  badge?: string;
  /** The user whose second factor is tried, which is counted by the user alone: a code is short, too. */
  factorOf?: number;
}

/**
 * Checks a password or a PIN (docs/interface.md, Signing in): five wrong ones lock the pair of address and user name,
 * the badge or the second factor, for 15 minutes. An attempt is counted before its password is checked, so parallel
 * requests cannot try more than five.
 * @param check Returns undefined for a wrong password; for a right one it clears the count of the key.
 */
export function limitedAttempt<T>(
  attempt: LoginAttempt,
  wrong: Problem,
  check: (key: string) => Promise<T | undefined>,
): Promise<T> {
  const { address } = attempt;
  const key = shortened(keyOf(attempt), 64);
  const once = async () => {
    const isLast = await countAttempt(key);
    const result = await check(key);
    if (result !== undefined) return result;
    if (!isLast) throw wrong();
    await lock(key, attempt);
    throw LockedNow().after(LOCK_S);
  };
  return queued(address, () => mutex(key, once));
}

function keyOf({ address, username, badge, factorOf }: LoginAttempt): string {
  if (badge) return `badge|${badge}`;
  return factorOf ? `factor|${factorOf}` : `${address}|${username.normalize("NFC").toLowerCase()}`;
}

/**
 * One attempt on a key at a time in this process: otherwise several programs that sign in at once with the right
 * password would count as so many attempts and lock the user. Between processes only the count decides.
 */
const mutex = keyedMutex<string>();

/** Counts an attempt; true for the last one, which locks the key unless its password is right. */
async function countAttempt(key: string): Promise<boolean> {
  const counted = await db.row(
    { last: bool },
    `insert into login_attempts as l (key, attempts) values ($1, 1)
     on conflict (key) do update
       set attempts = (l.attempts + 1) % $2,
           locked_until = case when l.attempts + 1 >= $2 then now() + make_interval(secs => $3) end,
           last_attempt = now()
       where l.locked_until is null or l.locked_until <= now()
     returning locked_until is not null as last`,
    [key, MAX_FAILURES, LOCK_S],
  );
  if (counted) return counted.last;
  const locked = await db.row(
    { seconds: int },
    "select ceil(extract(epoch from locked_until - now()))::int as seconds from login_attempts where key = $1",
    [key],
  );
  const seconds = Math.max(1, locked?.seconds ?? 1);
  const left = { minutes: Math.floor(seconds / 60), seconds: seconds % 60 };
  throw Locked(left).after(seconds);
}

/** Locks the key for the full time, because the last attempt failed too, with an audit row. */
function lock(key: string, { address, username, badge, factorOf }: LoginAttempt): Promise<void> {
  const by = systemActor(randomUUID());
  return command("auth.lock", by, {}, async (tx) => {
    tx.later.run("update login_attempts set locked_until = now() + make_interval(secs => $2) where key = $1", [
      key,
      LOCK_S,
    ]);
    const user = await tx.row({ user_id: int }, "select user_id from users where username = $1", [username]);
    tx.audit({
      action: "LOGIN_LOCKED",
      entity: "USER",
      entityId: user?.user_id ?? 0,
      details: {
        username: username.slice(0, 64),
        address,
        ...(badge && { by: "badge" }),
        ...(factorOf && { by: "second factor" }),
      },
    });
  });
}

/**
 * Does what takes the caller's own password: a session alone does not do, as whoever finds a device that is signed in
 * has one. A wrong password counts as a failed login from that address.
 */
export function withOwnPassword<T>(password: string, address: string, by: Actor, work: () => Promise<T>): Promise<T> {
  return limitedAttempt({ address, username: by.username }, WrongCurrentPassword, async (key) => {
    if (!(await passwordMatches(await passwordHash(by.userId), password))) return undefined;
    await clearAttempts(key);
    return work();
  });
}

/**
 * What shows that it is the user and nobody who found the session: the password, or that the session has proved a
 * moment ago whose it is, for who signs in at the provider.
 */
export type OwnProof = { password: string; address: string } | "session";

/** Does what takes a proof that it is the caller. */
export const withOwnProof = <T>(proof: OwnProof, by: Actor, work: () => Promise<T>): Promise<T> =>
  proof === "session" ? work() : withOwnPassword(proof.password, proof.address, by, work);

/** Resets the count of a key. */
export async function clearAttempts(key: string): Promise<void> {
  await db.run("delete from login_attempts where key = $1", [key]);
}

/** The text if it is short enough, else its SHA-256 in hex. */
function shortened(text: string, most: number): string {
  return text.length > most ? createHash("sha256").update(text).digest("hex") : text;
}
