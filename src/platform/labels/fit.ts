import { face, type Weight } from "./font.js";

/** Height of a line, for a size of 1. */
export const LINE = 1.2;

export interface Room {
  width: number;
  height: number;
}

export interface Type {
  /** The wanted size, in millimetres; long text is printed smaller. */
  size: number;
  /** At this size text is cut instead of made smaller. */
  smallest: number;
  lines: number;
  weight: Weight;
}

/** The text in lines and a size that fit the room. Words are broken, and text is cut, only at the smallest size. */
export function fitted(text: string, room: Room, { size, smallest, lines: most, weight }: Type) {
  const { widthOf } = measured(weight);
  for (let tried = size; tried > smallest; tried *= 0.94) {
    const lines = wrap(text, room.width / tried, weight);
    const brokeNone = text.split(" ").every((word) => widthOf(word) <= room.width / tried);
    if (brokeNone && lines.length <= Math.min(most, linesIn(room, tried))) return { size: tried, lines };
  }
  const last = Math.min(size, smallest);
  const lines = wrap(text, room.width / last, weight);
  const allowed = Math.max(1, Math.min(most, linesIn(room, last)));
  if (lines.length <= allowed) return { size: last, lines };
  const rest = lines.slice(allowed - 1).join(" ");
  return { size: last, lines: [...lines.slice(0, allowed - 1), cut(rest, room.width / last, weight)] };
}

const linesIn = ({ height }: Room, size: number): number => Math.floor(height / (size * LINE) + 0.01);

const measured = (weight: Weight) => ({ widthOf: (text: string) => face(weight).widthOf(text) });

/** The text in lines of at most a width, for a size of 1; words that are wider are broken. */
export function wrap(text: string, width: number, weight: Weight): string[] {
  const { widthOf } = measured(weight);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    let taken = 0;
    for (const character of word) {
      const wide = widthOf(character);
      if (line && taken + wide > width) {
        lines.push(line);
        line = "";
        taken = 0;
      }
      line += character;
      taken += wide;
    }
  }
  if (line) lines.push(line);
  return lines;
}

function cut(line: string, width: number, weight: Weight): string {
  const { widthOf } = measured(weight);
  let kept = "";
  let taken = widthOf("…");
  for (const character of line) {
    taken += widthOf(character);
    if (taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}
