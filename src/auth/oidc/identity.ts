import { NewUser } from "../users/shapes.js";
import type { ProviderClaims } from "./provider.js";
import { SignInRefused } from "./refused.js";
import type { Rights, SignInMapping } from "./shapes.js";

/** Who signed in at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  username: string;
  fullName: string;
  groups: string[];
  /** The provider's session. */
  sid: string | undefined;
}

/** Who the claims are of. Throws where they name no user name that is allowed here. */
export function identityIn(claims: ProviderClaims, { username_claim, groups_claim }: SignInMapping): Identity {
  const { iss: issuer, sub: subject, sid } = claims;
  const named = claimAt(claims, username_claim);
  if (typeof named !== "string" || named === "") throw new SignInRefused("username_missing");
  // Anybody may write any address into an account of many providers.
  if (username_claim === "email" && claims.email_verified !== true)
    throw new SignInRefused("email_not_verified", named);
  const { data: username } = NewUser.shape.username.safeParse(named);
  if (username === undefined) throw new SignInRefused("username_invalid", named);
  const { data: fullName = username } = NewUser.shape.full_name.safeParse(claims.name);
  const groups = [claimAt(claims, groups_claim) ?? []].flat().filter((group) => typeof group === "string");
  return { issuer, subject, username, fullName, groups, sid: typeof sid === "string" ? sid : undefined };
}

/** What the groups together may do; undefined where none of them may anything. */
export function rightsOf(groups: readonly string[], mapping: SignInMapping): Rights | undefined {
  const own = mapping.groups.filter(({ group }) => groups.includes(group));
  if (own.length === 0) return undefined;
  const all = <T>(of: (group: (typeof own)[number]) => T[]) => [...new Set(own.flatMap(of))].sort(ascending);
  return {
    role: own.some(({ role }) => role === "ADMIN") ? "ADMIN" : "USER",
    warehouse_ids: all((group) => group.warehouse_ids),
    allowed_functions: all((group) => group.allowed_functions),
    page_keys: all((group) => group.page_keys),
  };
}

const ascending = <T>(one: T, other: T) => (one < other ? -1 : 1);

/** The claim of this name; else the one within others that the dots lead to, such as `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((at, key) => {
    const holds = typeof at === "object" && at !== null && Object.hasOwn(at, key);
    return holds ? (at as Record<string, unknown>)[key] : undefined;
  }, claims);
}
