import { getDocument, type PDFPageProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { barcodesOf, type ReadBarcode } from "./picture.js";

/** Points of a millimetre. */
const PT = 72 / 25.4;
/** Pixels of a point: about 300 dots per inch. */
const SCALE = 4;

/** What pdf.js draws on outside a browser. */
interface Canvases {
  create(width: number, height: number): { canvas: { toBuffer(type: "image/png"): Buffer } };
}

export interface ReadPage {
  /** In whole millimetres. */
  width: number;
  height: number;
  /** As it stands there, from the top. */
  texts: string[];
  /** Texts that are not within the page. */
  outside: string[];
  barcodes: ReadBarcode[];
}

/** What a scanner reads from the picture of a page. */
async function scanned(page: PDFPageProxy, canvases: Canvases): Promise<ReadBarcode[]> {
  const viewport = page.getViewport({ scale: SCALE });
  const { canvas } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ canvas: canvas as never, viewport }).promise;
  return barcodesOf(canvas.toBuffer("image/png"));
}

/** The pages of a PDF: their texts, and what scans from their pictures, which takes a while. */
export async function readPdf(bytes: Uint8Array, scan: boolean): Promise<ReadPage[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
  const document = await task.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const items = (await page.getTextContent()).items.flatMap((item) => ("str" in item && item.str ? [item] : []));
    const isOutside = (item: (typeof items)[number]) => {
      const [x, y] = [item.transform[4], item.transform[5]];
      return x < 0 || y < 0 || x + item.width > width || y + item.height > height;
    };
    pages.push({
      ...{ width: Math.round(width / PT), height: Math.round(height / PT) },
      texts: items.map(({ str }) => str),
      outside: items.filter(isOutside).map(({ str }) => str),
      barcodes: scan ? await scanned(page, document.canvasFactory as Canvases) : [],
    });
  }
  await task.destroy();
  return pages;
}
