/** A share, exact as a fraction; pure, for the workflow too. */
export interface Fraction {
  numerator: number;
  denominator: number;
  /** Rounded down, so that 100.00 is the whole; null of nothing. */
  percent: string | null;
}

export function fraction(numerator: number, denominator: number): Fraction {
  if (denominator === 0) return { numerator, denominator, percent: null };
  const hundredths = (BigInt(numerator) * 10_000n) / BigInt(denominator);
  const percent = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
  return { numerator, denominator, percent };
}

/** `83 of 120 (69.16 %)`. */
export const fractionText = ({ numerator, denominator, percent }: Fraction): string =>
  `${numerator} of ${denominator}${percent === null ? "" : ` (${percent} %)`}`;
