import type { KeyScope } from "../keys/key.js";
import { grantableFunctions } from "../rights.js";

/** What a program may ask for, in the words of OAuth, and the scope of a personal key that this is. */

export interface Granted extends KeyScope {
  is_read_only: boolean;
}

const READ = "read";
const WRITE = "write";
const FLOOR = "floor:";

/** What programs ask for that have not been told otherwise. */
export const USUAL_SCOPES = [READ, WRITE];
export const SCOPES = [...USUAL_SCOPES, ...grantableFunctions.map((name) => FLOOR + name)];

/**
 * What is asked for: to read all, to write besides, or functions of the floor alone. Without a scope it is reading;
 * undefined where a scope is none of ours.
 */
export function grantOf(scope = ""): Granted | undefined {
  const asked = scope.split(" ").filter((one) => one !== "");
  if (asked.some((one) => !SCOPES.includes(one))) return undefined;
  const functions = grantableFunctions.filter((name) => asked.includes(FLOOR + name));
  if (asked.includes(WRITE)) return { page_keys: null, functions: null, is_read_only: false };
  if (functions.length > 0) return { page_keys: [], functions, is_read_only: false };
  return { page_keys: null, functions: null, is_read_only: true };
}

/** What was granted, as a program is told of it. */
export function scopeOf({ functions, is_read_only }: Pick<Granted, "functions" | "is_read_only">): string {
  if (is_read_only) return READ;
  return functions ? functions.map((name) => FLOOR + name).join(" ") : USUAL_SCOPES.join(" ");
}

/** Whether what is asked for is no more than what was granted. */
export function isWithin(scope: string, granted: Pick<Granted, "functions" | "is_read_only">): boolean {
  const known = scopeOf(granted).split(" ");
  return scope.split(" ").every((one) => one === "" || known.includes(one));
}
