/** How many digits a currency has behind the point: 2 for USD, 0 for JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits as number;

/** An amount in the smallest unit of its currency, as text: 1290 EUR is `12.90`, 1290 JPY is `1290`. */
export function amountOf(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
