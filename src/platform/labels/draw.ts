import type { Drawing } from "./drawing.js";
import { pdf } from "./pdf.js";
import { Sheet } from "./sheet.js";
import { dotsPerMm, type Size } from "./sizes.js";
import { zpl } from "./zpl.js";

export interface Print {
  format: "pdf" | "zpl";
  dpi: number;
  size: Size;
  /** How many times all of it is drawn; once where nothing is said. */
  copies?: number;
  /** When a PDF says that it was made; now, where nothing is said. With a time, the same data gives the same file. */
  at?: string;
}

export interface DrawWork {
  print: Print;
  title: string;
  /** The drawing function, and its data. */
  module: string;
  name: string;
  data: unknown;
}

/** Draws a file. This runs in a thread (print.ts). */
export async function draw({ print, title, module, name, data }: DrawWork): Promise<Uint8Array> {
  const { format, dpi, size, copies = 1, at } = print;
  const { [name]: drawing }: Record<string, Drawing<unknown>> = await import(module);
  if (!drawing) throw new Error(`${module} has no ${name}`);
  const dots = format === "zpl" ? dotsPerMm(dpi) : undefined;
  const drawn = [...drawing.draw(data, () => new Sheet(size, dots))];
  const sheets = Array.from({ length: copies }, () => drawn).flat();
  const file = format === "pdf" ? await pdf(sheets, title, at) : zpl(sheets);
  // A copy: a small Buffer is a slice of a larger one, all of which would be transferred.
  return new Uint8Array(file);
}
