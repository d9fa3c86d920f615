import { barcodeIn } from "./barcode.js";

/** The quiet zone at each side is part of the picture. */
const WIDTH = 90;
const HEIGHT = 14;

/** The barcode of a text as an SVG picture, in millimetres; undefined where it could not be scanned. */
export function barcodeSvg(text: string): string | undefined {
  const barcode = barcodeIn({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, text);
  if (!barcode) return undefined;
  const { x, y, dark } = barcode;
  const bars = dark.map((bar) => {
    const width = at(bar.width);
    return `M${at(x + bar.x)} ${at(y + bar.y)}h${width}v${at(bar.height)}h-${width}z`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}mm" height="${HEIGHT}mm" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<path d="${bars.join("")}" shape-rendering="crispEdges"/></svg>`,
  ].join("");
}

const at = (millimetres: number): string => String(Number(millimetres.toFixed(3)));
