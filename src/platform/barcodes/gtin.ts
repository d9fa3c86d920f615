/** The lengths of GTINs: GTIN-8, UPC-A, EAN-13 and GTIN-14 are one number, with more or fewer zeros before it. */
const LENGTHS = [8, 12, 13, 14];

/**
 * The 14 digits of a GTIN, or undefined for a code that has another length or a wrong check digit, or only zeros, which
 * systems send for "no code".
 */
export function gtinOf(code: string): string | undefined {
  if (!/^\d*[1-9]\d*$/.test(code) || !LENGTHS.includes(code.length)) return undefined;
  return hasCheckDigit(code) ? code.padStart(14, "0") : undefined;
}

/** From the last digit, which is the check digit, every second one counts three times. */
function sumOf(digits: string): number {
  let sum = 0;
  for (let i = digits.length - 1, weight = 1; i >= 0; i--, weight = 4 - weight) sum += Number(digits[i]) * weight;
  return sum;
}

export const hasCheckDigit = (digits: string): boolean => sumOf(digits) % 10 === 0;

/** The n-th EAN-13 of a range for internal use, which two digits name. */
export function internalEan(range: string, n: number): string {
  const digits = range + String(n).padStart(10, "0");
  return `${digits}${(10 - (sumOf(`${digits}0`) % 10)) % 10}`;
}

/** All forms in which a GTIN may be stored, as scanners add or drop zeros. */
export function formsOf(gtin: string): string[] {
  const digits = gtin.replace(/^0+/, "");
  return LENGTHS.filter((length) => length >= digits.length).map((length) => digits.padStart(length, "0"));
}

/** SKU, UPC and aliases of an item, and their GTINs with more or fewer zeros before them, as scanners send them. */
export function codesOf({ sku, upc }: { sku: string; upc: string | null }, aliases: string[] | null): string[] {
  const barcodes = [...(upc === null ? [] : [upc]), ...(aliases ?? [])];
  const forms = barcodes.flatMap((code) => {
    const gtin = gtinOf(code);
    return gtin === undefined ? [] : formsOf(gtin);
  });
  return [...new Set([sku, ...barcodes, ...forms])];
}
