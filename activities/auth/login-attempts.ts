import { randomUUID } from "node:crypto";
import { queued } from "../../src/auth/password-queue.js";
import { Locked, LockedNow } from "../../src/auth/problems.js";
import { keyedMutex } from "../../src/concurrency/keyed-mutex.js";
import { db } from "../../src/db/db.js";
import type { Problem } from "../../src/problem.js";
import { shortened } from "../../src/shortened.js";
import { systemActor } from "../../src/system-actor.js";
import { command } from "../command.js";

const MOST_FAILURES = 5;
const LOCK_S = 15 * 60;

/** Who guesses, and whose password. */
export interface Guess {
  address: string;
  username: string;
}

/**
 * Looks at a password (reference 01 §3): five wrong ones lock the pair of address and name for 15 minutes. An attempt
 * is counted before its password is looked at, so parallel guesses get no more than five looks.
 * @param look Gives undefined for a wrong password; for a right one it clears the count of the key.
 */
export function attempt<T>(guess: Guess, wrong: Problem, look: (key: string) => Promise<T | undefined>): Promise<T> {
  const key = shortened(`${guess.address}|${guess.username.toLowerCase()}`, 64);
  const once = async () => {
    const last = await countAttempt(key);
    const right = await look(key);
    if (right !== undefined) return right;
    if (!last) throw wrong();
    await lock(key, guess);
    throw LockedNow().after(LOCK_S);
  };
  return queued(guess.address, () => oneByOne(key, once));
}

/**
 * One attempt on a key at a time in this process: a user whose programs sign in together is not mistaken for a guesser.
 * (Between processes the count alone decides.)
 */
const oneByOne = keyedMutex<string>();

/** Counts an attempt and tells whether it is the last one: that one locks the key, unless its password is right. */
async function countAttempt(key: string): Promise<boolean> {
  const counted = await db.row<{ last: boolean }>(
    `insert into login_attempts as l (key, attempts) values ($1, 1)
     on conflict (key) do update
       set attempts = (l.attempts + 1) % $2,
           locked_until = case when l.attempts + 1 >= $2 then now() + make_interval(secs => $3) end,
           last_attempt = now()
       where l.locked_until is null or l.locked_until <= now()
     returning locked_until is not null as last`,
    [key, MOST_FAILURES, LOCK_S],
  );
  if (counted) return counted.last;
  const locked = await db.row<{ seconds: number }>(
    "select ceil(extract(epoch from locked_until - now()))::int as seconds from login_attempts where key = $1",
    [key],
  );
  const seconds = Math.max(1, locked?.seconds ?? 1);
  const left = { minutes: Math.floor(seconds / 60), seconds: seconds % 60 };
  throw Locked(left).after(seconds);
}

/** The last attempt was wrong too: from now on the key is locked, and the audit log says so. */
function lock(key: string, { address, username }: Guess): Promise<void> {
  const by = systemActor(randomUUID());
  return command("auth.lock", by, {}, async (tx) => {
    tx.later.run("update login_attempts set locked_until = now() + make_interval(secs => $2) where key = $1", [
      key,
      LOCK_S,
    ]);
    const user = await tx.row<{ user_id: number }>("select user_id from users where username = $1", [username]);
    tx.audit({
      action: "LOGIN_LOCKED",
      entity: "USER",
      entityId: user?.user_id ?? 0,
      details: { username: username.slice(0, 64), address },
    });
  });
}

/** Forgets the attempts on a key. */
export async function clearAttempts(key: string): Promise<void> {
  await db.run("delete from login_attempts where key = $1", [key]);
}
