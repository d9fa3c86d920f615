import { gtinOf } from "../barcodes/gtin.js";

/** What is wrong with a code of a file that a spreadsheet has taken for a number; null for a correct one. */
export function faultOfCode(code: string): string | null {
  if (!/^\d(?:[.,]\d+)?E\+\d+$/i.test(code.trim())) return null;
  return `${code} is a number that a spreadsheet shortened: make it text and enter it again`;
}

/** The same for a barcode. Digits are a GTIN; a few digits, or other characters, are a code of the company's own. */
export function faultOfBarcode(code: string): string | null {
  const fault = faultOfCode(code);
  if (fault !== null || !/^\d{8,14}$/.test(code)) return fault;
  if (gtinOf(code) !== undefined || /^0+$/.test(code)) return null;
  if ([8, 12, 13, 14].includes(code.length)) {
    // A UPC-E has a check digit of another kind.
    if (code.length === 8 && /^[01]/.test(code)) return null;
    return `the check digit of ${code} is wrong`;
  }
  const zeros = [12, 13].map((length) => code.padStart(length, "0")).find((padded) => gtinOf(padded) !== undefined);
  if (zeros) return `${code} has ${code.length} digits: were zeros lost from ${zeros}?`;
  return `${code} has ${code.length} digits, and not 8, 12, 13 or 14`;
}
