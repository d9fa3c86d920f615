import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bwipjs from "bwip-js/node";

const WIDTH = 640;
const HEIGHT = 360;
/** Pixels of white on each side of the bars. */
const MARGIN = 60;
const BLACK = 16;
const WHITE = 235;

/** The options of a Chromium whose camera films a barcode (bwip-js names the kinds) over and over. */
export function filming(kind: "code128" | "gs1-128", text: string): string[] {
  const [symbol] = bwipjs.raw({ bcid: kind, text });
  if (!symbol || !("sbs" in symbol)) throw new Error("no bars");
  const module = Math.floor((WIDTH - 2 * MARGIN) / symbol.sbs.reduce((sum, width) => sum + width, 0));
  const line = Buffer.alloc(WIDTH, WHITE);
  let x = MARGIN;
  for (const [i, modules] of symbol.sbs.entries()) {
    if (i % 2 === 0) line.fill(BLACK, x, x + modules * module);
    x += modules * module;
  }
  const brightness = Array<Buffer>(HEIGHT).fill(line);
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const picture = Buffer.concat([Buffer.from("FRAME\n"), ...brightness, colours]);

  const folder = mkdtempSync(join(tmpdir(), "warehouse-film-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const film = join(folder, "label.y4m");
  writeFileSync(film, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`), picture]));
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
  ];
}
