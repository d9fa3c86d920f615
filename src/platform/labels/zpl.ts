import type { Barcode } from "./barcode.js";
import type { Sheet, TextLine } from "./sheet.js";

/** The sheets as ZPL II, a label format for each, in UTF-8. */
export function zpl(sheets: Iterable<Sheet>): Buffer {
  return Buffer.from(Array.from(sheets, label).join(""));
}

function label({ size, dots = 8, lines, barcodes, rules }: Sheet): string {
  const inDots = (mm: number) => Math.round(mm * dots);
  const at = ({ x, y }: { x: number; y: number }) => `^FO${inDots(x)},${inDots(y)}`;
  return [
    `^XA^CI28^PW${inDots(size.width)}^LL${inDots(size.height)}^LH0,0`,
    ...lines.map((line) => `${at(line)}${font(line, inDots(line.size))}${field(legible(line.text))}`),
    ...rules.map((rule) => `${at(rule)}^GB${inDots(rule.width)},2,2^FS`),
    ...barcodes.map((barcode) => `${at(barcode)}${bars(barcode, inDots(barcode.module), inDots(barcode.height))}`),
    "^XZ\n",
  ].join("\n");
}

/** Font 0 has the letters of Latin scripts; Swiss 721, which printers of this century have, also Greek and Cyrillic. */
const font = ({ text }: TextLine, height: number): string =>
  /^[ -ſ‐-›€]*$/.test(text) ? `^A0N,${height}` : `^A@N,${height},${height},E:TT0003M_.FNT`;

/** Characters that neither font has. */
const legible = (text: string): string => text.replace(/[^ -ԯḀ-῿‐-›€№™]/gu, "?");

/**
 * Text as data: any character that could be a command, or is not ASCII, becomes hexadecimal bytes of UTF-8, so no text
 * can end its field.
 */
const field = (text: string): string =>
  `^FH^FD${text.replace(/[^ -~]|[\^~_\\]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `_${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  )}^FS`;

/** Printers add the check digit of a GTIN themselves. */
function bars({ type, data }: Barcode, module: number, height: number): string {
  const unchecked = field(data.slice(0, -1));
  switch (type) {
    case "code128":
      return `^BY${module}^BCN,${height},N,N,N,A${field(data)}`;
    case "ean13":
      return `^BY${module}^BEN,${height},N,N${unchecked}`;
    case "ean8":
      return `^BY${module}^B8N,${height},N,N${unchecked}`;
    case "upca":
      return `^BY${module}^BUN,${height},N,N,N${unchecked}`;
    case "qrcode":
      return `^BQN,2,${module}${field(`MA,${data}`)}`;
  }
}
