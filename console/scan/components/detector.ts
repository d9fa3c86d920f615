import wasm from "zxing-wasm/reader/zxing_reader.wasm?url";

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** The browser's own reader of barcodes, else a library that is loaded when it is needed. */
export async function detector(): Promise<Detector> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: new () => Detector };
  if (Own) return new Own();
  const { prepareZXingModule, readBarcodes } = await import("zxing-wasm/reader");
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return {
    async detect(video) {
      const { videoWidth: width, videoHeight: height } = video;
      if (!context || width === 0) return [];
      Object.assign(canvas, { width, height });
      context.drawImage(video, 0, 0);
      const found = await readBarcodes(context.getImageData(0, 0, width, height), { textMode: "Plain" });
      // The separators of a GS1 code are in its text; that it is one, only the identifier of its symbology says.
      return found.map(({ text, contentType, symbologyIdentifier }) => ({
        rawValue: contentType === "GS1" ? symbologyIdentifier + text : text,
      }));
    },
  };
}
