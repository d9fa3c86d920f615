import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

export interface ReadBarcode {
  text: string;
  /** Such as `Code128`. */
  format: string;
}

/** What scanners of a warehouse read. Codabar is not: without a check digit, letters on a label may look like it. */
const FORMATS = ["Code128", "EAN13", "EAN8", "UPCA", "UPCE", "ITF", "Code39", "QRCode", "DataMatrix"] as const;

/** What a scanner reads from a picture. */
export async function barcodesOf(png: Buffer): Promise<ReadBarcode[]> {
  const read = await readBarcodes(new Uint8Array(png), { maxNumberOfSymbols: 4, formats: [...FORMATS] });
  return read.map(({ text, format }) => ({ text, format }));
}
