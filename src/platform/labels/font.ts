import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Font } from "fontkit";

const require = createRequire(import.meta.url);

/** DejaVu Sans Condensed, which has Latin, Greek, Cyrillic and more, and may be embedded. */
const files = { normal: "DejaVuSansCondensed.ttf", bold: "DejaVuSansCondensed-Bold.ttf" };

export type Weight = keyof typeof files;

/** Printed instead of characters that the font lacks. */
const REPLACEMENT = "\u{fffd}";

class Face {
  readonly bytes: Buffer;
  readonly #font: Font;
  readonly #widths = new Map<string, number>();

  constructor(weight: Weight) {
    this.bytes = readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${files[weight]}`));
    const { create } = require("fontkit") as typeof import("fontkit");
    this.#font = create(this.bytes) as Font;
  }

  has = (character: string): boolean => this.#font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

  /** The width of a text at size 1. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) width += this.#widthOfOne(character);
    return width;
  }

  #widthOfOne(character: string): number {
    const known = this.#widths.get(character);
    if (known !== undefined) return known;
    const { advanceWidth } = this.#font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    const width = advanceWidth / this.#font.unitsPerEm;
    this.#widths.set(character, width);
    return width;
  }
}

const faces: Partial<Record<Weight, Face>> = {};

/** Loaded, with its library, when something is printed for the first time: most processes never print. */
export function face(weight: Weight): Face {
  faces[weight] ??= new Face(weight);
  return faces[weight];
}

/** The text as it can be printed on one line: blanks for control characters, nothing for invisible ones. */
export function printable(text: string): string {
  const line = text
    .normalize("NFC")
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  return Array.from(line, (character) => (face("normal").has(character) ? character : REPLACEMENT)).join("");
}
