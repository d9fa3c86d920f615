import { once } from "node:events";
import PDFDocument from "pdfkit";
import { face } from "./font.js";
import type { Sheet } from "./sheet.js";

/** Points of a millimetre. */
const PT = 72 / 25.4;

/** The sheets as the pages of a PDF, with the parts of the fonts that they need. */
export async function pdf(sheets: Iterable<Sheet>, title: string, at?: string): Promise<Buffer> {
  const info = { Title: title, ...(at && { CreationDate: new Date(at) }) };
  const document = new PDFDocument({ autoFirstPage: false, info });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  for (const weight of ["normal", "bold"] as const) document.registerFont(weight, face(weight).bytes);
  for (const sheet of sheets) draw(document, sheet);
  document.end();
  await once(document, "end");
  return Buffer.concat(chunks);
}

function draw(document: PDFKit.PDFDocument, { size, lines, barcodes, rules }: Sheet): void {
  document.addPage({ size: [size.width * PT, size.height * PT], margin: 0 });
  for (const { x, y, size: height, weight, text } of lines)
    document
      .font(weight)
      .fontSize(height * PT)
      .text(text, x * PT, y * PT, { lineBreak: false });
  for (const { x, y, width } of rules) document.rect(x * PT, y * PT, width * PT, 0.2 * PT).fill();
  for (const barcode of barcodes) {
    for (const dark of barcode.dark)
      document.rect((barcode.x + dark.x) * PT, (barcode.y + dark.y) * PT, dark.width * PT, dark.height * PT);
    document.fill();
  }
}
