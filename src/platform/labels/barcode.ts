import bwipjs from "bwip-js/node";
import { hasCheckDigit } from "../barcodes/gtin.js";

/** A kind of barcode, and the encoded text. */
export interface Code {
  type: "code128" | "ean13" | "ean8" | "upca" | "qrcode";
  data: string;
}

/** A barcode with its place, in millimetres and without its quiet zone. */
export interface Barcode extends Code {
  x: number;
  y: number;
  /** The width of the narrowest bar. */
  module: number;
  height: number;
  /** Dark rectangles, from the upper left corner; of bars the height is that of the barcode. */
  dark: { x: number; y: number; width: number; height: number }[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Modules beside a barcode that stay white, on each side. */
const QUIET = { bars: 10, qr: 4 };
/** The narrowest bar that usual scanners read, in millimetres, and the widest that is of use. */
const NARROWEST = { bars: 0.165, qr: 0.24 };
const WIDEST = { bars: 0.5, qr: 0.8 };

/**
 * A barcode of the text in the middle of a box: bars where they fit and can encode it, else a QR code; undefined where
 * neither could be scanned. For a printer with dots, a module is a whole number of dots.
 */
export function barcodeIn(box: Box, text: string, dots?: number): Barcode | undefined {
  const bars = barsOf(text);
  return (bars && linear(box, bars, dots)) ?? matrix(box, text, dots);
}

/**
 * A valid GTIN is printed as retailers do. Most scanners read one of 13 digits that begins with 0 as its last 12, so it
 * is Code 128, like all other texts. Code 128 has only ASCII; and printers take `>` for a command in it.
 */
function barsOf(data: string): Code | undefined {
  if (/^\d+$/.test(data) && hasCheckDigit(data)) {
    if (data.length === 13 && !data.startsWith("0")) return { type: "ean13", data };
    if (data.length === 12) return { type: "upca", data };
    if (data.length === 8) return { type: "ean8", data };
  }
  return /^[ -=?-~]+$/.test(data) ? { type: "code128", data } : undefined;
}

/** The width of a module: as wide as there is room for, and whole dots. Undefined where that is too narrow. */
function moduleIn(room: number, modules: number, kind: keyof typeof QUIET, dots?: number): number | undefined {
  const widest = Math.min(room / (modules + 2 * QUIET[kind]), WIDEST[kind]);
  const module = dots ? Math.floor(widest * dots + 1e-6) / dots : widest;
  // Two dots at least: bars of one dot come out uneven.
  const narrowest = dots ? Math.max(NARROWEST[kind], 2 / dots - 1e-6) : NARROWEST[kind];
  return module >= narrowest ? module : undefined;
}

function linear(box: Box, code: Code, dots?: number): Barcode | undefined {
  const [symbol] = bwipjs.raw({ bcid: code.type, text: code.data });
  if (!symbol || !("sbs" in symbol)) return undefined;
  const modules = symbol.sbs.reduce((sum, width) => sum + width, 0);
  const module = moduleIn(box.width, modules, "bars", dots);
  if (module === undefined) return undefined;
  const dark: Barcode["dark"] = [];
  let x = 0;
  for (const [i, width] of symbol.sbs.entries()) {
    if (i % 2 === 0) dark.push({ x: x * module, y: 0, width: width * module, height: box.height });
    x += width;
  }
  return { ...code, x: box.x + (box.width - modules * module) / 2, y: box.y, module, height: box.height, dark };
}

function matrix(box: Box, data: string, dots?: number): Barcode | undefined {
  const [symbol] = bwipjs.raw({ bcid: "qrcode", text: data, eclevel: "M" } as Parameters<typeof bwipjs.raw>[0]);
  if (!symbol || !("pixs" in symbol)) return undefined;
  const { pixs, pixx } = symbol;
  const module = moduleIn(Math.min(box.width, box.height), pixx, "qr", dots);
  if (module === undefined) return undefined;
  const side = pixx * module;
  const dark = Array.from({ length: pixx }, (_, row) => runsOf(pixs.slice(row * pixx, (row + 1) * pixx))).flatMap(
    (runs, row) =>
      runs.map(({ from, length }) => ({ x: from * module, y: row * module, width: length * module, height: module })),
  );
  const [x, y] = [box.x + (box.width - side) / 2, box.y + (box.height - side) / 2];
  return { type: "qrcode", data, x, y, module, height: side, dark };
}

/** Adjacent dark modules as one rectangle, so that no hairline shows between them. */
function runsOf(row: number[]): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = [];
  for (const [i, dark] of row.entries()) {
    const last = runs.at(-1);
    if (!dark) continue;
    if (last && last.from + last.length === i) last.length++;
    else runs.push({ from: i, length: 1 });
  }
  return runs;
}
