/**
 * The functions of the scanner's menu (spec 2.6). The menu follows them; writes do where `enforce_allowed_functions` is
 * set.
 */
export const floorFunctions = ["receive", "putaway", "pick", "pack", "ship", "count", "transfer"] as const;
export type FloorFunction = (typeof floorFunctions)[number];

/** All that may be granted: `sell` opens a counter-sale register (reference 09 #41). */
export const grantableFunctions = [...floorFunctions, "sell"] as const;

/** What the user's menu shows: an ADMIN has every function of the floor; nobody packs while packing is switched off. */
export function functionsOf(user: { role: string; allowed_functions: string[] }, requirePacking: boolean): string[] {
  const granted = user.role === "ADMIN" ? floorFunctions : user.allowed_functions;
  return granted.filter((name) => requirePacking || name !== "pack");
}
