/** Amounts in the smallest unit of their currency, as people write them: 1290 EUR is `12.90`, 1290 JPY is `1290`. */

const digitsOf = (currency: string): number => {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // Not a code of three letters: nothing is known of it.
    return 2;
  }
};

export function amountOf(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** An amount with too many digits behind the point stays as it is: the service takes whole numbers alone. */
export function minorOf(amount: string, currency: string): number {
  const digits = digitsOf(currency);
  const text = amount.trim().replace(",", ".");
  const [whole = "", part = ""] = text.split(".");
  return part.length > digits ? Number(text) : Number(`${whole}${part.padEnd(digits, "0")}`);
}
