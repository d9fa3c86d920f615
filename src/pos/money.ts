/** Whole cents as the exact decimal that Postgres stores: 1990 is `19.90`, -5 is `-0.05`. */
export function decimalOfCents(cents: number): string {
  const units = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`;
}
