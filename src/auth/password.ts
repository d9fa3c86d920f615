import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { semaphore } from "../platform/concurrency/semaphore.js";
import { WeakPassword } from "./problems.js";

/** argon2id (the library's default) at OWASP's parameters; it runs in the thread pool, off the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At most two of the thread pool's four threads, so that DNS look-ups and file access are not delayed. */
const slot = semaphore(2);

export const hashPassword = (password: string): Promise<string> => slot(() => hash(password, COST));

/** Compared when there is no such user, so that the time of a failed login does not show which users exist. */
const dummyHash = hashPassword(randomUUID());

/**
 * Whether the password matches the stored hash; false, after the same time, if there is no hash or it is malformed, as
 * for a user that an operator inserted by hand.
 */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const isHash = stored?.startsWith("$argon2") === true;
  const compared = isHash ? stored : await dummyHash;
  const matches = await slot(() => verify(compared, password));
  return isHash && matches;
}

/** The rules in the order of docs/interface.md, Signing in; the message is that of the first one that is broken. */
const rules: [isMet: (password: string) => boolean, otherwise: string][] = [
  [(password) => password.trim().toLowerCase() !== "admin", "cannot be 'admin'"],
  [(password) => [...password].length >= 8, "must be at least 8 characters"],
  [(password) => /\p{L}/u.test(password), "must contain at least one letter"],
  [(password) => /\d/.test(password), "must contain at least one digit"],
];

/** Throws 400 for a weak password. */
export function checkStrength(password: string): void {
  for (const [isMet, otherwise] of rules) {
    if (!isMet(password)) throw WeakPassword({ otherwise });
  }
}
