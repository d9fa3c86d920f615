import type { ProviderClaims } from "./provider.js";

/**
 * Whether the provider says that it asked for a second factor: by a way (`amr`) or a class (`acr`) of its sign-in that
 * the setting `second_factor_at_provider` names.
 */
export function showsSecondFactor({ amr, acr }: ProviderClaims, counting: string): boolean {
  if (["", "any", "none"].includes(counting)) return false;
  const named = new Set<unknown>(counting.split(","));
  return [amr, acr].flat().some((said) => named.has(said));
}
