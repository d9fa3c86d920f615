import { pdf } from "./pdf.js";
import { Sheet } from "./sheet.js";
import { dotsPerMm, type Size } from "./sizes.js";
import { zpl } from "./zpl.js";

export interface Print {
  format: "pdf" | "zpl";
  dpi: number;
  size: Size;
}

export interface Printed {
  mediaType: string;
  /** With the ending of its format. */
  fileName: string;
  content: Buffer;
}

/** Makes an empty sheet of the size that is asked for. */
export type NewSheet = () => Sheet;

/** Prints what `draw` puts on sheets, one after the other. */
export async function print(
  { format, dpi, size }: Print,
  name: string,
  draw: (sheet: NewSheet) => Iterable<Sheet> | Promise<Iterable<Sheet>>,
): Promise<Printed> {
  if (format === "pdf") {
    const sheets = await draw(() => new Sheet(size));
    return { mediaType: "application/pdf", fileName: `${name}.pdf`, content: await pdf(sheets, name) };
  }
  const sheets = await draw(() => new Sheet(size, dotsPerMm(dpi)));
  return { mediaType: "text/plain", fileName: `${name}.zpl`, content: await zpl(sheets) };
}
