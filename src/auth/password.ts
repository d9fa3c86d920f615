import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { semaphore } from "../concurrency/semaphore.js";
import { WeakPassword } from "./problems.js";

/** argon2id (the library's default) at OWASP's parameters; it runs in the thread pool, off the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of the pool's four threads, two are left for everything else that needs one, such as looking up a host. */
const slot = semaphore(2);

export const hashPassword = (password: string): Promise<string> => slot(() => hash(password, COST));

/** Checked where there is no user, so that a stranger cannot tell by the clock who exists. */
const nobodysHash = hashPassword(randomUUID());

/** Whether the password is the kept one; without a kept one never, after the same work. */
export async function passwordMatches(kept: string | undefined, password: string): Promise<boolean> {
  const compared = kept ?? (await nobodysHash);
  const matches = await slot(() => verify(compared, password));
  return kept !== undefined && matches;
}

/** In the order in which they are told (reference 01 §4). */
const rules: [holds: (password: string) => boolean, otherwise: string][] = [
  [(password) => password.trim().toLowerCase() !== "admin", 'must not be "admin"'],
  [(password) => [...password].length >= 8, "must be at least 8 characters"],
  [(password) => /\p{L}/u.test(password), "must contain at least one letter"],
  [(password) => /\d/.test(password), "must contain at least one digit"],
];

/** Throws 400 for a password that is too easy. */
export function checkStrength(password: string): void {
  for (const [holds, otherwise] of rules) {
    if (!holds(password)) throw WeakPassword({ otherwise });
  }
}
