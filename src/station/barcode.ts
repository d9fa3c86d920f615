/**
 * The forms in which the same code is printed: GTIN-8, UPC-A (12 digits), EAN-13 and GTIN-14 differ by leading zeros
 * alone, and scanners add or drop them. Any other code has one form.
 */
export function formsOf(barcode: string): string[] {
  if (!/^(\d{8}|\d{12,14})$/.test(barcode)) return [barcode];
  const digits = barcode.replace(/^0+/, "");
  return [8, 12, 13, 14].filter((length) => length >= digits.length).map((length) => digits.padStart(length, "0"));
}
