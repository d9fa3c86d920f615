/** Sizes of labels and paper, in millimetres. */
export interface Size {
  width: number;
  height: number;
  margin: number;
}

const INCH = 25.4;

const onRoll = { "4x6in": { width: 4 * INCH, height: 6 * INCH, margin: 4 } };

/** Labels of bins, items and totes; names without a unit are millimetres. */
export const labelSizes = {
  "100x50": { width: 100, height: 50, margin: 3 },
  "57x32": { width: 57, height: 32, margin: 2 },
  ...onRoll,
} as const satisfies Record<string, Size>;

/** Packing slips: sheets of paper, and the roll that carriers' labels are printed on. */
export const slipSizes = {
  A4: { width: 210, height: 297, margin: 15 },
  Letter: { width: 8.5 * INCH, height: 11 * INCH, margin: 15 },
  ...onRoll,
} as const satisfies Record<string, Size>;

/** The resolution of label printers. */
export const dotsPerMm = (dpi: number): number => dpi / INCH;
