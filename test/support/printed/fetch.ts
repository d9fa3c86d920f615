import type { Caller } from "../caller.js";
import { readPdf } from "./pdf.js";
import { barcodesOf } from "./picture.js";
import { readZpl } from "./zpl.js";
import { printZpl } from "./zpl-printer.js";

/** What a route answers as a file. */
export async function file(caller: Caller, path: string) {
  const response = await fetch(caller.url + path, { headers: caller.headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${bytes}`);
  return { bytes, headers: response.headers };
}

/** The pages of a PDF with their texts alone. */
export const pdfOf = async (caller: Caller, path: string) => readPdf((await file(caller, path)).bytes, false);
/** The same with their barcodes. */
export const scannedPdf = async (caller: Caller, path: string) => readPdf((await file(caller, path)).bytes, true);
export const zplOf = async (caller: Caller, path: string) => readZpl((await file(caller, path)).bytes.toString());
/** What scans from each of the labels when they are printed. */
export async function scannedZpl(caller: Caller, path: string) {
  const pictures = await printZpl((await file(caller, path)).bytes.toString());
  return Promise.all(pictures.map(barcodesOf));
}
