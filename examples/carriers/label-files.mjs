// Labels as files: small, but a viewer opens the PDF and the PNG, and a printer takes the ZPL.

const PAGE_WIDTH = 288; // 4 inches
const PAGE_HEIGHT = 432; // 6 inches
const ONE_WHITE_DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

/** A page of 4 by 6 inches with these lines of text. */
export function pdf(lines) {
  const text = lines.map(
    (line, i) => `1 0 0 1 18 ${PAGE_HEIGHT - 36 - i * 18} Tm (${line.replace(/[()\\]/g, "\\$&")}) Tj`,
  );
  const stream = `BT /F1 12 Tf ${text.join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(stream)} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = Buffer.byteLength(file);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${`${offset}`.padStart(10, "0")} 00000 n \n`;
  });
  const start = Buffer.byteLength(file);
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file);
}

/** The same lines for a label printer, and the first one as a barcode. */
function zpl(lines) {
  const text = lines.map((line, i) => `^FO40,${40 + i * 50}^A0N,36,36^FD${line.replace(/[\^~]/g, " ")}^FS`);
  return Buffer.from(`^XA\n${text.join("\n")}\n^FO40,${80 + lines.length * 50}^BCN,120,Y,N,N^FD${lines[0]}^FS\n^XZ\n`);
}

const png = () => Buffer.from(ONE_WHITE_DOT, "base64");

/** A label in the format of a MIME type. */
export const labelFile = (type, lines) =>
  type === "application/zpl" ? zpl(lines) : type === "image/png" ? png() : pdf(lines);
