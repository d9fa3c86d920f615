const digits = new Map<string, number>();

/**
 * How many digits a currency has behind the point: 2 for USD, 0 for JPY. To ask for them takes a third of a
 * millisecond, so each is asked for once.
 */
export function digitsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const found = format.resolvedOptions().maximumFractionDigits as number;
  digits.set(currency, found);
  return found;
}

/** An amount in the smallest unit of its currency, as text: 1290 EUR is `12.90`, 1290 JPY is `1290`. */
export function amountOf(minor: number, currency: string): string {
  const behind = digitsOf(currency);
  const text = String(minor).padStart(behind + 1, "0");
  return behind === 0 ? text : `${text.slice(0, -behind)}.${text.slice(-behind)}`;
}
