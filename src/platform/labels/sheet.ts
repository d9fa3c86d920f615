import { type Barcode, barcodeIn } from "./barcode.js";
import { fitted, LINE, type Type } from "./fit.js";
import { face, printable, type Weight } from "./font.js";
import type { Size } from "./sizes.js";

/** A line of text with its place, in millimetres. */
export interface TextLine {
  x: number;
  y: number;
  size: number;
  weight: Weight;
  text: string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextStyle extends Partial<Type> {
  size: number;
  align?: "left" | "center" | "right";
  /** At the upper edge of its box instead of in its middle. */
  top?: boolean;
}

/** More characters than fit into any box, however narrow they are: a longer text is cut before it is measured. */
const MOST_CHARACTERS = 1_000;

/** A label, or a page, with positioned contents. It is drawn as PDF or as ZPL. */
export class Sheet {
  readonly lines: TextLine[] = [];
  readonly barcodes: Barcode[] = [];
  readonly rules: { x: number; y: number; width: number }[] = [];

  constructor(
    readonly size: Size,
    /** Dots per millimetre of the printer, where that is known. */
    readonly dots?: number,
  ) {}

  /** The width and the height within the margins. */
  get inner() {
    const { width, height, margin } = this.size;
    return { width: width - 2 * margin, height: height - 2 * margin };
  }

  /** A part of the area within the margins, in fractions of its height and its width. */
  part(top: number, bottom: number, left = 0, right = 1): Box {
    const { width, height } = this.inner;
    const { margin } = this.size;
    const [x, y] = [margin + left * width, margin + top * height];
    return { x, y, width: (right - left) * width, height: (bottom - top) * height };
  }

  /** Writes text within the box, smaller and on several lines if need be; returns its height. */
  write(box: Box, text: string, style: TextStyle): number {
    const { align = "left", top = false, weight = "normal" } = style;
    const type = { weight, lines: 1, smallest: Math.min(style.size, 1.8), ...style };
    const { size, lines } = fitted(printable(text.slice(0, MOST_CHARACTERS)), box, type);
    const height = lines.length * size * LINE;
    const y = box.y + (top ? 0 : Math.max(0, (box.height - height) / 2));
    for (const [i, line] of lines.entries()) {
      const free = box.width - face(weight).widthOf(line) * size;
      const x = box.x + { left: 0, center: free / 2, right: free }[align];
      this.lines.push({ x, y: y + i * size * LINE, size, weight, text: line });
    }
    return height;
  }

  /** Draws a barcode of the text, and the text below it. */
  barcode({ height, ...box }: Box, text: string): void {
    const caption = Math.min(height * 0.24, 5);
    const bars = { ...box, height: height - caption };
    const barcode = barcodeIn(bars, text, this.dots);
    if (barcode) this.barcodes.push(barcode);
    const below = barcode ? { ...box, y: box.y + bars.height, height: caption } : { ...box, height };
    this.write(below, text, { size: caption * 0.75, smallest: 1.4, lines: 3, align: "center" });
  }

  /** Draws a barcode of the text alone. */
  code(box: Box, text: string): void {
    const barcode = barcodeIn(box, text, this.dots);
    if (barcode) this.barcodes.push(barcode);
  }

  rule(y: number): void {
    this.rules.push({ x: this.size.margin, y, width: this.inner.width });
  }
}
