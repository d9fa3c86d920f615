import { KeysOff, TooManyKeys } from "../../src/auth/problems.js";
import { int } from "../../src/platform/db/columns.js";
import type { DomainError } from "../../src/platform/problem.js";
import { personalKeyDays } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";

const MOST_OF_A_USER = 50;

const Keys = { keys: int };

/**
 * For how many days another key of the user lasts at most, or why there may be none. The user is locked, so that
 * several at once do not all find room for the last one.
 */
export async function roomForKey(tx: Tx, userId: number): Promise<{ days: number } | { refusal: DomainError }> {
  const days = await personalKeyDays(tx);
  if (days === 0) return { refusal: KeysOff() };
  await tx.run("select from users where user_id = $1 for no key update", [userId]);
  const made = await tx.row(Keys, "select count(*)::int as keys from personal_keys where user_id = $1", [userId]);
  return (made?.keys ?? 0) < MOST_OF_A_USER ? { days } : { refusal: TooManyKeys({ most: MOST_OF_A_USER }) };
}
