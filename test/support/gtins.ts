/** Digits followed by their check digit: every second one, from the right, counts three times. */
export function withCheckDigit(digits: string): string {
  let sum = 0;
  for (const [i, digit] of [...digits].reverse().entries()) sum += Number(digit) * (i % 2 ? 1 : 3);
  return digits + ((10 - (sum % 10)) % 10);
}

let count = 0;
/** A UPC-A of 12 digits that no other item has. */
export const newUpc = (): string => withCheckDigit(`04${String(++count).padStart(9, "0")}`);
