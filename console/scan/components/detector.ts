import wasm from "zxing-wasm/reader/zxing_reader.wasm?url";

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** The browser's own reader of barcodes, else a library that is loaded when it is needed. */
export async function detector(): Promise<Detector> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: new () => Detector };
  if (Own) return new Own();
  const { BarcodeDetector, prepareZXingModule } = await import("barcode-detector/ponyfill");
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new BarcodeDetector();
}
