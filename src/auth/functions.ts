/**
 * The functions of the scanner's menu (docs/interface.md, Sales orders). They always restrict the menu; writes only
 * where `enforce_allowed_functions` is set.
 */
export const floorFunctions = ["receive", "putaway", "pick", "pack", "ship", "count", "transfer"] as const;
export type FloorFunction = (typeof floorFunctions)[number];

/** All that may be granted: `sell` opens a counter-sale register (docs/interface.md, What stays as it was). */
export const grantableFunctions = [...floorFunctions, "sell"] as const;

/** The functions in the user's menu: an ADMIN has all floor functions; `pack` is left out while packing is off. */
export function functionsOf(user: { role: string; allowed_functions: string[] }, requirePacking: boolean): string[] {
  const granted = user.role === "ADMIN" ? floorFunctions : user.allowed_functions;
  return granted.filter((name) => requirePacking || name !== "pack");
}
