/** The lengths of GTINs: GTIN-8, UPC-A, EAN-13 and GTIN-14 are one number, with more or fewer zeros before it. */
const LENGTHS = [8, 12, 13, 14];

/**
 * The 14 digits of a GTIN, or undefined for a code that has another length or a wrong check digit, or only zeros, which
 * systems send for "no code".
 */
export function gtinOf(code: string): string | undefined {
  if (!/^\d*[1-9]\d*$/.test(code) || !LENGTHS.includes(code.length)) return undefined;
  const digits = code.padStart(14, "0");
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 3 : 1);
  return sum % 10 === 0 ? digits : undefined;
}

/** All forms in which a GTIN may be stored, as scanners add or drop zeros. */
export function formsOf(gtin: string): string[] {
  const digits = gtin.replace(/^0+/, "");
  return LENGTHS.filter((length) => length >= digits.length).map((length) => digits.padStart(length, "0"));
}
